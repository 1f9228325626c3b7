// Which part of a trace an experiment's runs go through.
import type { ExperimentSpec } from '#protocol/spec';

export type TracePart =
  /** A run is at least as long. */
  | { readonly kind: 'whole' }
  /** Its first seconds, in every run. */
  | { readonly kind: 'beginning'; readonly seconds: number; readonly share: number }
  /** Each repetition begins elsewhere. */
  | { readonly kind: 'scattered'; readonly seconds: number };

export function tracePart(
  { duration_s, vary }: Pick<ExperimentSpec, 'duration_s' | 'vary'>,
  period_ms: number,
): TracePart {
  const share = (duration_s * 1e3) / period_ms;
  if (share >= 1) return { kind: 'whole' };
  if (vary.includes('trace_phase')) return { kind: 'scattered', seconds: duration_s };
  return { kind: 'beginning', seconds: duration_s, share };
}
