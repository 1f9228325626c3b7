// When what a trace's model knows of it happened in a run over it: from the moment of the trace at which the run began, on every lap.
import { mean } from '#analysis/statistics';
import type { RunManifest } from '#protocol/manifest';
import type { TraceMarks } from '#protocol/trace';

export interface RunMark {
  readonly kind: 'handover' | 'outage' | 'drop';
  /** Seconds since the run began. */
  readonly at_s: number;
  readonly lasts_s: number;
}

/** What the model behind a run's trace knows of it. */
export interface RunStory {
  readonly handovers: readonly RunMark[];
  /** null: it knows no signal. */
  readonly signal: RunSignal | null;
}

export interface RunSignal {
  /** Of the whole trace. */
  readonly mean_db: number;
  /** Mean SNR of the second, or longer time, in which this moment of the run lies. */
  readonly at: (run_s: number) => number | null;
}

export const NO_STORY: RunStory = { handovers: [], signal: null };

/** A run of a day over a trace of seconds has more of them than anybody needs. */
export const MOST_RUN_MARKS = 5000;

/** When the trace begins: with the run, or with its first packet. */
const beginOf = ({ trace_start, flows }: RunManifest): number =>
  trace_start === 'first_packet' ? Math.min(...flows.map(({ start_s }) => start_s)) : 0;

/** In order of time. None where the run's forward link does not follow a trace. */
export function marksInRun(manifest: RunManifest, { marks }: Pick<TraceMarks, 'marks'>, period_ms: number): RunMark[] {
  const { capacity } = manifest.forward;
  if (capacity.kind !== 'trace' || !(period_ms > 0)) return [];
  const begin_s = beginOf(manifest);
  const period_s = period_ms / 1000;
  const offset_s = (capacity.offset_ms / 1000) % period_s;
  // Those that lie before the run's place in the trace come first on the next lap.
  const [before, after] = [marks.filter(({ at_s }) => at_s < offset_s), marks.filter(({ at_s }) => at_s >= offset_s)];
  const lap = [...after, ...before.map((mark) => ({ ...mark, at_s: mark.at_s + period_s }))];
  const found: RunMark[] = [];
  for (
    let start_s = begin_s - offset_s;
    lap.length > 0 && start_s + offset_s < manifest.duration_s;
    start_s += period_s
  )
    for (const { kind, at_s, lasts_s } of lap) {
      if (start_s + at_s >= manifest.duration_s || found.length >= MOST_RUN_MARKS) return found;
      found.push({ kind, at_s: start_s + at_s, lasts_s });
    }
  return found;
}

export function runStory(manifest: RunManifest, marks: TraceMarks, period_ms: number): RunStory {
  const { capacity } = manifest.forward;
  const { snr } = marks;
  const mean_db = mean(snr?.mean_db ?? []);
  const handovers = marksInRun(manifest, marks, period_ms);
  if (capacity.kind !== 'trace' || snr === null || mean_db === null || !(period_ms > 0))
    return { handovers, signal: null };
  const begin_s = beginOf(manifest);
  const at = (run_s: number): number | null => {
    const since_ms = (run_s - begin_s) * 1000 + capacity.offset_ms;
    const trace_ms = ((since_ms % period_ms) + period_ms) % period_ms;
    return snr.mean_db[Math.floor(trace_ms / snr.every_ms)] ?? null;
  };
  return { handovers, signal: { mean_db, at } };
}
