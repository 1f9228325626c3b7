// Which part of a trace an experiment's runs go through.
import type { ExperimentSpec } from '#protocol/spec';

export type TracePart =
  /** A run is at least as long. */
  | { readonly kind: 'whole' }
  /** The same seconds in every run; it goes on at the trace's beginning where it passes its end. The shares are of the trace. */
  | {
      readonly kind: 'stretch';
      readonly from_s: number;
      readonly seconds: number;
      readonly from: number;
      readonly share: number;
    }
  /** Each repetition begins elsewhere. */
  | { readonly kind: 'scattered'; readonly seconds: number };

export type PartSpec = Pick<ExperimentSpec, 'duration_s' | 'vary' | 'trace_from_s'>;

export function tracePart({ duration_s, vary, trace_from_s = 0 }: PartSpec, period_ms: number): TracePart {
  const share = (duration_s * 1e3) / period_ms;
  if (share >= 1) return { kind: 'whole' };
  if (vary.includes('trace_phase')) return { kind: 'scattered', seconds: duration_s };
  const from_ms = (trace_from_s * 1e3) % period_ms;
  return { kind: 'stretch', from_s: from_ms / 1e3, seconds: duration_s, from: from_ms / period_ms, share };
}

export interface PartWindow {
  readonly from_ms: number;
  readonly to_ms: number;
}

/** Of a stretch: the pieces of the trace that it is made of, in whole milliseconds. */
export function windowsOf(
  { from_s, seconds }: Pick<Extract<TracePart, { kind: 'stretch' }>, 'from_s' | 'seconds'>,
  period_ms: number,
): PartWindow[] {
  const from_ms = Math.round(from_s * 1e3);
  const to_ms = from_ms + Math.ceil(seconds * 1e3);
  if (to_ms <= period_ms) return [{ from_ms, to_ms }];
  return [
    { from_ms, to_ms: period_ms },
    { from_ms: 0, to_ms: to_ms - period_ms },
  ].filter((window) => window.to_ms > window.from_ms);
}

/** The mean of windows whose means are known. */
export function meanOf(parts: readonly { readonly window: PartWindow; readonly mean: number }[]): number {
  const length = ({ from_ms, to_ms }: PartWindow): number => to_ms - from_ms;
  const [only] = parts;
  // The mean itself, not what is left of it after multiplying and dividing: the limits of stored runs are made of it.
  if (parts.length === 1 && only !== undefined) return only.mean;
  const total = parts.reduce((sum, { window }) => sum + length(window), 0);
  return parts.reduce((sum, { window, mean }) => sum + mean * length(window), 0) / total;
}
