// What stands behind an algorithm: its weaknesses and how it is made here, what it was checked against, where it is defined.
import { useQuery } from '@tanstack/react-query';
import { lazyPart } from '../../ui/lazy-part';
import { Suspense } from 'react';
import type { CcaDescriptor } from '#protocol/cca';
import type { CcaAbout } from '#protocol/cca-about';
import { ccaNotesQuery } from '../../api/ccas';
import { fidelityQuery } from '../../api/queries';
import { Checks } from '../about/Checks';
import { ProblemNotice, Skeleton } from '../../ui/notice';
import { Badge, Section } from '../../ui/page';
import { ParamList } from './ParamList';
import css from './ccas.module.css';

/** Markdown takes code that nothing above it needs. */
const NoteText = lazyPart(async () => ({ default: (await import('./NoteText')).NoteText }));

interface RecordProps {
  readonly cca: CcaDescriptor;
  /** Two are on the page: headings say whose they are. */
  readonly named: boolean;
}

const titled = (title: string, { cca, named }: RecordProps): string => (named ? `${title}: ${cca.label}` : title);

export function CcaNotesSection(props: RecordProps) {
  const { cca } = props;
  const notes = useQuery(ccaNotesQuery(cca.id));
  if (notes.error !== null) return <ProblemNotice error={notes.error} onRetry={() => void notes.refetch()} />;
  if (notes.data === undefined || notes.data.notes.length === 0) return null;
  return (
    <Section
      title={titled('Weaknesses, and how it is made here', props)}
      note={
        <>
          From the documentation, <code>{notes.data.page}</code>.
        </>
      }
    >
      <div className={css['notes']}>
        {notes.data.notes.map(({ title, text }, i) => (
          <details key={title} open={i === 0}>
            <summary>{title}</summary>
            <Suspense fallback={<Skeleton height={60} />}>
              <NoteText label={`${title}, ${cca.label}`}>{text}</NoteText>
            </Suspense>
          </details>
        ))}
      </div>
    </Section>
  );
}

export function CheckSection(props: RecordProps) {
  const { cca } = props;
  const fidelity = useQuery(fidelityQuery);
  const findings = fidelity.data?.findings.filter(({ ccas }) => ccas.includes(cca.id)) ?? [];
  if (findings.length === 0) return null;
  const deviations = findings.filter(({ verdict }) => verdict === 'deviates');
  return (
    <Section
      title={titled('Checked against', props)}
      note={
        deviations.length === 0
          ? 'Papers, the Linux kernel and the authors’ programs. It deviates in nothing that was checked.'
          : 'Papers, the Linux kernel and the authors’ programs. Where it deviates, the reason is known.'
      }
    >
      {deviations.length === 0 ? null : (
        <details className={css['deviations']}>
          <summary>
            Deviations <span>{deviations.length}</span>
          </summary>
          <ul aria-label={`Where ${cca.label} deviates`}>
            {deviations.map(({ id, what, measured, expected, source, reason }) => (
              <li key={id}>
                <b>{what}</b>: {measured} where {source} has {expected}. {reason}
              </li>
            ))}
          </ul>
        </details>
      )}
      <Checks label={cca.label} findings={findings} />
    </Section>
  );
}

export const SourceSection = ({ about, ...props }: RecordProps & { readonly about: CcaAbout | undefined }) => (
  <Section title={titled('Sources', props)}>
    {about === undefined ? (
      <p className={css['quiet']}>{props.cca.source}</p>
    ) : (
      <ul className={css['sources']}>
        {about.sources.map(({ title, url }) => (
          <li key={title}>{url === undefined ? title : <a href={url}>{title}</a>}</li>
        ))}
      </ul>
    )}
  </Section>
);

/** Of what runs in a real stack: nothing here can be run with them, so they are only told. */
export const FixedParams = (props: RecordProps) =>
  props.cca.params.length === 0 || props.cca.engines.includes('virtual') ? null : (
    <Section title={titled('Parameters', props)} note="As they are by themselves; an experiment may change them.">
      <ParamList params={props.cca.params} />
    </Section>
  );

export const InsideSection = (props: RecordProps) =>
  props.cca.internals.length === 0 ? null : (
    <Section
      title={titled('What it shows of its inside', props)}
      note="Sampled with every run, drawn under “Inside the algorithms”, and in every export."
    >
      <ul className={css['internals']}>
        {props.cca.internals.map(({ name, label, unit }) => (
          <li key={name}>
            <Badge>{unit === '' ? label : `${label}, ${unit}`}</Badge>
          </li>
        ))}
      </ul>
    </Section>
  );
