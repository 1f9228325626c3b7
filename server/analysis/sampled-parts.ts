// What the families of values from samples share.
import type { TimeSeries } from '#analysis/live-comparison';
import { flowsBeside } from '#analysis/own-elements';
import type { ColumnOf } from '#analysis/run-dynamics';
import type { Range } from '#analysis/statistics';
import type { RunStory } from '#analysis/trace-marks';
import type { RunManifest } from '#protocol/manifest';
import type { RunSampled } from '#protocol/sampled';

export interface SampledValue {
  readonly label: string;
  /** '' for a share. */
  readonly unit: string;
  /** Where values can be: intervals stay there. */
  readonly range: Range;
}

/** A column of a stream. */
export type Needed = readonly [stream: number, column: string];

/** What is read from the same columns at once. */
export interface Family {
  readonly values: Readonly<Record<string, SampledValue>>;
  readonly needs: (manifest: RunManifest) => readonly Needed[];
  /** It wants to know what the model behind the run's trace does; others are told of nothing. */
  readonly story?: true;
  /** In short steps. */
  readonly steps: (manifest: RunManifest, column: ColumnOf, story: RunStory) => Generator<void, RunSampled, undefined>;
}

export const POSITIVE: Range = [0, Infinity];
export const FRACTION: Range = [0, 1];

export const NOTHING: RunSampled = { values: {}, sketches: {}, moments: {}, histograms: {} };

/** What several families have read off one run. */
export const merged = (parts: readonly RunSampled[]): RunSampled =>
  parts.reduce(
    (all, { values, sketches, moments, histograms }) => ({
      values: { ...all.values, ...values },
      sketches: { ...all.sketches, ...sketches },
      moments: { ...all.moments, ...moments },
      histograms: { ...all.histograms, ...histograms },
    }),
    NOTHING,
  );

export interface FlowTime {
  readonly flow: number;
  readonly from_s: number;
  readonly to_s: number;
}

/** The flows that share the link, and when each sends. */
export function sharing({ flows, duration_s, forward }: RunManifest): FlowTime[] {
  const beside = flowsBeside(forward.path, flows);
  return flows.flatMap(({ start_s, stop_s }, flow) =>
    beside.includes(flow) ? [] : [{ flow, from_s: start_s, to_s: Math.min(stop_s ?? duration_s, duration_s) }],
  );
}

/** From the first start to the last stop. */
export const spanOf = (flows: readonly FlowTime[]): { readonly from_s: number; readonly to_s: number } => ({
  from_s: Math.min(...flows.map(({ from_s }) => from_s)),
  to_s: Math.max(...flows.map(({ to_s }) => to_s)),
});

/** Beginnings of the windows that lie within; the last may not be whole and is left out then. */
export function* windowsIn(
  { from_s, to_s }: { readonly from_s: number; readonly to_s: number },
  length_s: number,
): Generator<number, void, undefined> {
  for (let i = 0; from_s + (i + 1) * length_s <= to_s + 1e-9; i++) yield from_s + i * length_s;
}

/** After so many windows somebody else has a turn. */
export const STEP_WINDOWS = 500;

/** Row by row from two columns of one stream. */
export function rowwise(a: TimeSeries, b: TimeSeries, of: (a: number, b: number) => number): TimeSeries {
  const rows = Math.min(a.rows, b.rows);
  const values = new Float64Array(rows);
  for (let i = 0; i < rows; i++) values[i] = of(a.values[i] ?? NaN, b.values[i] ?? NaN);
  return { time: a.time, values, rows };
}

/** Only what is known. */
export const known = (values: Readonly<Record<string, number | null>>): Record<string, number> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [[name, value] as const])),
  );
