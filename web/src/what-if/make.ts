// One run in the page, from the spec to all of its samples.
import type { QueryClient } from '@tanstack/react-query';
import type { SpecProblem } from '#analysis/check-params';
import type { PlannedRun } from '#analysis/planner';
import { traceNamed } from '#analysis/trace-library';
import { meanOf } from '#analysis/trace-part';
import type { ExperimentSpec } from '#protocol/spec';
import type { RunSummary } from '#protocol/summary';
import { previewQuery } from '../api/queries';
import type { SampleStore } from '../live/sample-store';
import type { SourcePlace } from '#protocol/own-algorithm';
import { notAgreed } from '../write/agreed';
import { partToMeasure, planOne, type Known, type Place } from './plan';
import { simulate } from './simulate';
import { tooMuch } from './too-much';

export interface Question {
  readonly spec: ExperimentSpec;
  readonly place: Place;
  /** When somebody asked for it, as performance.now() tells. */
  readonly askedMs: number;
}

export interface Made extends Question {
  readonly kind: 'made';
  readonly run: PlannedRun;
  readonly store: SampleStore;
  readonly summary: RunSummary;
}

export type Answer =
  | Made
  | { readonly kind: 'refused'; readonly problems: readonly SpecProblem[] }
  /** The engine's own words; of an own algorithm where in its text. */
  | { readonly kind: 'failed'; readonly reason: string; readonly at: SourcePlace | null; readonly question: Question }
  /** Of programs that somebody wrote, by their hashes, and that nobody here has agreed to run. */
  | { readonly kind: 'unread'; readonly programs: readonly string[] }
  | { readonly kind: 'error'; readonly error: unknown };

/** null: `signal` was aborted. Never rejects. */
export async function make(
  queries: QueryClient,
  known: Known,
  question: Question,
  signal: AbortSignal,
): Promise<Answer | null> {
  try {
    const plan = planOne(question.spec, question.place, known, await partMeans(queries, known, question.spec));
    if (!plan.ok) return { kind: 'refused', problems: plan.problems };
    const { manifest } = plan.run;
    const problems = tooMuch(manifest, (sha256) => traceNamed(known.traces, sha256)?.info.mean_mbps ?? 0);
    if (problems.length > 0) return { kind: 'refused', problems };
    const unread = notAgreed(manifest, known.programs);
    if (unread.length > 0) return { kind: 'unread', programs: unread };
    const { outcome, reason, at = null, summary, store } = await simulate(queries, manifest, known, signal);
    if (outcome === 'cancelled') return null;
    if (outcome === 'failed' || summary === null)
      return { kind: 'failed', reason: reason ?? 'it did not say why', at, question };
    return { kind: 'made', ...question, run: plan.run, store, summary };
  } catch (error) {
    return { kind: 'error', error };
  }
}

/** The mean of the part that runs, where limits are of it: the server measures it, as it does for its own runs. */
async function partMeans(
  queries: QueryClient,
  { traces }: Known,
  spec: ExperimentSpec,
): Promise<ReadonlyMap<string, number>> {
  const part = partToMeasure(spec, traces);
  if (part === null || part.windows.length === 0) return new Map();
  const { trace, windows } = part;
  const measured = await Promise.all(
    windows.map(async (window) => {
      const wanted = { bins: 1, fromMs: window.from_ms, toMs: window.to_ms };
      const { mean_mbps } = await queries.query(previewQuery(trace.id, wanted));
      return { window, mean: mean_mbps[0] ?? trace.info.mean_mbps };
    }),
  );
  return new Map([[trace.id, meanOf(measured)]]);
}
