// The sample of what the page shows, over a link of choice, and the parameters that it is run with.
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { ccaLabel } from '#analysis/cca-label';
import { engineOf } from '#analysis/kinds';
import type { CcaDescriptor, QueueDescriptor } from '#protocol/cca';
import type { CcaAbout, SampleLink } from '#protocol/cca-about';
import type { ParamValues } from '#protocol/spec';
import { retryRun } from '../../api/actions';
import { forgetRun } from '../../live/run-feed';
import { Button } from '../../ui/button';
import { Segmented } from '../../ui/choice';
import { Loading, Notice, ProblemNotice } from '../../ui/notice';
import { Section } from '../../ui/page';
import type { CcaSearchState } from './cca-search';
import { CcaParams } from './CcaParams';
import { readEarlier, readParams, writeEarlier, writeParams } from './param-text';
import { SampleFigure } from './SampleFigure';
import { type SampleRun, type Subject, useSamples } from './use-samples';
import css from './ccas.module.css';

interface SampleSectionProps {
  /** One, or two beside each other. */
  readonly shown: readonly CcaDescriptor[];
  readonly ccas: ReadonlyMap<string, CcaDescriptor>;
  readonly about: ReadonlyMap<string, CcaAbout>;
  readonly links: readonly SampleLink[];
  readonly queues: readonly QueueDescriptor[];
  readonly searchState: CcaSearchState;
}

/** What can run in a sample: itself, or of a real stack the algorithm of ours. */
function runnable(cca: CcaDescriptor, { ccas, about }: Pick<SampleSectionProps, 'ccas' | 'about'>) {
  if (cca.kind !== 'ideal' && engineOf(cca, 'virtual') === 'virtual') return cca;
  return ccas.get(about.get(cca.id)?.of ?? '');
}

const subjectOf = (cca: CcaDescriptor, params: ParamValues): Subject => ({
  cca,
  params,
  label: ccaLabel({ cca: { id: cca.id, params } }, cca),
});

/** The link, and whose has a discipline of its own. */
const noteOf = (
  link: SampleLink | undefined,
  subjects: readonly Subject[],
  about: SampleSectionProps['about'],
  queues: SampleSectionProps['queues'],
): string => {
  const own = new Map(subjects.map(({ cca }) => [cca.label, about.get(cca.id)?.queue?.id]));
  const told = [...own].flatMap(([label, id]) =>
    id === undefined
      ? []
      : [`${label} with ${queues.find((queue) => queue.id === id)?.label ?? id} as its queue discipline`],
  );
  return [link?.note ?? '', ...told].join('; ');
};

/** In the address: whose parameters stand under which key. */
const KEYS = ['p', 'wp'] as const;

export function SampleSection({ shown, ccas, about, links, queues, searchState }: SampleSectionProps) {
  const { search, setSearch } = searchState;
  const [first] = links;
  const link = links.find(({ id }) => id === search.link) ?? first;
  const running = shown.map((cca) => runnable(cca, { ccas, about }));
  const values = running.map((cca, i) =>
    readParams(search[KEYS[i] ?? 'p'], cca !== undefined && cca === shown[i] ? cca.params : []),
  );
  const misread = [
    ...(search.link === '' || links.some(({ id }) => id === search.link) ? [] : [search.link]),
    ...values.flatMap((read) => read.misread),
  ];
  const [own] = running;
  const earlier = running.length > 1 || own === undefined ? null : readEarlier(search.over, own.params);
  const subjects = running
    .flatMap((cca, i) => (cca === undefined ? [] : [subjectOf(cca, values[i]?.values ?? {})]))
    .concat(own === undefined || earlier === null ? [] : [subjectOf(own, earlier)])
    .filter(({ label, cca }, i, all) => all.findIndex((one) => one.label === label && one.cca === cca) === i);

  const change = (i: number, cca: CcaDescriptor, next: ParamValues): void => {
    const before = values[i]?.values ?? {};
    const over = running.length > 1 ? [] : writeEarlier(before, cca.params);
    setSearch({ [KEYS[i] ?? 'p']: writeParams(next, cca.params), over, at: null });
  };

  return (
    <Section
      title="A short run"
      note={subjects.length === 0 ? undefined : noteOf(link, subjects, about, queues)}
      aside={
        subjects.length === 0 ? null : (
          <Segmented
            label="Link"
            hideLabel
            value={link?.id ?? ''}
            options={links.map(({ id, label }) => ({ id, label }))}
            onChange={(id) => setSearch({ link: id === first?.id ? '' : id, at: null })}
          />
        )
      }
    >
      <div className={css['stand']}>
        {misread.length === 0 ? null : (
          <Notice kind="warning" title="Part of this address was not understood">
            {misread.join(', ')}: what is no link, parameter or value of one is left out.
          </Notice>
        )}
        <Stand shown={shown} running={running} />
      </div>
      <div className={css['pair']} data-two={shown.length > 1 ? '' : undefined}>
        {running.map((cca, i) =>
          cca === undefined || cca !== shown[i] || cca.params.length === 0 ? null : (
            <CcaParams
              key={cca.id}
              label={cca.label}
              known={cca.params}
              values={values[i]?.values ?? {}}
              startsOpen={(values[i]?.misread.length ?? 0) + search.over.length + search[KEYS[i] ?? 'p'].length > 0}
              onChange={(next) => change(i, cca, next)}
              onForget={search.over.length === 0 ? undefined : () => setSearch({ over: [] })}
            />
          ),
        )}
      </div>
      {subjects.length === 0 ? null : (
        <Sample
          subjects={subjects}
          link={link === first ? '' : (link?.id ?? '')}
          ccas={ccas}
          about={about}
          searchState={searchState}
        />
      )}
    </Section>
  );
}

