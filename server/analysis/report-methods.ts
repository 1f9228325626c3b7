// A paragraph of an experiment's methods, ready to paste into a paper: every parameter, and how the numbers were made.
import { formatBytes, formatChosen } from '#analysis/format';
import { hasOurWindow, isMeasured } from '#analysis/kinds';
import { bufferLabel } from '#analysis/limits';
import { ownOfSpec } from '#analysis/own-of-spec';
import { queueLabel } from '#analysis/queue-label';
import { FEWEST_FOR_INTERVAL, BOOTSTRAP_REPLICATES } from '#analysis/statistics';
import { sweepName } from '#analysis/sweep-name';
import { ccaLabel } from '#analysis/cca-label';
import type { Cell, TraceRecord } from '#protocol/api';
import type { CcaDescriptor } from '#protocol/cca';
import { ackPolicy, type ExperimentSpec, type FlowSpec } from '#protocol/spec';

export interface MethodsInput {
  readonly spec: ExperimentSpec;
  readonly cells: readonly Cell[];
  readonly ccas: ReadonlyMap<string, CcaDescriptor>;
  /** By content hash. */
  readonly traces: ReadonlyMap<string, Pick<TraceRecord, 'name' | 'origin' | 'source'>>;
  readonly engine_version: string | null;
  readonly runs_total: number;
  readonly runs_done: number;
}

const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;

const VARIED: Readonly<Record<ExperimentSpec['vary'][number], string>> = {
  start_jitter: 'when flows start',
  trace_phase: 'where in the trace they begin',
  cca_random: 'what algorithms draw at random',
};

/** Names of more than these are left to the table. */
const MOST_NAMED = 12;
const named = (names: readonly string[]): string => {
  const distinct = [...new Set(names)];
  const more = distinct.length - MOST_NAMED;
  return more > 0 ? `${distinct.slice(0, MOST_NAMED).join('; ')}; and ${more} more` : listed(distinct);
};

function limitsText({ cells, spec }: MethodsInput): string {
  const limits = new Map<string, Set<number | null>>();
  for (const { buffer, limit_bytes } of cells) {
    const bytes = limits.get(bufferLabel(buffer)) ?? new Set();
    limits.set(bufferLabel(buffer), bytes.add(limit_bytes));
  }
  const parts = [...limits].map(([label, bytes]) => {
    const known = [...bytes].filter((size) => size !== null).toSorted((a, b) => a - b);
    const [least, most] = [known[0], known.at(-1)];
    if (least === undefined || most === undefined) return 'without limit';
    return `${label} (${least === most ? formatBytes(least) : `${formatBytes(least)} to ${formatBytes(most)}`})`;
  });
  const derived = cells.some(({ buffer }) => 'bdp' in buffer || 'ms' in buffer);
  const of = spec.bdp_of === 'part' ? 'of the part of each trace that runs' : 'of each whole trace';
  return `Queue limits: ${named(parts)}${derived ? `, with the mean capacity ${of} and the base RTT` : ''}.`;
}

const SOURCES: Readonly<Record<FlowSpec['source']['kind'], string>> = {
  bulk: 'always has data',
  rate: 'writes at a steady rate',
  on_off: 'writes in turns',
  transfers: 'transfers files',
  frames: 'writes frames',
  replay: 'is replayed from a recording',
};

function flowText(flow: FlowSpec, i: number, { spec, ccas }: MethodsInput): string {
  const who = flow.cca === '$cca' ? 'the algorithm' : ccaLabel({ cca: flow.cca }, ccas.get(flow.cca.id) ?? null);
  const acks =
    ackPolicy(flow) === 'linux'
      ? 'acknowledgements as Linux’ TCP sends them'
      : `an acknowledgement for every ${flow.ack_every === 1 ? 'packet' : `${flow.ack_every} packets`} at the latest`;
  const known = flow.cca === '$cca' ? spec.ccas.map(({ id }) => ccas.get(id)) : [ccas.get(flow.cca.id)];
  const modelled = known.some((cca) => cca !== undefined && hasOurWindow(cca));
  const window = !modelled
    ? []
    : [
        flow.window_limit_bytes === 'none'
          ? 'no receive window'
          : `a receive window of ${flow.window_limit_bytes} bytes`,
      ];
  const when = [
    ...(flow.start_s > 0 ? [`from ${formatChosen(flow.start_s)} s`] : []),
    ...(flow.stop_s === undefined ? [] : [`until ${formatChosen(flow.stop_s)} s`]),
  ];
  const also = [
    `an application that ${SOURCES[flow.source.kind]}`,
    `transport ${spec.transports === undefined || flow.cca !== '$cca' ? flow.transport : listed(spec.transports)}`,
    acks,
    ...window,
    ...(flow.extra_rtt_ms > 0 ? [`${formatChosen(flow.extra_rtt_ms)} ms of RTT more`] : []),
    ...(flow.handshake === undefined || flow.handshake === 'none' ? [] : [`a handshake (${flow.handshake})`]),
    ...(flow.ecn ? ['ECN'] : []),
    ...when,
  ];
  return `Flow ${i + 1} runs ${who} with ${also.join(', ')}.`;
}

