// One run, everything resolved: its flows, its link and what is random about it (see planner.ts for what and why).
import type { Cell, RunRole } from '#protocol/api';
import type { CcaDescriptor, EngineListing } from '#protocol/cca';
import { completeParams } from '#analysis/check-spec';
import type { FindTrace, FindWeights, TraceFacts } from '#analysis/check-spec';
import { canonicalJson } from '#analysis/identity';
import { baselineOf, engineOf, isCompetitor, overTun } from '#analysis/kinds';
import { derive, toSeed, toUnit } from '#analysis/seeds';
import type { CapacitySpec, FlowManifest, RunManifest } from '#protocol/manifest';
import { QueueSpec } from '#protocol/spec';
import type { CcaRef, ExperimentSpec, FlowSpec, TraceRef } from '#protocol/spec';

export interface PlannerContext {
  readonly engine: EngineListing;
  readonly findTrace: FindTrace;
  /** Absent: there are none. */
  readonly findWeights?: FindWeights;
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
}

export function capacityOf(ref: TraceRef, find: FindTrace): Capacity {
  if ('rate_mbps' in ref) return { ref, name: `${ref.rate_mbps} Mbps`, mean_mbps: ref.rate_mbps, trace: null };
  const trace = find(ref.trace);
  if (trace === undefined) throw new Error(`trace ${ref.trace} was not checked`);
  return { ref, name: trace.name, mean_mbps: trace.mean_mbps, trace };
}

/** One cell of the matrix with what its runs are made from. */
export interface CellPlan {
  readonly cell: Cell;
  readonly cca: CcaDescriptor;
  readonly capacity: Capacity;
  readonly limit_packets: number | null;
  readonly repetitions: number;
  readonly roles: readonly RunRole[];
}

/** The flows of a run before anything random is added. */
function flowsOf(spec: ExperimentSpec, plan: CellPlan, role: RunRole, listing: EngineListing): FlowManifest[] {
  const chosen = ({ id, params }: CcaRef): FlowManifest['cca'] => {
    const { params: known, revision } = descriptorOf(listing, id);
    return { id, params: completeParams(params, known), ...(revision === undefined ? {} : { revision }) };
  };
  const flow = (from: FlowSpec, ref: CcaRef): FlowManifest => ({
    cca: chosen(ref),
    start_s: from.start_s,
    stop_s: from.stop_s ?? null,
    extra_rtt_ms: from.extra_rtt_ms,
    transport: from.transport,
    ack_every: from.ack_every,
    source: from.source,
    ...(from.ecn ? { ecn: true } : {}),
  });
  const own = plan.cell.cca;
  const first = spec.flows.find((candidate) => candidate.cca === '$cca');
  if (first === undefined) throw new Error('the flows were not checked');
  if (!isCompetitor(plan.cca)) {
    // For as long as any flow of the spec runs.
    const stops = spec.flows.map((from) => from.stop_s ?? Infinity);
    const stop_s = Math.max(...stops);
    const start_s = Math.min(...spec.flows.map((from) => from.start_s));
    return [flow({ ...first, start_s, stop_s: stop_s === Infinity ? undefined : stop_s }, own)];
  }
  if (role === 'solo') return spec.flows.map((from) => flow(from, from.cca === '$cca' ? own : from.cca));
  // Pairs: both flows alike in all but the CCA, for the whole run.
  const whole: FlowSpec = { ...first, start_s: 0, stop_s: undefined };
  const baseline = baselineOf(listing, plan.cca);
  if (baseline === undefined) throw new Error('the baseline was not checked');
  return [flow(whole, own), flow(whole, role === 'self_pair' ? own : { id: baseline.id, params: {} })];
}

const GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;

