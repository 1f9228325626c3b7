// The one run of a spec that is looked at, planned as the server plans it: the same manifest, so the same run.
import { expandSpec, type PlannedRun } from '#analysis/planner';
import { isPlugin } from '#analysis/kinds';
import { limitWindows } from '#analysis/limits';
import type { PartWindow } from '#analysis/trace-part';
import { factsOf, traceNamed } from '#analysis/trace-library';
import type { SpecProblem } from '#analysis/check-params';
import type { TraceFacts } from '#analysis/check-spec';
import type { RunRole, TraceRecord } from '#protocol/api';
import type { EngineListing } from '#protocol/cca';
import type { RunManifest } from '#protocol/manifest';
import type { ExperimentSpec } from '#protocol/spec';
import { traceOf } from './trace-of';
import type { WeightsRecord } from '#protocol/weights';

/** Which of a cell's runs. */
export interface Place {
  readonly role: RunRole;
  readonly repetition: number;
}

/** What the server knows and a plan is made with. */
export interface Known {
  readonly listing: EngineListing;
  readonly traces: readonly TraceRecord[];
  readonly weights: readonly WeightsRecord[];
  /** Texts of own algorithms that this page itself has, by their hashes. */
  readonly programs?: ReadonlyMap<string, string>;
}

export type Plan =
  { readonly ok: true; readonly run: PlannedRun } | { readonly ok: false; readonly problems: readonly SpecProblem[] };

/** The trace over which it runs, and what of it has to be measured before limits in its BDP can be told. */
export function partToMeasure(
  spec: ExperimentSpec,
  traces: readonly TraceRecord[],
): { readonly trace: TraceRecord; readonly windows: readonly PartWindow[] } | null {
  const trace = traceOf(spec, traces);
  return trace === undefined ? null : { trace, windows: limitWindows(spec, trace.info.period_ms) };
}

/** The page's engine loads no shared libraries. */
const notHere = ({ flows }: RunManifest, { ccas }: EngineListing): SpecProblem[] =>
  ccas
    .filter((cca) => isPlugin(cca) && flows.some((flow) => flow.cca.id === cca.id))
    .map(({ label }) => ({
      path: ['ccas'],
      message: `${label} is a plug-in of the server: it runs there, in an experiment, and not in the page`,
    }));

/** `partMeans` of the trace that `partToMeasure` names, Mbps. */
export function planOne(
  spec: ExperimentSpec,
  { role, repetition }: Place,
  { listing, traces, weights }: Known,
  partMeans: ReadonlyMap<string, number>,
): Plan {
  const findTrace = (reference: string): TraceFacts | undefined => {
    const found = traceNamed(traces, reference);
    return found === undefined ? undefined : factsOf(found);
  };
  const findWeights = (id: string) => weights.find((record) => record.id === id)?.info;
  const expansion = expandSpec(spec, { engine: listing, findTrace, findWeights, partMeans });
  if (!expansion.ok) return expansion;
  for (const run of expansion.runs) {
    if (run.role !== role || run.repetition !== repetition) continue;
    const problems = notHere(run.manifest, listing);
    return problems.length === 0 ? { ok: true, run } : { ok: false, problems };
  }
  const message = `there is no repetition ${repetition + 1} of such a run: all would be the same`;
  return { ok: false, problems: [{ path: ['repetitions'], message }] };
}
