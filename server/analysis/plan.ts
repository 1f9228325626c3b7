// What pressing Run would do, said before it is pressed: how many runs, how long, how much, and what each limit means.
import type { Plan } from '#protocol/api';
import type { CcaKind, EngineListing } from '#protocol/cca';
import type { FindTrace } from '#analysis/check-spec';
import { canonicalJson } from '#analysis/identity';
import { ELEMENT_COLUMNS, LINK_COLUMNS, RECEIVER_COLUMNS, SENDER_COLUMNS } from '#protocol/columns';
import { PACKET_BYTES, bufferLabel, bytesIn, askedBytes, limitUnits, limitsOfPart } from '#analysis/limits';
import { overTun } from '#analysis/kinds';
import { tracePart } from '#analysis/trace-part';
import type { Expansion } from '#analysis/planner';
import type { RunManifest } from '#protocol/manifest';

/** What runs cost here, as measured. */
export interface Speed {
  /** Packets that the virtual engine carries per second of one core. */
  readonly packets_per_s: number;
  /** Start, telemetry and storing of one run, seconds. */
  readonly overhead_s: number;
  readonly virtual_workers: number;
  /** Real-time runs that may share the machine without disturbing each other. */
  readonly realtime_workers: number;
}

const STACK: Partial<Record<CcaKind, string>> = {
  kernel: 'this machine’s own TCP',
  quic: 'a real QUIC stack',
  external: 'a program of this machine’s',
};

/** Estimates are shown as a range: CCAs differ in cost, and machines have other work. */
const RANGE = { low: 0.6, high: 1.8 } as const;

const meanMbps = (manifest: RunManifest, find: FindTrace): number => {
  const { capacity } = manifest.forward;
  if (capacity.kind === 'constant') return capacity.rate_mbps;
  return capacity.kind === 'trace' ? (find(capacity.sha256)?.mean_mbps ?? 0) : 0;
};

/** What it needs to know of a run’s flows. */
export interface RunFlows {
  readonly flows: readonly { readonly cca: { readonly program?: string | undefined } }[];
}

/** A packet of a run with an own algorithm, whose text is interpreted, takes as long as so many others (docs/own-algorithms-server.md). */
const INTERPRETED = 8;
export const packetCost = ({ flows }: RunFlows): number =>
  flows.some(({ cca }) => cca.program !== undefined) ? INTERPRETED : 1;

export function runSeconds(manifest: RunManifest, find: FindTrace, speed: Speed): number {
  if (manifest.engine === 'realtime') return manifest.duration_s + speed.overhead_s;
  const packets = bytesIn(meanMbps(manifest, find), manifest.duration_s * 1e3) / PACKET_BYTES;
  return (packets * packetCost(manifest)) / speed.packets_per_s + speed.overhead_s;
}

/** What it needs to know of a run to tell how many samples it makes. */
export type RunSampling = Pick<RunManifest, 'duration_s' | 'sample_period_ms' | 'forward' | 'reverse'> & {
  readonly flows: readonly { readonly cca: { readonly id: string } }[];
};

/** Bytes of samples: per row an 8-byte time and 4 bytes per column, for each stream. */
export function sampleBytes(manifest: RunSampling, listing: EngineListing): number {
  const rows = Math.ceil((manifest.duration_s * 1e3) / manifest.sample_period_ms);
  const links = manifest.reverse.capacity.kind === 'unlimited' ? 1 : 2;
  const row = (columns: number): number => 8 + 4 * columns;
  const flows = manifest.flows.reduce((sum, flow) => {
    const internals = listing.ccas.find((cca) => cca.id === flow.cca.id)?.internals.length ?? 0;
    return sum + row(SENDER_COLUMNS.length + internals) + row(RECEIVER_COLUMNS.length);
  }, 0);
  // The link's own loss is there unnamed, too.
  const elements = [manifest.forward, manifest.reverse].flatMap(({ path }) =>
    path === undefined ? [] : [{ element: '' }, ...path],
  );
  const own = (id: string): number => listing.elements?.find((known) => known.id === id)?.columns.length ?? 0;
  const path = elements.reduce((sum, { element }) => sum + row(ELEMENT_COLUMNS.length + own(element)), 0);
  return rows * (links * row(LINK_COLUMNS.length) + flows + path);
}