/** What is drawn for runs. Many runs share a draw, and a draw takes longer than the rest of a manifest: they are kept. */
export class Draws {
  readonly #seed: number;
  readonly #known = new Map<string, bigint>();

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** Where in the trace a repetition begins, as a share of the period. */
  phase(trace: TraceRef, repetition: number): number {
    return (toUnit(this.#draw('trace_phase', canonicalJson(trace))) + repetition * GOLDEN_RATIO) % 1;
  }

  /** How far a flow's start is shifted, from 0 to 1. */
  start(condition: string, repetition: number, flow: number): number {
    return toUnit(this.#draw('start_jitter', condition, repetition, flow));
  }

  run(condition: string, repetition: number): number {
    return toSeed(this.#draw('run', condition, repetition));
  }

  #draw(...parts: readonly (string | number)[]): bigint {
    const key = parts.join(' ');
    const draw = this.#known.get(key) ?? derive(this.#seed, ...parts);
    this.#known.set(key, draw);
    return draw;
  }
}

const ACK_QUEUE = QueueSpec.parse({});

export function manifestOf(
  spec: ExperimentSpec,
  plan: CellPlan,
  role: RunRole,
  repetition: number,
  draws: Draws,
  context: PlannerContext,
): RunManifest {
  const { cell, cca, capacity } = plan;
  const engine = engineOf(cca, spec.engine) ?? spec.engine;
  const path = overTun(cca) ? 'tun' : engine === 'virtual' ? 'memory' : spec.path;
  const condition = canonicalJson({ trace: cell.trace, base_rtt_ms: cell.base_rtt_ms, loss: cell.loss });

  const phase = spec.vary.includes('trace_phase') ? draws.phase(cell.trace, repetition) : 0;
  const offsetMs = capacity.trace === null ? 0 : Math.floor(phase * capacity.trace.period_ms);
  const link = (of: Capacity): CapacitySpec =>
    of.trace === null
      ? { kind: 'constant', rate_mbps: of.mean_mbps }
      : { kind: 'trace', sha256: of.trace.id, name: of.name, offset_ms: offsetMs % of.trace.period_ms };

  const start = (flow: FlowManifest, index: number): number => {
    if (!spec.vary.includes('start_jitter') || cca.kind === 'ideal') return flow.start_s;
    const span = Math.min(flow.stop_s ?? spec.duration_s, spec.duration_s) - flow.start_s;
    const width = Math.min(Math.max(cell.base_rtt_ms, 1) / 1e3, span / 10);
    return Math.round((flow.start_s + draws.start(condition, repetition, index) * width) * 1e6) / 1e6;
  };

  const paramsOf = (queue: QueueSpec) =>
    completeParams(queue.params, context.engine.queues.find((known) => known.id === queue.id)?.params ?? []);
  return {
    schema: 1,
    engine,
    path,
    engine_version: context.engine.engine_version,
    duration_s: spec.duration_s,
    sample_period_ms: spec.sample_period_ms,
    seed: draws.run(condition, spec.vary.includes('cca_random') ? repetition : 0),
    repetition,
    ...(path === 'tun' && spec.trace_start === 'first_packet' ? { trace_start: spec.trace_start } : {}),
    ...(cca.kind === 'quic' && spec.qlog ? { qlog: true } : {}),
    forward: {
      loss: cell.loss,
      queue: {
        id: cell.queue.id,
        limit_bytes: cell.limit_bytes,
        limit_packets: plan.limit_packets,
        params: paramsOf(cell.queue),
      },
      capacity: link(capacity),
      delay_ms: cell.base_rtt_ms / 2,
    },
    // Acknowledgements wait for a limited reverse link, but are not dropped by it: the queue under study is the forward one.
    reverse: {
      loss: 0,
      queue: { id: ACK_QUEUE.id, limit_bytes: null, limit_packets: null, params: paramsOf(ACK_QUEUE) },
      capacity: spec.reverse === undefined ? { kind: 'unlimited' } : link(capacityOf(spec.reverse, context.findTrace)),
      delay_ms: cell.base_rtt_ms / 2,
    },
    flows: flowsOf(spec, plan, role, context.engine).map((flow, i) => ({ ...flow, start_s: start(flow, i) })),
    ...(engine === 'realtime' && context.measurement !== undefined ? { measurement: context.measurement } : {}),
  };
}
