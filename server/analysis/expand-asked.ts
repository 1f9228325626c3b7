// From what a person means to what would be run, where traces and weights are all at hand: a site without a server, another program.
import { expandSpec, type Expansion } from '#analysis/planner';
import type { FindTrace } from '#analysis/check-spec';
import { limitWindows } from '#analysis/limits';
import { previewOf } from '#analysis/trace-counts';
import { factsOf, membersOf, setName, setsThereAre, traceNamed } from '#analysis/trace-library';
import { meanOf } from '#analysis/trace-part';
import type { TraceRecord } from '#protocol/api';
import type { EngineListing } from '#protocol/cca';
import { AskedSpec, ExperimentSpec, type ListedTrace, type TraceEntry } from '#protocol/spec';
import type { WeightsRecord } from '#protocol/weights';

export interface AtHand {
  readonly engine: EngineListing;
  readonly traces: readonly TraceRecord[];
  readonly weights: readonly WeightsRecord[];
  /** Opportunities by millisecond; asked for where limits are of a part of a trace. */
  readonly counts: (trace: string) => Promise<Uint32Array>;
}

export interface Fault {
  readonly where: string;
  readonly detail: string;
}

/** `needs`: nothing is wrong with it but that it needs what only a server has, a whole sentence; else null. */
export interface Refused {
  readonly ok: false;
  readonly needs: string | null;
  readonly faults: readonly Fault[];
}

const wrong = (...faults: readonly Fault[]): Refused => ({ ok: false, needs: null, faults });

type Listed = Refused | { readonly ok: true; readonly traces: readonly ListedTrace[] };

function listed(entry: TraceEntry, at: number, all: readonly TraceRecord[]): Listed {
  if ('trace' in entry || 'rate_mbps' in entry) return { ok: true, traces: [entry] };
  if ('recipe' in entry)
    return { ok: false, needs: 'Traces are made of a recipe’s seeds by a program of the server.', faults: [] };
  const found = membersOf(all, entry);
  if (found.length === 0)
    return wrong({
      where: `traces.${at}`,
      detail: `no trace at hand is one of these; there are ${setsThereAre(all)}`,
    });
  const set = `${found.length} ${setName(entry)}`;
  return { ok: true, traces: found.map(({ id }) => ({ trace: id, set })) };
}

/** The spec as it was asked for, with the traces of its sets. */
function specOf(
  asked: unknown,
  all: readonly TraceRecord[],
): Refused | { readonly ok: true; readonly spec: ExperimentSpec } {
  const read = AskedSpec.safeParse(asked);
  if (!read.success)
    return wrong(...read.error.issues.map(({ path, message }) => ({ where: path.join('.'), detail: message })));
  const traces: ListedTrace[] = [];
  for (const [i, entry] of read.data.traces.entries()) {
    const found = listed(entry, i, all);
    if (!found.ok) return found;
    traces.push(...found.traces);
  }
  return { ok: true, spec: ExperimentSpec.parse({ ...read.data, traces }) };
}

/** Of the part that runs, where limits are of it. */
async function partMeans(spec: ExperimentSpec, find: FindTrace, { counts }: AtHand): Promise<Map<string, number>> {
  const means = new Map<string, number>();
  for (const ref of spec.traces) {
    const trace = 'trace' in ref ? find(ref.trace) : undefined;
    const windows = trace === undefined ? [] : limitWindows(spec, trace.period_ms);
    if (trace === undefined || windows.length === 0) continue;
    const all = await counts(trace.id);
    const measured = windows.map((window) => {
      const { mean_mbps } = previewOf(all, { bins: 1, fromMs: window.from_ms, toMs: window.to_ms });
      return { window, mean: mean_mbps[0] ?? trace.mean_mbps };
    });
    means.set(trace.id, meanOf(measured));
  }
  return means;
}

export interface Planned {
  readonly ok: true;
  readonly expansion: Expansion;
  readonly engine: EngineListing;
  readonly find: FindTrace;
}

export async function expandAsked(asked: unknown, at: AtHand): Promise<Planned | Refused> {
  const { engine, traces, weights } = at;
  const read = specOf(asked, traces);
  if (!read.ok) return read;
  const { spec } = read;
  const find: FindTrace = (reference) => {
    const found = traceNamed(traces, reference);
    return found === undefined ? undefined : factsOf(found);
  };
  const findWeights = (id: string) => weights.find((record) => record.id === id)?.info;
  const means = await partMeans(spec, find, at);
  const expansion = expandSpec(spec, { engine, findTrace: find, findWeights, partMeans: means });
  return expansion.ok
    ? { ok: true, expansion, engine, find }
    : wrong(...expansion.problems.map(({ path, message }) => ({ where: path.join('.'), detail: message })));
}