function statisticsText({ spec, cells, runs_total }: MethodsInput): string {
  const varied = spec.vary.map((what) => VARIED[what]);
  const traces = new Set(cells.map(({ trace_name }) => trace_name)).size;
  const repeated =
    spec.repetitions === 1
      ? 'Each cell is run once.'
      : `Each cell is run ${spec.repetitions} times, and repetitions differ in ${varied.length === 0 ? 'their seed alone' : listed(varied)}.`;
  const intervals =
    spec.repetitions < FEWEST_FOR_INTERVAL
      ? `Fewer than ${FEWEST_FOR_INTERVAL} repetitions have no interval.`
      : `Values are means over repetitions with 95 % intervals (Student’s t, on the logarithm or logit of bounded quantities); scores are bootstrapped over repetitions (${BOOTSTRAP_REPLICATES} replicates)${traces >= FEWEST_FOR_INTERVAL ? ', and beside that over traces' : ''}, and ranks tell two algorithms apart where Holm’s correction of all comparisons leaves p < 0.05.`;
  return `${repeated} No warm-up is cut off: figures are of every packet from the first flow’s start to the end. ${intervals} In all ${runs_total} runs.`;
}

/** null: it cannot be said which element is where without naming all. */
const elementsText = ({ elements }: ExperimentSpec): string[] =>
  elements === undefined
    ? []
    : (['forward', 'reverse'] as const).flatMap((direction) => {
        const path = elements[direction];
        return path === undefined
          ? []
          : [
              `The ${direction} path has ${listed(
                path.map(({ element, params = {} }) => {
                  const said = Object.entries(params).map(([name, value]) => `${name} ${value}`);
                  return said.length === 0 ? element : `${element} (${said.join(', ')})`;
                }),
              )}.`,
            ];
      });

/** Whose text it was, for whoever wants to run the same. */
function ownTexts({ spec, ccas }: MethodsInput): string[] {
  return ownOfSpec(spec).flatMap((id) => {
    const { label, own } = ccas.get(id) ?? {};
    return own === undefined ? [] : [`${label} is an algorithm of our own, whose text has the SHA-256 ${own.program}.`];
  });
}

/** One paragraph of plain text. */
export function methodsText(input: MethodsInput): string {
  const { spec, cells, ccas, traces, engine_version } = input;
  const listing = { ccas: [...ccas.values()] };
  const measured = isMeasured(spec, listing);
  const labels = cells.map((cell) => ccaLabel(cell, ccas.get(cell.cca.id) ?? null));
  const disciplines = cells.map(({ cca, queue }) => queueLabel(cca.queue ?? queue));
  const loss = spec.loss.filter((share) => share > 0);
  const back =
    spec.reverse === undefined
      ? 'The way back has no limit.'
      : `The way back is ${'trace' in spec.reverse ? (traces.get(spec.reverse.trace)?.name ?? spec.reverse.trace) : `${spec.reverse.rate_mbps} Mbps`}.`;
  return [
    `We ran ${named(labels)} with Paceline (engine ${engine_version ?? 'unknown'}) in ${measured ? 'real' : 'virtual'} time, ${formatChosen(spec.duration_s)} s a run, over ${named(cells.map(({ trace_name }) => trace_name))}, with base RTTs of ${named(spec.base_rtt_ms.map(String))} ms${loss.length === 0 ? '' : ` and random loss of ${listed(spec.loss.map((share) => `${Number((share * 100).toPrecision(6))} %`))}`}.`,
    `The queue is ${listed([...new Set(disciplines)])}.`,
    limitsText(input),
    back,
    ...elementsText(spec),
    ...(spec.sweep === undefined
      ? []
      : [`We varied ${sweepName(spec.sweep.path)} over ${named(spec.sweep.values.map(String))}.`]),
    ...spec.flows.map((flow, i) => flowText(flow, i, input)),
    ...ownTexts(input),
    ...(spec.full_scores
      ? ['For fairness and harm every algorithm also shares the link with itself and with the baseline, one flow each.']
      : []),
    statisticsText(input),
    `Parameters that are not named have their defaults; the seed is ${spec.seed}${measured ? '' : ', and the same spec in the same engine gives the same bytes'}.`,
  ].join(' ');
}
