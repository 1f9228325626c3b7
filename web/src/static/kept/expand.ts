// From what a person means to what would be run here: the server's own planner over what the site and this browser have.
import { expandSpec, type Expansion } from '#analysis/planner';
import { runIdOf, type Sha256 } from '#analysis/identity';
import { limitWindows } from '#analysis/limits';
import { membersOf, setName, setsThereAre, traceNamed } from '#analysis/trace-library';
import { previewOf } from '#analysis/trace-counts';
import { meanOf } from '#analysis/trace-part';
import type { FindTrace } from '#analysis/check-spec';
import type { EngineListing } from '#protocol/cca';
import { AskedSpec, ExperimentSpec, type ListedTrace, type TraceEntry } from '#protocol/spec';
import type { TraceRecord } from '#protocol/api';
import { sha256 } from '../../write/sha256';
import { factsOf } from '../../what-if/plan';
import { invalid, needsServer, Refused } from '../refusals';
import { listing, traceCounts, traces, weights } from './library';

const hashOf: Sha256 = (text) =>
  Uint8Array.from(sha256(new TextEncoder().encode(text)).match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

export const runId = (canonical: string): string => runIdOf(canonical, hashOf);
export { hashOf };

const refused = (faults: readonly { readonly where: string; readonly detail: string }[]): Refused =>
  new Refused(invalid(faults[0]?.detail ?? 'the spec is not valid', [...faults]));

function listed(entry: TraceEntry, at: number, all: readonly TraceRecord[]): ListedTrace[] {
  if ('trace' in entry || 'rate_mbps' in entry) return [entry];
  if ('recipe' in entry)
    throw new Refused(needsServer('Traces are made of a recipe’s seeds by a program of the server.'));
  const found = membersOf(all, entry);
  if (found.length === 0)
    throw refused([
      { where: `traces.${at}`, detail: `no trace of the site is one of these; there are ${setsThereAre(all)}` },
    ]);
  const set = `${found.length} ${setName(entry)}`;
  return found.map(({ id }) => ({ trace: id, set }));
}

/** The spec as it was asked for, with the traces of its sets. */
function specOf(asked: unknown, all: readonly TraceRecord[]): ExperimentSpec {
  const read = AskedSpec.safeParse(asked);
  if (!read.success)
    throw refused(read.error.issues.map(({ path, message }) => ({ where: path.join('.'), detail: message })));
  return ExperimentSpec.parse({ ...read.data, traces: read.data.traces.flatMap((entry, i) => listed(entry, i, all)) });
}

/** Of the part that runs, where limits are of it. */
async function partMeans(spec: ExperimentSpec, find: FindTrace): Promise<ReadonlyMap<string, number>> {
  const means = new Map<string, number>();
  for (const ref of spec.traces) {
    const trace = 'trace' in ref ? find(ref.trace) : undefined;
    const windows = trace === undefined ? [] : limitWindows(spec, trace.period_ms);
    if (trace === undefined || windows.length === 0) continue;
    const counts = await traceCounts(trace.id);
    const measured = windows.map((window) => {
      const { mean_mbps } = previewOf(counts, { bins: 1, fromMs: window.from_ms, toMs: window.to_ms });
      return { window, mean: mean_mbps[0] ?? trace.mean_mbps };
    });
    means.set(trace.id, meanOf(measured));
  }
  return means;
}

export interface Planned {
  readonly expansion: Expansion;
  readonly engine: EngineListing;
  readonly find: FindTrace;
}

/** Rejects with what is wrong with it, and where. */
export async function expanded(asked: unknown): Promise<Planned> {
  const [engine, all, files] = await Promise.all([listing(), traces(), weights()]);
  const spec = specOf(asked, all);
  const find: FindTrace = (reference) => {
    const found = traceNamed(all, reference);
    return found === undefined ? undefined : factsOf(found);
  };
  const findWeights = (id: string) => files.find((record) => record.id === id)?.info;
  const expansion = expandSpec(spec, { engine, findTrace: find, findWeights, partMeans: await partMeans(spec, find) });
  if (!expansion.ok)
    throw refused(expansion.problems.map(({ path, message }) => ({ where: path.join('.'), detail: message })));
  return { expansion, engine, find };
}
