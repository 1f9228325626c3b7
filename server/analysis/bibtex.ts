// What an experiment stands on, as BibTeX: the program, the algorithms' and disciplines' sources, whose the recordings are, the methods.
import type { TraceRecord } from '#protocol/api';
import type { CcaDescriptor, QueueDescriptor } from '#protocol/cca';

const SPECIAL: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '{': '\\{',
  '}': '\\}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
};

/** As it is printed, whatever is in it. */
export const texText = (text: string): string =>
  text.replaceAll(/[\\{}~^]|[#$%&_]/g, (found) => SPECIAL[found] ?? `\\${found}`).replaceAll(/\s+/g, ' ');

const keyOf = (kind: string, name: string): string =>
  `${kind}-${name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')}`;

type Fields = Readonly<Record<string, string>>;

function entry(type: string, key: string, fields: Fields): string {
  const lines = Object.entries(fields)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `  ${name} = {${value}}`);
  return `@${type}{${key},\n${lines.join(',\n')}\n}`;
}

/** The standards that a source names. */
const rfcs = (source: string): string[] =>
  [...source.matchAll(/\bRFC (\d{3,5})\b/g)].flatMap(([, number]) => number ?? []);

const rfcEntry = (number: string): string =>
  entry('techreport', `rfc${number}`, {
    title: `{RFC} ${number}`,
    type: 'RFC',
    number,
    institution: 'RFC Editor',
    url: `https://www.rfc-editor.org/rfc/rfc${number}`,
  });

/** What tells that a source is more than standards. */
const beyondRfcs = (source: string): boolean => /\p{L}/u.test(source.replaceAll(/\bRFC \d+\b/g, ''));

const METHODS = {
  scores: entry('unpublished', 'paceline-scores', {
    title: 'The Quest for the Best: Evaluating Congestion Control in {5G}',
    author: 'Asim, Rohail and Subramanian, Lakshmi and Zaki, Yasir',
    note: 'Scenario scores and their terms',
  }),
  jain: entry('techreport', 'paceline-jain', {
    title: 'A Quantitative Measure of Fairness and Discrimination for Resource Allocation in Shared Computer Systems',
    author: 'Jain, Raj and Chiu, Dah-Ming and Hawe, William R.',
    institution: 'Digital Equipment Corporation',
    number: 'DEC-TR-301',
    year: '1984',
  }),
  harm: entry('inproceedings', 'paceline-harm', {
    title: 'Beyond Jain’s Fairness Index: Setting the Bar for the Deployment of Congestion Control Algorithms',
    author: 'Ware, Ranysha and Mukerjee, Matthew K. and Seshan, Srinivasan and Sherry, Justine',
    booktitle: 'ACM HotNets',
    year: '2019',
  }),
} as const;

export interface Sources {
  readonly version: string;
  readonly engine_version: string | null;
  readonly ccas: readonly Pick<CcaDescriptor, 'id' | 'label' | 'source' | 'kind'>[];
  readonly queues: readonly Pick<QueueDescriptor, 'id' | 'label' | 'source'>[];
  readonly traces: readonly Pick<TraceRecord, 'id' | 'name' | 'licence' | 'source'>[];
  /** Pairs were run. */
  readonly pairs: boolean;
  /** Of the papers whose study this is, as they are. */
  readonly papers: readonly string[];
}

/** Entries, each once. */
export function bibtexOf({ version, engine_version, ccas, queues, traces, pairs, papers }: Sources): string {
  const named = [
    ...ccas.map((cca) => ({ ...cca, what: 'Congestion control', kind: 'cca' })),
    ...queues.map((queue) => ({ ...queue, what: 'Queue discipline', kind: 'queue' })),
  ];
  const entries = [
    entry('software', 'paceline', {
      title: 'Paceline: a laboratory for congestion control over cellular links',
      version: texText(version),
      note: engine_version === null ? '' : `engine ${texText(engine_version)}`,
    }),
    METHODS.scores,
    ...(pairs ? [METHODS.jain, METHODS.harm] : []),
    ...papers,
    ...named
      .filter(({ source }) => beyondRfcs(source))
      .map(({ id, label, source, what, kind }) =>
        entry('misc', keyOf(kind, id), { title: `${what} {${texText(label)}}`, howpublished: texText(source) }),
      ),
    ...[...new Set(named.flatMap(({ source }) => rfcs(source)))]
      .toSorted((a, b) => Number(a) - Number(b))
      .map(rfcEntry),
    ...traces
      .filter(({ source }) => source !== '')
      .map(({ id, name, licence, source }) =>
        entry('misc', keyOf('trace', id.slice(0, 12)), {
          title: `Trace {${texText(name)}}`,
          howpublished: texText(source),
          note: licence === '' ? `SHA-256 ${id}` : `Licence: ${texText(licence)}. SHA-256 ${id}`,
        }),
      ),
  ];
  return `${[...new Set(entries)].join('\n\n')}\n`;
}