/** What the samples of all runs take at most: as if none were stored, and none the same as another. */
export function* mostBytesSteps(expansion: Expansion, listing: EngineListing): Generator<void, number, undefined> {
  let bytes = 0;
  for (const { manifest, runs } of expansion.alike()) {
    bytes += runs * sampleBytes(manifest, listing);
    yield;
  }
  return bytes;
}

function limitsOf({ spec, cells, limitMbps }: Expansion): Plan['limits'] {
  // The cells of a trace share what names it.
  const named = new Map(cells.map((cell) => [cell.trace, cell]));
  const traces = new Map([...named.values()].map((cell) => [canonicalJson(cell.trace), cell]));
  return [...traces.values()].flatMap(({ trace, trace_name, trace_set }) => {
    const mean = limitMbps(trace);
    return spec.base_rtt_ms.flatMap((base_rtt_ms) =>
      spec.buffers.map((buffer) => ({
        trace: trace_name,
        ...('trace' in trace ? { sha256: trace.trace } : {}),
        ...(trace_set === undefined ? {} : { set: trace_set }),
        base_rtt_ms,
        buffer,
        mean_mbps: mean,
        ...limitUnits(buffer, mean, base_rtt_ms),
      })),
    );
  });
}

function warningsOf(
  { spec, cells }: Expansion,
  { repeated, elsewhere }: Survey,
  limits: Plan['limits'],
  listing: EngineListing,
  find: FindTrace,
): string[] {
  const warnings: string[] = [];
  for (const limit of limits) {
    const where = `on ${limit.trace} at ${limit.base_rtt_ms} ms base RTT`;
    const derived = 'bdp' in limit.buffer ? askedBytes(limit.buffer, limit.mean_mbps ?? 0, limit.base_rtt_ms) : null;
    if (derived !== null && Math.round(derived) < 2 * PACKET_BYTES)
      warnings.push(
        `${bufferLabel(limit.buffer)} ${where} is ${(derived / PACKET_BYTES).toFixed(1)} packets, less than 2: the limit is raised to 2 packets (3000 B)`,
      );
    else if ('ms' in limit.buffer && limit.limit_bytes === 2 * PACKET_BYTES)
      warnings.push(
        `${bufferLabel(limit.buffer)} of queueing ${where} is at most 2 packets: the limit is 2 packets (3000 B)`,
      );
    else if (limit.limit_bytes !== null && limit.limit_bytes < 2 * PACKET_BYTES)
      warnings.push(`${bufferLabel(limit.buffer)} holds less than 2 packets: every burst loses`);
  }
  for (const ref of spec.traces) {
    const trace = 'trace' in ref ? find(ref.trace) : undefined;
    if (trace !== undefined && spec.bdp_of === 'part' && !limitsOfPart(spec, trace.period_ms))
      warnings.push(
        tracePart(spec, trace.period_ms).kind === 'scattered'
          ? `each repetition runs another part of ${trace.name}, so 1 BDP is of the whole trace`
          : `all of ${trace.name} runs, so 1 BDP is of the whole trace`,
      );
    if (trace !== undefined && trace.period_ms < spec.duration_s * 1e3)
      warnings.push(`${trace.name} lasts ${trace.period_ms / 1e3} s and repeats to fill ${spec.duration_s} s`);
  }
  const longest = Math.max(...spec.base_rtt_ms);
  if (spec.full_scores && spec.duration_s * 1e3 < 100 * longest)
    warnings.push(
      `runs of ${spec.duration_s} s hold few or no windows of 50 base RTTs (${50 * longest} ms): long-term fairness may stay unmeasured`,
    );
  const kinds = new Map(listing.ccas.map((cca) => [cca.id, cca]));
  const once = cells.filter((cell) => !repeated.has(cell.key) && kinds.get(cell.cca.id)?.kind !== 'ideal');
  if (spec.repetitions > 1 && once.length > 0)
    warnings.push('nothing varies between repetitions, so each would give the same result: one is run');
  for (const id of elsewhere) {
    const cca = kinds.get(id);
    warnings.push(
      cca !== undefined && overTun(cca)
        ? `${cca.label} is ${STACK[cca.kind] ?? 'a real stack'}: it runs in real time, over TUN devices, each time anew`
        : `${cca?.label ?? id} does not run in real time: as a reference it is computed in virtual time`,
    );
  }
  return warnings;
}

