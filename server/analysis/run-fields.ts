// What a run can be looked for, sorted and grouped by: one entry a field. The query language, its completion and help, the columns of the
// table, the database's and the documentation come from this list.
import { METRICS, type MetricId } from '#analysis/metrics';

/** `word`: one of few, matched whole (`bbr*`: by its beginning). `text`: matched anywhere. `set`: said of runs or of their experiments. */
export type FieldKind = 'word' | 'text' | 'number' | 'date' | 'flag' | 'set';

export interface RunField {
  readonly id: string;
  readonly label: string;
  readonly kind: FieldKind;
  /** Of numbers; '' for a share or a count. */
  readonly unit: string;
  readonly means: string;
  /** Where the store has it; absent: it is said of experiments as well. */
  readonly column?: string;
  /** A figure of the run's summary. */
  readonly metric?: MetricId;
  /** A column of the table without being asked for. */
  readonly usual?: true;
  readonly example: string;
}

/** Where the store calls it something else. */
const COLUMNS: Readonly<Record<string, string>> = { id: 'run_id', cca: 'ccas' };

const word = (id: string, label: string, means: string, example: string, usual?: true): RunField => ({
  id,
  label,
  kind: 'word',
  unit: '',
  means,
  column: COLUMNS[id] ?? id,
  example,
  ...(usual && { usual }),
});
const number = (id: string, label: string, unit: string, means: string, example: string): RunField => ({
  id,
  label,
  kind: 'number',
  unit,
  means,
  column: id,
  example,
});
const figure = (id: string, metric: MetricId, example: string, usual?: true): RunField => ({
  id,
  label: METRICS[metric].label,
  kind: 'number',
  unit: METRICS[metric].unit,
  means: METRICS[metric].definition,
  column: `f_${metric}`,
  metric,
  example,
  ...(usual && { usual }),
});

export const RUN_FIELDS: readonly RunField[] = [
  word('cca', 'CCA', 'the algorithm of any of its flows', 'cca:bbr,cubic', true),
  { ...word('trace', 'Trace', 'a part of the name of its trace', 'trace:"lte walk"', true), kind: 'text' },
  word('buffer', 'Queue limit', 'the queue limit as it was asked for', 'buffer:5bdp', true),
  {
    id: 'experiment',
    label: 'Experiment',
    kind: 'set',
    unit: '',
    means: 'a part of the name, or the id, of an experiment it belongs to',
    example: 'experiment:thesis',
    usual: true,
  },
  word('state', 'State', 'queued, running, done, failed, cancelled or invalid', 'state:failed', true),
  word(
    'role',
    'Role',
    'solo, self_pair (beside another of its kind) or baseline_pair (beside the baseline)',
    'role:solo',
  ),
  word('engine', 'Engine', 'virtual or realtime', 'engine:virtual'),
  word('queue', 'Queue discipline', 'the discipline of its queue', 'queue:codel'),
  word('transport', 'Transport', 'of its first flow', 'transport:quic'),
  word('version', 'Engine version', 'the engine that made it', 'version:0.1.0*'),
  word('id', 'Id', 'the run’s id', 'id:abc*'),
  {
    id: 'tag',
    label: 'Tag',
    kind: 'set',
    unit: '',
    means: 'a tag of the run or of its experiment',
    example: 'tag:thesis',
  },
  {
    id: 'starred',
    label: 'Starred',
    kind: 'flag',
    unit: '',
    means: 'the run or its experiment has a star',
    example: 'starred:yes',
  },
  {
    id: 'archived',
    label: 'Archived',
    kind: 'flag',
    unit: '',
    means: 'also, or only, what was archived',
    example: 'archived:yes',
  },
  number('rtt0', 'Base RTT', 'ms', 'base round-trip time of the path', 'rtt0:20'),
  number('loss_rate', 'Loss rate', '', 'random loss of the link, 0 to 1', 'loss_rate>0'),
  number('duration', 'Duration', 's', 'of the run', 'duration>=60'),
  number('flows', 'Flows', '', 'how many there are', 'flows>1'),
  number('rep', 'Repetition', '', 'from 0 on', 'rep:0..4'),
  {
    id: 'since',
    label: 'Since',
    kind: 'date',
    unit: '',
    means: 'made on this day or later',
    example: 'since:2026-11-01',
  },
  {
    id: 'before',
    label: 'Before',
    kind: 'date',
    unit: '',
    means: 'made before this day',
    example: 'before:2026-12-01',
  },
  figure('util', 'utilisation', 'util<0.8', true),
  figure('tput', 'throughput', 'tput>10', true),
  figure('delay', 'queueing_mean', 'delay>50', true),
  figure('p95', 'queueing_p95', 'p95>100', true),
  figure('rtt', 'rtt_mean', 'rtt<80'),
  figure('rtt95', 'rtt_p95', 'rtt95<120'),
  figure('inflation', 'delay_inflation', 'inflation>3'),
  figure('loss', 'loss', 'loss>0.01', true),
  figure('rtx', 'retransmitted', 'rtx>0.01'),
  figure('owd', 'owd_mean', 'owd<60'),
  figure('owd95', 'owd_p95', 'owd95<90'),
  figure('jain', 'jain', 'jain<0.9'),
  figure('together', 'jain_together', 'together<0.9'),
  figure('share', 'first_share', 'share<0.4'),
  figure('d3', 'd3', 'd3<1'),
  figure('cpu', 'cpu_percent', 'cpu>50'),
];

export const RUN_FIELD: ReadonlyMap<string, RunField> = new Map(RUN_FIELDS.map((field) => [field.id, field]));
/** What the table can be sorted by: the age of a run, and whatever the store has of it. */
export const SORT_FIELDS: readonly string[] = [
  'made',
  ...RUN_FIELDS.flatMap(({ id, column }) => (column === undefined ? [] : id)),
];
export const GROUP_FIELDS: readonly string[] = RUN_FIELDS.flatMap(({ id, kind, column, metric }) =>
  column !== undefined &&
  metric === undefined &&
  id !== 'id' &&
  (kind === 'word' || kind === 'text' || kind === 'number')
    ? [id]
    : [],
);
export const FIGURE_FIELDS: readonly RunField[] = RUN_FIELDS.filter(({ metric }) => metric !== undefined);

/** A queue limit as one types it: `5 BDP` is `5bdp`. */
export const limitWord = (label: string): string => label.toLowerCase().replace(/\s+/g, '').replace('∞', 'inf');
