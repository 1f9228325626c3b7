// One run, everything resolved: its flows, its link and what is random about it (see planner.ts for what and why).
import type { Cell, RunRole } from '#protocol/api';
import type { CcaDescriptor, EngineListing } from '#protocol/cca';
import { completeParams } from '#analysis/params';
import type { FindWeights } from '#analysis/check-params';
import type { FindTrace, TraceFacts } from '#analysis/check-spec';
import { canonicalJson } from '#analysis/identity';
import { baselineOf, engineOf, hasOurWindow, isCompetitor, overTun } from '#analysis/kinds';
import { manifestElements } from '#analysis/path-elements';
import { disciplineOf, transportOf } from '#analysis/results';
import { derive, extend, toSeed, toUnit } from '#analysis/seeds';
import type { CapacitySpec, FlowManifest, RunManifest } from '#protocol/manifest';
import { LIMITS } from '#protocol/limits';
import type { SourceManifest, SourceSpec } from '#protocol/source';
import { ackPolicy, QueueSpec, withAbleAck } from '#protocol/spec';
import type { CcaRef, ExperimentSpec, FlowSpec, ListedTrace, TraceRef } from '#protocol/spec';

export interface PlannerContext {
  readonly engine: EngineListing;
  readonly findTrace: FindTrace;
  /** Absent: there are none. */
  readonly findWeights?: FindWeights;
  /** Mean capacity of the part of a trace that runs, by content hash: of each that limits are of (`limitsOfPart`). */
  readonly partMeans?: ReadonlyMap<string, number>;
  /** Sets this real-time measurement apart from others of the same spec; not used in virtual time. */
  readonly measurement?: string | undefined;
}

export const descriptorOf = (listing: EngineListing, id: string): CcaDescriptor => {
  const cca = listing.ccas.find((candidate) => candidate.id === id);
  if (cca === undefined) throw new Error(`CCA ${id} was not checked`);
  return cca;
};

/** A trace or a constant rate, as the planner sees both. */
export interface Capacity {
  readonly ref: TraceRef;
  readonly name: string;
  readonly mean_mbps: number;
  /** null: a constant rate. */
  readonly trace: TraceFacts | null;
  /** The set that it was taken from. */
  readonly set?: string;
}

/** A trace of a set is the trace: what is made of it does not know of the set. */
export function capacityOf(listed: ListedTrace, find: FindTrace): Capacity {
  if ('rate_mbps' in listed)
    return { ref: listed, name: `${listed.rate_mbps} Mbps`, mean_mbps: listed.rate_mbps, trace: null };
  const { set, ...ref } = listed;
  const trace = find(ref.trace);
  if (trace === undefined) throw new Error(`trace ${ref.trace} was not checked`);
  return { ref, name: trace.name, mean_mbps: trace.mean_mbps, trace, ...(set === undefined ? {} : { set }) };
}

/** One cell of the matrix with what its runs are made from. */
export interface CellPlan {
  /** The experiment's, with the cell's value of its sweep. */
  readonly spec: ExperimentSpec;
  readonly cell: Cell;
  readonly cca: CcaDescriptor;
  readonly capacity: Capacity;
  readonly limit_packets: number | null;
  /** Mean capacity, of which limits and rates of sources are. */
  readonly mean_mbps: number;
  readonly repetitions: number;
  readonly roles: readonly RunRole[];
}

/** Its connection does not open by itself. */
export const opens = ({ handshake = 'none' }: Pick<FlowSpec, 'handshake'>): boolean => handshake !== 'none';

/** With its rate as a number, and what goes without saying unsaid. */
function sourceOf(asked: SourceSpec, meanMbps: number): SourceManifest {
  if (asked.kind !== 'rate' && asked.kind !== 'on_off') return asked;
  const { rate_of_mean: share, ...source } = asked;
  const { min, max } = LIMITS.rate_mbps;
  const rate_mbps = share === undefined ? source.rate_mbps : Math.min(Math.max(share * meanMbps, min), max);
  if (source.kind === 'on_off') return rate_mbps === undefined ? source : { ...source, rate_mbps };
  if (rate_mbps === undefined) throw new Error('the source was not checked');
  return { kind: source.kind, rate_mbps, ...(source.catch_up === false ? { catch_up: false } : {}) };
}

