// Where a trace comes from: what the file was, who owns it, what it is made of. Licence and source are a person's to say.
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { isShippedRecording } from '#analysis/shipped-recording';
import type { TraceRecord } from '#protocol/api';
import { changeTrace, recipeUrl } from '../../api/actions';
import { LiveOnly, useFrozen } from '../../share/frozen';
import { Button } from '../../ui/button';
import { CopyButton } from '../../ui/copy-button';
import { TextField } from '../../ui/text-field';
import { formatBytes } from '../../ui/format';
import { ProblemNotice } from '../../ui/notice';
import { Section } from '../../ui/page';
import { addressOf } from '../../ui/place';
import { When } from '../../ui/when';
import { EditProvenance } from './EditProvenance';
import css from './look.module.css';

const FORMS: Readonly<Record<string, string>> = {
  mahimahi: 'Mahimahi: one millisecond per line',
  'ms-count': '“ms count” text',
};
const ORIGINS: Readonly<Record<TraceRecord['origin'], string>> = {
  library: 'shipped with Paceline',
  upload: 'uploaded',
  file: 'a file named on the command line',
  recipe: 'made from a recipe on this machine',
  edit: 'an edit of another trace',
};

export function TraceProvenance({ trace }: { readonly trace: TraceRecord }) {
  const [editing, setEditing] = useState(false);
  const frozen = useFrozen();
  const { info } = trace;
  const options = info.source?.format === 'trace' ? [] : (info.source?.options ?? []);
  return (
    <Section
      title="Provenance"
      aside={
        trace.origin === 'library' || editing || frozen !== null ? undefined : (
          <Button size="small" onPress={() => setEditing(true)}>
            Name, licence, source
          </Button>
        )
      }
    >
      {editing ? (
        <AboutForm trace={trace} onDone={() => setEditing(false)} />
      ) : (
        <dl className={css['provenance']}>
          <dt>Licence</dt>
          <dd>{trace.licence === '' ? <span className={css['unsaid']}>not said</span> : linked(trace.licence)}</dd>
          <dt>Source</dt>
          <dd>
            {trace.source === '' ? (
              <span className={css['unsaid']}>not said</span>
            ) : (
              trace.source.split('\n').map((said) => <div key={said}>{linked(said)}</div>)
            )}
          </dd>
          <dt>Technology</dt>
          <dd>{trace.technology === '' ? <span className={css['unsaid']}>not said</span> : trace.technology}</dd>
          <dt>Place</dt>
          <dd>{trace.place === '' ? <span className={css['unsaid']}>not said</span> : trace.place}</dd>
          {trace.formerly.length === 0 ? null : (
            <>
              <dt>Called before</dt>
              <dd>{trace.formerly.join('; ')}</dd>
            </>
          )}
          <dt>Origin</dt>
          <dd>{isShippedRecording(trace) ? 'by others, shipped with Paceline' : ORIGINS[trace.origin]}</dd>
          <dt>Format</dt>
          <dd>
            {FORMS[info.format] ?? info.source?.label ?? info.format}
            {info.gzip ? ', gzipped' : info.source?.packing === 'zstd' ? ', zstd' : ''}
            {info.source === undefined ? null : `, ${formatBytes(info.source.bytes)} delivered`}
          </dd>
          {options.length === 0 ? null : (
            <>
              <dt>Read with</dt>
              <dd>{options.map(({ label, value }) => `${label}: ${value}`).join('; ')}</dd>
            </>
          )}
          {(info.source?.notes ?? []).length === 0 ? null : (
            <>
              <dt>Reading it</dt>
              <dd>
                {info.source?.notes.map((note) => (
                  <div key={note}>{note}</div>
                ))}
              </dd>
            </>
          )}
          <dt>Added</dt>
          <dd>
            <When iso={trace.created_at} />
          </dd>
          {frozen !== null ? null : trace.origin === 'recipe' ||
            (trace.origin === 'library' && !isShippedRecording(trace)) ? (
            <>
              <dt>Recipe</dt>
              <dd>
                <a href={recipeUrl(trace.id)}>what it was made from, as JSON</a>
              </dd>
            </>
          ) : null}
          {trace.edit === undefined ? null : <EditProvenance edit={trace.edit} />}
          <dt>Content hash</dt>
          <dd className={css['hash']}>
            <code>{info.sha256}</code>
            <CopyButton size="small" kind="quiet" text={() => info.sha256}>
              Copy hash
            </CopyButton>
          </dd>
          <LiveOnly>
            <Permalink id={trace.id} />
          </LiveOnly>
        </dl>
      )}
    </Section>
  );
}

const Permalink = ({ id }: Pick<TraceRecord, 'id'>) => (
  <>
    <dt>Permalink</dt>
    <dd className={css['hash']}>
      <code>{`/traces/${id.slice(0, 12)}…`}</code>
      <CopyButton size="small" kind="quiet" icon="share" text={() => addressOf(`/traces/${id}`)}>
        Copy permalink
      </CopyButton>
    </dd>
  </>
);

/** Addresses become links. */
function linked(text: string): ReactNode[] {
  return text.split(/(https?:\/\/\S+)/).map((part, i) =>
    i % 2 === 0 ? (
      part
    ) : (
      <a key={part} href={part} rel="noreferrer">
        {part}
      </a>
    ),
  );
}

function AboutForm({ trace, onDone }: { readonly trace: TraceRecord; readonly onDone: () => void }) {
  const queries = useQueryClient();
  const [said, setSaid] = useState({
    name: trace.name,
    description: trace.description,
    licence: trace.licence,
    source: trace.source,
    technology: trace.technology,
    place: trace.place,
  });
  const [state, setState] = useState<{ busy: boolean; error: unknown }>({ busy: false, error: null });
  const save = (): void => {
    setState({ busy: true, error: null });
    changeTrace(queries, trace.id, said).then(onDone, (error: unknown) => setState({ busy: false, error }));
  };
  return (
    <form
      className={css['about']}
      aria-label="Name, licence and source"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <TextField label="Name" value={said.name} onChange={(name) => setSaid({ ...said, name })} />
      <TextField
        label="Description"
        value={said.description}
        onChange={(description) => setSaid({ ...said, description })}
      />
      <TextField
        label="Licence"
        value={said.licence}
        onChange={(licence) => setSaid({ ...said, licence })}
        placeholder="CC BY 4.0"
        help="Under which it may be passed on, as its owner says it."
      />
      <TextField
        label="Source"
        value={said.source}
        onChange={(source) => setSaid({ ...said, source })}
        placeholder="https://…"
        help="An address, a citation, who recorded it and where."
      />
      <TextField
        label="Technology"
        value={said.technology}
        onChange={(technology) => setSaid({ ...said, technology })}
        placeholder="4G LTE, 5G, 5G mmWave …"
      />
      <TextField
        label="Place"
        value={said.place}
        onChange={(place) => setSaid({ ...said, place })}
        placeholder="City, road, indoors …"
        help="Traces are searched, sorted and filtered by both."
      />
      {state.error === null ? null : <ProblemNotice error={state.error} />}
      <div className={css['actions']}>
        <Button type="submit" kind="primary" isDisabled={state.busy || said.name.trim() === ''}>
          Save
        </Button>
        <Button onPress={onDone}>Cancel</Button>
      </div>
    </form>
  );
}
