// What the figures of each kind of data say of themselves outside of the page.
import { createContext } from 'react';
import { bufferLabel } from '#analysis/limits';
import { ccaLabel } from '#analysis/cca-label';
import { isToBeNamed, traceOwner, type TraceOwner } from '#analysis/trace-owners';
import { engineFact, type Fact } from '../charts/provenance';
import { formatBytes, formatChosen, plural, UNIT_SPACE } from '../ui/format';
import type { ComparisonPlotData, ExperimentPlotData, RunPlotData, StudyPlotData, TracePlotData } from './data';
import { labelOfFlow } from './flows';
import type { Need, PlotData } from './registry';

const unique = (values: readonly string[]): string => [...new Set(values)].join(', ');
const ms = (values: readonly number[]): string => unique(values.map((value) => formatChosen(value)));

const fact = (column: string, value: string, text = value): Fact => ({ column, value, text });
const baseRtt = (values: readonly number[]): Fact =>
  fact('base_rtt_ms', ms(values), `base RTT ${ms(values)}${UNIT_SPACE}ms`);

/** Behind what is shown; while it goes on, of how many. */
const runsText = ({ runs_done, runs_total }: ExperimentPlotData['record']): string =>
  runs_done === runs_total ? plural(runs_done, 'run') : `${runs_done} of ${plural(runs_total, 'run')}`;

function ofExperiment({ record, ccas, engineVersion }: ExperimentPlotData): Fact[] {
  const { cells, spec } = record;
  const labels = cells.map((cell) => ccaLabel(cell, ccas.get(cell.cca.id) ?? null));
  const limits = unique(cells.map(({ buffer }) => bufferLabel(buffer)));
  return [
    fact('experiment', record.name),
    fact('trace', unique(cells.map(({ trace_name }) => trace_name))),
    fact('cca', unique(labels)),
    fact('queue_limit', limits, `queue limit ${limits}`),
    fact('queue', unique(cells.map(({ queue }) => queue.id))),
    baseRtt(cells.map(({ base_rtt_ms }) => base_rtt_ms)),
    fact(
      'repetitions',
      String(spec.repetitions),
      `${spec.repetitions} × ${formatChosen(spec.duration_s)}${UNIT_SPACE}s`,
    ),
    fact('runs', String(record.runs_done), runsText(record)),
    ...(engineVersion === undefined ? [] : [engineFact(engineVersion)]),
  ];
}

type OfRun = Pick<RunPlotData, 'id' | 'manifest' | 'ccas' | 'overlays'>;

function ofRun({ id, manifest, ccas, overlays = [] }: OfRun): Fact[] {
  const { forward, reverse, flows } = manifest;
  const { capacity, queue } = forward;
  const limit =
    queue.limit_packets !== null
      ? `${formatChosen(queue.limit_packets)} packets`
      : queue.limit_bytes === null
        ? '∞'
        : formatBytes(queue.limit_bytes);
  const trace =
    capacity.kind === 'trace'
      ? capacity.name
      : capacity.kind === 'constant'
        ? `${formatChosen(capacity.rate_mbps)}${UNIT_SPACE}Mbps`
        : 'unlimited';
  // Runs laid over one another have links of their own: each is named by its label.
  if (overlays.length > 0)
    return [fact('runs', unique(overlays.map(({ label }) => label))), engineFact(manifest.engine_version)];
  return [
    fact('run', id, `run ${id}`),
    fact('trace', trace),
    fact('cca', unique(flows.map(({ cca }) => labelOfFlow(cca, ccas)))),
    fact('queue_limit', limit, `queue limit ${limit}`),
    fact('queue', queue.id),
    baseRtt([forward.delay_ms + reverse.delay_ms]),
    engineFact(manifest.engine_version),
  ];
}

/** Whose traces they are, for those that have to be named: their licences say the owner, their sources the rest. */
export function ownerFacts(owners: readonly TraceOwner[]): Fact[] {
  if (owners.length === 0) return [];
  const several = (of: (owner: TraceOwner) => string, between: string): string =>
    owners.length === 1 && owners[0] !== undefined
      ? of(owners[0])
      : owners.map((owner) => `${owner.name}: ${of(owner)}`).join(between);
  return [
    fact(
      'trace_licence',
      several(({ licence }) => licence, '; '),
      `trace ${several(({ licence }) => licence, '; trace ')}`,
    ),
    fact(
      'trace_source',
      several(({ source }) => source, '\n'),
      '',
    ),
  ];
}

const ofTraces = (traces: readonly TracePlotData['trace'][]): Fact[] => [
  fact('trace', unique(traces.map(({ name }) => name))),
  fact(
    'trace_sha256',
    unique(traces.map(({ id }) => id)),
    `SHA-256 ${unique(traces.map(({ id }) => id.slice(0, 12)))}`,
  ),
  ...ownerFacts(traces.filter(isToBeNamed).map(traceOwner)),
];

/** Of the traces behind the figures below it; figures of traces know their own. */
export const OwnersContext = createContext<readonly TraceOwner[]>([]);

const OF: { readonly [N in Need]: (data: PlotData[N]) => Fact[] } = {
  experiment: ofExperiment,
  run: ofRun,
  live: ofRun,
  packets: ofRun,
  difference: ofRun,
  trace: ({ trace }: TracePlotData) => ofTraces([trace]),
  study: ({ study, figure }: StudyPlotData) => [
    fact('study', study.title),
    fact('figure', figure.title),
    ...(study.paper === null ? [] : [fact('paper', study.paper.title, `paper: ${study.paper.title}`)]),
    engineFact(study.engine_version),
  ],
  comparison: ({ traces }: ComparisonPlotData) => ofTraces(traces.map(({ trace }) => trace)),
};

export const provenanceOf = <N extends Need>(needs: N, data: PlotData[N]): Fact[] => OF[needs](data);