/** The flows of a run before anything random is added. */
function flowsOf(plan: CellPlan, role: RunRole, listing: EngineListing): FlowManifest[] {
  const { spec } = plan;
  const chosen = ({ id, params }: CcaRef): FlowManifest['cca'] => {
    const { params: known, revision, own } = descriptorOf(listing, id);
    return {
      id,
      params: completeParams(params, known),
      ...(revision === undefined ? {} : { revision }),
      ...(own === undefined ? {} : { program: own.program }),
    };
  };
  const competes = isCompetitor(plan.cca);
  const modelsTransport = competes && !overTun(plan.cca);
  const flow = (from: FlowSpec, ref: CcaRef): FlowManifest => ({
    cca: chosen(ref),
    start_s: from.start_s,
    stop_s: from.stop_s ?? null,
    extra_rtt_ms: from.extra_rtt_ms,
    // An ideal is computed from the trace alone.
    ...(from.joins === undefined || plan.cca.kind === 'ideal' ? {} : { joins: from.joins }),
    transport: from.transport,
    ack_every: from.ack_every,
    ...(modelsTransport && ackPolicy(from) === 'linux' ? { ack: 'linux' as const } : {}),
    ...(from.window_limit_bytes !== 'none' && hasOurWindow(descriptorOf(listing, ref.id))
      ? { window_limit_bytes: from.window_limit_bytes }
      : {}),
    source: sourceOf(from.source, plan.mean_mbps),
    ...(from.ecn ? { ecn: true } : {}),
    ...(modelsTransport && opens(from) ? { handshake: from.handshake } : {}),
  });
  // An ideal is computed from the trace alone, and a real stack is its own transport.
  const choosesTransport = plan.cca.kind !== 'ideal' && !overTun(plan.cca);
  const over = (from: FlowSpec, transport: Cell['transport']): FlowSpec =>
    transport === undefined || !choosesTransport ? from : withAbleAck({ ...from, transport });
  const own = plan.cell.cca;
  const within = (from: FlowSpec): FlowSpec =>
    own.window_limit_bytes === undefined ? from : { ...from, window_limit_bytes: own.window_limit_bytes };
  const ownFlow = (from: FlowSpec): FlowManifest => flow(over(within(from), transportOf(plan.cell)), own);
  const first = spec.flows.find((candidate) => candidate.cca === '$cca');
  if (first === undefined) throw new Error('the flows were not checked');
  if (!competes) {
    // For as long as any flow of the spec runs.
    const stops = spec.flows.map((from) => from.stop_s ?? Infinity);
    const stop_s = Math.max(...stops);
    const start_s = Math.min(...spec.flows.map((from) => from.start_s));
    return [ownFlow({ ...first, start_s, stop_s: stop_s === Infinity ? undefined : stop_s })];
  }
  if (role === 'solo') return spec.flows.map((from) => (from.cca === '$cca' ? ownFlow(from) : flow(from, from.cca)));
  // Pairs: both flows alike in all but the CCA and what it brings along, for the whole run.
  const whole: FlowSpec = { ...first, start_s: 0, stop_s: undefined };
  const baseline = baselineOf(listing, plan.cca);
  if (baseline === undefined) throw new Error('the baseline was not checked');
  const other = { id: baseline.id, params: {} };
  return [ownFlow(whole), role === 'self_pair' ? ownFlow(whole) : flow(over(whole, plan.cell.transport), other)];
}

const GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;

/**
 * What is drawn for runs. Repetitions share all of a draw's name but its end, and hashing the names would take longer than the rest of
 * a manifest: their states are kept.
 */
