// From what a person means to what is run: the matrix of cells, and for each cell its manifests with everything resolved.
//
// Randomness. All of it derives from `spec.seed`, never from the position of an entry in the spec, so the same cell in two
// experiments is the same run. Per repetition, as far as `spec.vary` says:
//   start_jitter  each flow starts later by its own U(0, base RTT) draw (at least U(0, 1 ms), at most a tenth of the flow's
//                 time). It applies to the first repetition too: flows that start at exactly the same instant of a
//                 deterministic link show phase effects (Floyd and Jacobson 1992), not behaviour.
//   trace_phase   the run begins elsewhere in the trace. The first point is drawn per trace, or is the spec's own, each repetition
//                 moves on by the golden ratio of the period: evenly spread for any number of repetitions, and more can be added
//                 later.
//   cca_random    the run's seed: randomness inside CCAs and queue disciplines, and random loss.
// Draws depend on the conditions (trace, base RTT, loss) and the repetition, not on the CCA or the queue: what is compared
// within one condition meets the same phase, starts and losses (common random numbers, Law 2015, section 11.2).
//
// References. An `ideal` is computed from the trace alone, so it has one cell per trace and base RTT (no queue limit, no
// loss). `oracle` and `ideal` run alone, as the first `$cca` flow but for as long as any flow does: knowing the whole
// capacity they cannot share a link, and for the same reason they get no pairs. In a real-time experiment they are computed in
// virtual time if they must be.
//
// A CCA with a transport, a discipline or a receive window of its own has that in every cell, and a real stack is its own transport whatever the axis
// says: as competitors they have a cell in every condition all the same, so that they are compared in it. Its runs are equal, thus one.
//
// Sweep. A value of the spec's sweep makes of it another spec, from which the cells that it changes are made. Cells that it does not
// change are there once, made from the spec without it: other algorithms than the one whose parameter is swept. Draws do not depend
// on the value: what is compared along the sweep meets the same phase, starts and losses.
//
// Those of real stacks (the kernel's TCP, QUIC) run in real time over tun whatever the experiment's engine is: so one experiment lays
// them beside ours.
import type { Cell, RunRole } from '#protocol/api';
import type { CcaDescriptor, EngineListing } from '#protocol/cca';
import { changedParams } from '#analysis/params';
import { checkSpec } from '#analysis/check-spec';
import type { SpecProblem } from '#analysis/check-params';
import type { FindTrace } from '#analysis/check-spec';
import { canonicalJson } from '#analysis/identity';
import { engineOf, isCompetitor } from '#analysis/kinds';
import { MAX_RUNS, limitsOfPart, resolveLimit } from '#analysis/limits';
import { finish } from '#analysis/steps';
import { Draws, capacityOf, descriptorOf, manifestsOf, opens } from '#analysis/manifests';
import type { Capacity, CellPlan, NamedManifest, PlannerContext } from '#analysis/manifests';
import { resolveElements } from '#analysis/path-elements';
import { disciplineOf } from '#analysis/results';
import { isSwept, sweepsAcks, withoutSwept, withValue } from '#analysis/sweep';
import type { RunManifest } from '#protocol/manifest';
import { ackPolicy } from '#protocol/spec';
import type { BufferSpec, CcaRef, ChosenCca, ExperimentSpec, ListedTrace, QueueSpec, TraceRef } from '#protocol/spec';
import type { SourceSpec } from '#protocol/source';
import type { Swept } from '#protocol/sweep';

/** Equal manifests are one run, whatever their roles: the baseline's pair with the baseline is its self-pair. */
export interface PlannedRun extends NamedManifest {
  readonly cell: string;
  readonly role: RunRole;
  readonly repetition: number;
}

export interface Alike {
  readonly manifest: RunManifest;
  readonly runs: number;
}

export interface Expansion {
  readonly ok: true;
  /** The spec with traces by content hash and duplicates removed: what the experiment's id is made of. */
  readonly spec: ExperimentSpec;
  readonly cells: readonly Cell[];
  /** One run of each cell and role, and how many of it there are, however many are the same as others. */
  readonly alike: () => Iterable<Alike>;
  /** The mean capacity that limits in BDP and ms are of. */
  readonly limitMbps: (trace: TraceRef) => number;
  /** Made as they are asked for, each time anew: there may be very many. */
  readonly runs: Iterable<PlannedRun>;
}