/** Where what runs is not what the page is about, or nothing runs at all. */
function Stand({
  shown,
  running,
}: {
  readonly shown: SampleSectionProps['shown'];
  readonly running: readonly (CcaDescriptor | undefined)[];
}) {
  return shown.map((cca, i) => {
    const runs = running[i];
    if (runs === cca) return null;
    return (
      <Notice key={cca.id} title={runs === undefined ? `${cca.label} has no sample` : `Shown is ${runs.label}`}>
        {runs !== undefined
          ? `${cca.label} runs in a real stack and in real time only. In virtual time the engine runs its own ${runs.label}, with the usual values.`
          : cca.kind === 'ideal'
            ? 'It is not a sender: its figures are computed from the trace, and there is nothing to watch.'
            : 'It runs in real time only: start an experiment with it to see what it does.'}
      </Notice>
    );
  });
}

interface SampleProps extends Pick<SampleSectionProps, 'ccas' | 'about' | 'searchState'> {
  readonly subjects: readonly Subject[];
  readonly link: string;
}

function Sample({ subjects, link, ccas, about, searchState }: SampleProps) {
  const { shown, isPending, error, retry } = useSamples(subjects, link);
  const queries = useQueryClient();
  const [fault, setFault] = useState<unknown>(null);
  const again = (id: string): void => void retryRun(queries, id, () => forgetRun(id)).catch(setFault);
  const failed = shown?.find(({ record }) => record.state !== 'done');
  return (
    <div aria-busy={isPending}>
      {error === null ? null : <ProblemNotice error={error} onRetry={retry} />}
      {fault === null ? null : <ProblemNotice error={fault} />}
      {failed === undefined ? null : (
        <Notice
          kind="problem"
          title={`The sample of ${failed.label} is ${failed.record.state}`}
          actions={
            <Button size="small" icon="retry" onPress={() => again(failed.record.id)}>
              Retry
            </Button>
          }
        >
          {failed.record.reason}
        </Notice>
      )}
      <p className="visually-hidden" role="status">
        {isPending ? 'The sample runs …' : ''}
      </p>
      {shown === null ? (
        error === null ? (
          <Loading label="Running the sample" rows={3} height={170} />
        ) : null
      ) : (
        <Shown
          key={shown.map(({ record }) => `${record.id} ${record.state}`).join()}
          runs={shown}
          ccas={ccas}
          about={about}
          searchState={searchState}
        />
      )}
    </div>
  );
}

/** Runs that are asked for again are the same ones: what is drawn of them is not made anew. */
function Shown({
  runs,
  ...rest
}: Omit<SampleProps, 'subjects' | 'link'> & { readonly runs: readonly [SampleRun, ...SampleRun[]] }) {
  const key = runs.map(({ record, label }) => `${record.id} ${record.state} ${label}`).join();
  // eslint-disable-next-line react-hooks/exhaustive-deps -- a record that was read again says the same
  const same = useMemo(() => runs, [key]);
  return <SampleFigure runs={same} {...rest} />;
}