export class Draws {
  readonly #seed: number;
  readonly #named = new Map<string, bigint>();

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** Where in the trace a repetition begins, as a share of the period. `first`: where the first one does; absent: it is drawn. */
  phase(trace: TraceRef, repetition: number, first?: number): number {
    const from = first ?? toUnit(this.#state('trace_phase', canonicalJson(trace)));
    return (from + repetition * GOLDEN_RATIO) % 1;
  }

  /** How far a flow's start is shifted, from 0 to 1. */
  start(condition: string, repetition: number, flow: number): number {
    return toUnit(extend(this.#state('start_jitter', condition), repetition, flow));
  }

  run(condition: string, repetition: number): number {
    return toSeed(extend(this.#state('run', condition), repetition));
  }

  #state(what: string, of: string): bigint {
    const key = `${what} ${of}`;
    const state = this.#named.get(key) ?? derive(this.#seed, what, of);
    this.#named.set(key, state);
    return state;
  }
}

const ACK_QUEUE = QueueSpec.parse({});

/** A run's manifest with its canonical JSON: what its id is made of. */
export interface NamedManifest {
  readonly manifest: RunManifest;
  readonly canonical: string;
}

/**
 * Makes the manifests of a cell's repetitions in one role. What they share is made, and written as JSON, once: experiments have
 * thousands of repetitions.
 */
export function manifestsOf(
  plan: CellPlan,
  role: RunRole,
  draws: Draws,
  context: PlannerContext,
): (repetition: number) => NamedManifest {
  const { spec, cell, cca, capacity } = plan;
  const engine = engineOf(cca, spec.engine) ?? spec.engine;
  const travels = overTun(cca) ? 'tun' : engine === 'virtual' ? 'memory' : spec.path;
  const condition = canonicalJson({ trace: cell.trace, base_rtt_ms: cell.base_rtt_ms, loss: cell.loss });
  const written = new WeakMap<object, string>();
  const shared = <T extends object>(part: T): T => {
    written.set(part, canonicalJson(part));
    return part;
  };

  const link = (of: Capacity, offsetMs: number): CapacitySpec =>
    of.trace === null
      ? { kind: 'constant', rate_mbps: of.mean_mbps }
      : { kind: 'trace', sha256: of.trace.id, name: of.name, offset_ms: offsetMs % of.trace.period_ms };
  const start = (flow: FlowManifest, index: number, repetition: number): number => {
    if (!spec.vary.includes('start_jitter') || cca.kind === 'ideal') return flow.start_s;
    const span = Math.min(flow.stop_s ?? spec.duration_s, spec.duration_s) - flow.start_s;
    const width = Math.min(Math.max(cell.base_rtt_ms, 1) / 1e3, span / 10);
    return Math.round((flow.start_s + draws.start(condition, repetition, index) * width) * 1e6) / 1e6;
  };
  const paramsOf = (queue: QueueSpec) =>
    completeParams(queue.params, context.engine.queues.find((known) => known.id === queue.id)?.params ?? []);

  const discipline = disciplineOf(cell);
  const queue = shared({
    id: discipline.id,
    limit_bytes: cell.limit_bytes,
    limit_packets: plan.limit_packets,
    params: paramsOf(discipline),
  });
  // Acknowledgements wait for a limited reverse link, but are not dropped by it: the queue under study is the forward one.
  const ackQueue = shared({ id: ACK_QUEUE.id, limit_bytes: null, limit_packets: null, params: paramsOf(ACK_QUEUE) });
  const back = spec.reverse === undefined ? null : capacityOf(spec.reverse, context.findTrace);
  const delay_ms = cell.base_rtt_ms / 2;
  // An ideal is computed from the trace alone.
  const elements = cca.kind === 'ideal' ? undefined : spec.elements;
  const path = (direction: 'forward' | 'reverse', offsetMs: number) => {
    const given = elements?.[direction];
    if (given === undefined) return {};
    const further = (ref: TraceRef) => {
      const of = capacityOf(ref, context.findTrace);
      return { spec: link(of, offsetMs), mean_mbps: of.mean_mbps };
    };
    const resolved = { listing: context.engine, baseRttMs: cell.base_rtt_ms, capacity: further, offsetMs };
    return { path: manifestElements(given, resolved) };
  };
  const links = (offsetMs: number): Pick<RunManifest, 'forward' | 'reverse'> => ({
    forward: shared({
      loss: cell.loss,
      queue,
      capacity: link(capacity, offsetMs),
      delay_ms,
      ...path('forward', offsetMs),
    }),
    reverse: shared({
      loss: 0,
      queue: ackQueue,
      capacity: back === null ? { kind: 'unlimited' } : link(back, offsetMs),
      delay_ms,
      ...path('reverse', offsetMs),
    }),
  });
  const moves = spec.vary.includes('trace_phase') && capacity.trace !== null;
  const fromMs = Math.round((spec.trace_from_s ?? 0) * 1e3);
  const still = links(fromMs);
  const period = capacity.trace?.period_ms ?? 0;
  const first = fromMs === 0 ? undefined : fromMs / period;
  const flows = flowsOf(plan, role, context.engine).map((flow) => {
    shared(flow.cca);
    shared(flow.source);
    return flow;
  });

  return (repetition) => {
    const manifest: RunManifest = {
      schema: 1,
      engine,
      path: travels,
      engine_version: context.engine.engine_version,
      duration_s: spec.duration_s,
      sample_period_ms: spec.sample_period_ms,
      seed: draws.run(condition, spec.vary.includes('cca_random') ? repetition : 0),
      repetition,
      ...(travels === 'tun' && spec.trace_start === 'first_packet' ? { trace_start: spec.trace_start } : {}),
      ...(cca.kind === 'quic' && spec.qlog ? { qlog: true } : {}),
      ...(moves ? links(Math.floor(draws.phase(cell.trace, repetition, first) * period)) : still),
      flows: flows.map((flow, i) => ({ ...flow, start_s: start(flow, i, repetition) })),
      ...(engine === 'realtime' && context.measurement !== undefined ? { measurement: context.measurement } : {}),
    };
    return { manifest, canonical: canonicalJson(manifest, written) };
  };
}