export interface Refusal {
  readonly ok: false;
  readonly problems: readonly SpecProblem[];
}

const unique = <T>(values: readonly T[]): T[] => [
  ...new Map(values.map((value) => [canonicalJson(value), value])).values(),
];

/** Each trace once, whatever sets it is in: the first names it. */
function resolveListed(listed: readonly ListedTrace[], find: FindTrace): ListedTrace[] {
  const found = new Map<string, ListedTrace>();
  for (const entry of listed) {
    const { set, ...ref } = 'trace' in entry ? entry : { ...entry, set: undefined };
    const resolved = resolveTrace(ref, find);
    const key = canonicalJson(resolved);
    if (!found.has(key)) found.set(key, set === undefined || !('trace' in resolved) ? resolved : { ...resolved, set });
  }
  return [...found.values()];
}

const resolveTrace = (ref: TraceRef, find: FindTrace): TraceRef =>
  'trace' in ref ? { trace: find(ref.trace)?.id ?? ref.trace } : ref;

/** Catching up goes without saying. */
function plainSource(source: SourceSpec): SourceSpec {
  if (source.kind !== 'rate') return source;
  const { catch_up, ...rest } = source;
  return catch_up === false ? source : rest;
}

/** Same meaning, one form: traces by content, only changed parameters, each entry of an axis once. Needs a checked spec. */
export function resolveSpec(asked: ExperimentSpec, listing: EngineListing, find: FindTrace): ExperimentSpec {
  const { bdp_of, elements, sweep, trace_from_s = 0, ...spec } = asked;
  const axes = withoutSwept(asked, listing);
  const cca = (ref: CcaRef): CcaRef => ({
    id: ref.id,
    params: changedParams(ref.params, descriptorOf(listing, ref.id).params),
  });
  const queue = ({ id, params }: QueueSpec): QueueSpec => ({
    id,
    params: changedParams(params, listing.queues.find((known) => known.id === id)?.params ?? []),
  });
  const chosen = ({ transport, queue: own, window_limit_bytes, ...ref }: ChosenCca): ChosenCca => ({
    ...cca(ref),
    ...(window_limit_bytes === undefined ? {} : { window_limit_bytes }),
    ...(transport === undefined ? {} : { transport }),
    ...(own === undefined ? {} : { queue: queue(own) }),
  });
  const varies = spec.transports !== undefined || spec.ccas.some(({ transport }) => transport !== undefined);
  return {
    ...spec,
    vary: unique(spec.vary).sort(),
    traces: resolveListed(spec.traces, find),
    ...(spec.reverse === undefined ? {} : { reverse: resolveTrace(spec.reverse, find) }),
    ccas: unique(axes.ccas.map(chosen)),
    buffers: unique(spec.buffers),
    ...(bdp_of === 'part' ? { bdp_of } : {}),
    ...(trace_from_s === 0 ? {} : { trace_from_s }),
    queues: unique(axes.queues.map(queue)),
    ...(spec.transports === undefined ? {} : { transports: unique(spec.transports) }),
    ...resolveElements({ elements }, listing, (ref) => resolveTrace(ref, find)),
    base_rtt_ms: unique(spec.base_rtt_ms),
    loss: unique(spec.loss),
    flows: spec.flows.map(({ handshake, joins, ack, ...flow }, i) => ({
      ...flow,
      source: plainSource(flow.source),
      // At the beginning is where flows enter anyway.
      ...(joins === undefined || joins === 0 ? {} : { joins }),
      cca: flow.cca === '$cca' ? flow.cca : cca(flow.cca),
      // Where it follows from the value of an axis it is said for each value alone.
      ...(ack !== 'plain' && (sweepsAcks(asked, i) || (varies && flow.cca === '$cca'))
        ? {}
        : { ack: ackPolicy({ ...flow, ack }) }),
      ...(opens({ handshake }) ? { handshake } : {}),
    })),
    ...(sweep === undefined ? {} : { sweep: { path: sweep.path, values: unique(sweep.values) } }),
  };
}