/** What is known of a run before it is made. */
export interface KnownRun {
  readonly id: string;
  /** Its result is there already. */
  readonly stored: boolean;
}

type EngineName = RunManifest['engine'];
interface Load {
  total_s: number;
  longest_s: number;
}

/** What is gathered in one pass over the runs. */
interface Survey {
  readonly distinct: Set<string>;
  cached: number;
  bytes: number;
  readonly loads: Readonly<Record<EngineName, Load>>;
  /** Cells with more than one repetition. */
  readonly repeated: Set<string>;
  /** CCAs that do not run in the experiment's engine. */
  readonly elsewhere: Set<string>;
}

/** Of 100 000 runs this takes seconds: it stops after each, so that whoever drives it may do something else in between. */
export function* planSteps(
  expansion: Expansion,
  listing: EngineListing,
  find: FindTrace,
  speed: Speed,
  know: (canonical: string) => KnownRun,
): Generator<void, Plan, undefined> {
  const survey: Survey = {
    distinct: new Set(),
    cached: 0,
    bytes: 0,
    loads: { virtual: { total_s: 0, longest_s: 0 }, realtime: { total_s: 0, longest_s: 0 } },
    repeated: new Set(),
    elsewhere: new Set(),
  };
  // Repetitions cost the same.
  const costs = new Map<string, { readonly seconds: number; readonly bytes: number }>();
  for (const { cell, role, repetition, manifest, canonical } of expansion.runs) {
    if (repetition > 0) survey.repeated.add(cell);
    if (manifest.engine !== expansion.spec.engine) survey.elsewhere.add(manifest.flows[0]?.cca.id ?? '');
    const { id, stored } = know(canonical);
    if (!survey.distinct.has(id)) {
      survey.distinct.add(id);
      if (stored) survey.cached++;
      else {
        const alike = `${cell} ${role}`;
        const cost = costs.get(alike) ?? {
          seconds: runSeconds(manifest, find, speed),
          bytes: sampleBytes(manifest, listing),
        };
        costs.set(alike, cost);
        const load = survey.loads[manifest.engine];
        load.total_s += cost.seconds;
        load.longest_s = Math.max(load.longest_s, cost.seconds);
        survey.bytes += cost.bytes;
      }
    }
    yield;
  }
  const seconds = ({ total_s, longest_s }: Load, workers: number): number => Math.max(total_s / workers, longest_s);
  const virtual = seconds(survey.loads.virtual, speed.virtual_workers);
  const realtime = seconds(survey.loads.realtime, speed.realtime_workers);
  const limits = limitsOf(expansion);
  return {
    runs: survey.distinct.size,
    cells: expansion.cells.length,
    cached: survey.cached,
    // Real time is known: only what comes on top of the link time can vary.
    estimate_s: { low: virtual * RANGE.low + realtime, high: virtual * RANGE.high + realtime * 1.1 },
    estimate_bytes: survey.bytes,
    limits,
    warnings: warningsOf(expansion, survey, limits, listing, find),
  };
}