/** Whether one repetition can differ from the next. */
const varies = (spec: ExperimentSpec, cca: CcaDescriptor, ideal: boolean, capacity: Capacity): boolean =>
  engineOf(cca, spec.engine) === 'realtime' ||
  spec.vary.some((what) => (what === 'trace_phase' ? capacity.trace !== null : !ideal));

function limitMbps(spec: ExperimentSpec, { mean_mbps, trace }: Capacity, { partMeans }: PlannerContext): number {
  if (trace === null || !limitsOfPart(spec, trace.period_ms)) return mean_mbps;
  const mean = partMeans?.get(trace.id);
  if (mean === undefined) throw new Error(`the part of ${trace.name} that runs was not measured`);
  return mean;
}

interface Variant {
  readonly spec: ExperimentSpec;
  readonly swept?: Swept;
}

/** The spec with each value of its sweep in turn, its axes as long as they were: cells are named by their places. */
function variantsOf({ sweep, ...spec }: ExperimentSpec, { engine, findTrace }: PlannerContext): Variant[] {
  if (sweep === undefined) return [{ spec }];
  return sweep.values.map((value) => {
    const swept = { path: sweep.path, value };
    const written = withValue(spec, swept, engine);
    const { ccas, queues } = written;
    return { spec: { ...resolveSpec(written, engine, findTrace), ccas, queues }, swept };
  });
}

/** A combination of the axes' values, each with its place in its axis. */
interface Combination {
  readonly sweep: readonly [number, Variant];
  readonly trace: readonly [number, Capacity];
  readonly cca: readonly [number, ChosenCca];
  readonly queue: readonly [number, QueueSpec];
  readonly buffer: readonly [number, BufferSpec];
  readonly base_rtt_ms: readonly [number, number];
  readonly loss: readonly [number, number];
  readonly transport: readonly [number, Cell['transport']];
}

function* combinationsOf(spec: ExperimentSpec, context: PlannerContext): Generator<Combination, void, undefined> {
  const capacities = spec.traces.map((ref) => capacityOf(ref, context.findTrace));
  const transports = [...(spec.transports ?? [undefined]).entries()];
  for (const sweep of variantsOf(spec, context).entries())
    for (const trace of capacities.entries())
      for (const cca of sweep[1].spec.ccas.entries())
        for (const queue of sweep[1].spec.queues.entries())
          for (const buffer of spec.buffers.entries())
            for (const base_rtt_ms of spec.base_rtt_ms.entries())
              for (const loss of spec.loss.entries())
                for (const transport of transports)
                  yield { sweep, trace, cca, queue, buffer, base_rtt_ms, loss, transport };
}

const INFINITE: BufferSpec = { infinite: true };

function planOf(at: Combination, unswept: ExperimentSpec, context: PlannerContext): CellPlan {
  const { engine } = context;
  const [[s, variant], [t, capacity], [c, ref], [q, queue]] = [at.sweep, at.trace, at.cca, at.queue];
  const [[b, wanted], [d, baseRtt], [l, loss], [p, transport]] = [at.buffer, at.base_rtt_ms, at.loss, at.transport];
  const cca = descriptorOf(engine, ref.id);
  const changed = variant.swept !== undefined && isSwept(variant.swept.path, cca, queue, engine);
  const spec = changed ? variant.spec : unswept;
  const ideal = cca.kind === 'ideal';
  const isLimited = (id: string): boolean => engine.queues.find((known) => known.id === id)?.limited ?? true;
  const limited = !ideal && isLimited(queue.id);
  const buffer = limited ? wanted : INFINITE;
  // A discipline of its own may have no limit where the others have one.
  const met = isLimited(disciplineOf({ cca: ref, queue }).id) ? buffer : INFINITE;
  const mean_mbps = limitMbps(spec, capacity, context);
  const limit = resolveLimit(met, mean_mbps, baseRtt);
  // An axis without effect is missing from the key, which is what removes the duplicates.
  const coordinates = [`t${t}`, `c${c}`, `d${d}`];
  if (!ideal) coordinates.push(`q${q}`, `l${l}`);
  if (limited) coordinates.push(`b${b}`);
  if (transport !== undefined && !ideal) coordinates.push(`p${p}`);
  if (changed) coordinates.push(`s${s}`);
  return {
    spec,
    cell: {
      key: coordinates.join('.'),
      trace: capacity.ref,
      trace_name: capacity.name,
      ...(capacity.set === undefined ? {} : { trace_set: capacity.set }),
      cca: ref,
      buffer,
      queue,
      ...(transport === undefined || ideal ? {} : { transport }),
      base_rtt_ms: baseRtt,
      loss: ideal ? 0 : loss,
      ...(changed ? { sweep: variant.swept } : {}),
      limit_bytes: limit.bytes,
    },
    cca,
    capacity,
    limit_packets: limit.packets,
    mean_mbps,
    repetitions: varies(spec, cca, ideal, capacity) ? spec.repetitions : 1,
    roles: spec.full_scores && isCompetitor(cca) ? ['solo', 'self_pair', 'baseline_pair'] : ['solo'],
  };
}

function* planCells(spec: ExperimentSpec, context: PlannerContext): Generator<void, CellPlan[], undefined> {
  const plans = new Map<string, CellPlan>();
  const { sweep: _, ...unswept } = spec;
  for (const combination of combinationsOf(spec, context)) {
    yield;
    const plan = planOf(combination, unswept, context);
    if (!plans.has(plan.cell.key)) plans.set(plan.cell.key, plan);
  }
  return [...plans.values()];
}

/** All cells and runs of a spec, or everything that is wrong with it. */
export function expandSpec(asked: ExperimentSpec, context: PlannerContext): Expansion | Refusal {
  return finish(expandSteps(asked, context));
}

/** The same for those who do something else in between: there may be as many cells as runs. */
export function* expandSteps(
  asked: ExperimentSpec,
  context: PlannerContext,
): Generator<void, Expansion | Refusal, undefined> {
  const problems = checkSpec(asked, context.engine, context.findTrace, context.findWeights);
  if (problems.length > 0) return { ok: false, problems };
  const spec = resolveSpec(asked, context.engine, context.findTrace);

  const axes = [
    spec.traces,
    spec.ccas,
    spec.buffers,
    spec.queues,
    spec.base_rtt_ms,
    spec.loss,
    spec.transports ?? [null],
    spec.sweep?.values ?? [null],
  ];
  const most = axes.reduce((product, axis) => product * axis.length, spec.repetitions * (spec.full_scores ? 3 : 1));
  if (most > MAX_RUNS) {
    const message = `this makes up to ${most} runs; the most allowed is ${MAX_RUNS}. Shorten an axis or make several experiments`;
    return { ok: false, problems: [{ path: [], message }] };
  }

  const plans = yield* planCells(spec, context);
  const runs = { [Symbol.iterator]: () => plannedRuns(spec, plans, context) };
  return {
    ok: true,
    spec,
    cells: plans.map((plan) => plan.cell),
    alike: () => groupsOf(spec, plans, context),
    limitMbps: (trace) => limitMbps(spec, capacityOf(trace, context.findTrace), context),
    runs,
  };
}

function* groupsOf(
  spec: ExperimentSpec,
  plans: readonly CellPlan[],
  context: PlannerContext,
): Generator<Alike, void, undefined> {
  const draws = new Draws(spec.seed);
  for (const plan of plans)
    for (const role of plan.roles)
      yield { manifest: manifestsOf(plan, role, draws, context)(0).manifest, runs: plan.repetitions };
}

function* plannedRuns(
  spec: ExperimentSpec,
  plans: readonly CellPlan[],
  context: PlannerContext,
): Generator<PlannedRun, void, undefined> {
  const draws = new Draws(spec.seed);
  for (const plan of plans) {
    const roles = plan.roles.map((role) => ({ role, make: manifestsOf(plan, role, draws, context) }));
    for (let repetition = 0; repetition < plan.repetitions; repetition++)
      for (const { role, make } of roles) yield { cell: plan.cell.key, role, repetition, ...make(repetition) };
  }
}
