// Whether a new experiment measures fairness too: by itself where that costs little, and otherwise when it is asked to.
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Plan } from '#protocol/api';
import type { AskedSpec } from '#protocol/spec';
import { planQuery } from '../../api/queries';

/** What somebody waits for without a thought, and what a disk does not notice. */
const LITTLE = { seconds: 60, bytes: 2e9 };
/** Larger ones cost more than that, whatever they are of: nobody needs to work it out. */
const MOST_ASKED = 10_000;

/** Of a plan with full scores: whether the whole of it costs little. */
export const costsLittle = ({ estimate_s, estimate_bytes }: Plan): boolean =>
  estimate_s.high <= LITTLE.seconds && estimate_bytes <= LITTLE.bytes;

export interface FullScores {
  readonly on: boolean;
  /** Nothing is known yet to decide by. */
  readonly deciding: boolean;
  /** Of the experiment as it stands. */
  readonly plan: UseQueryResult<Plan>;
  /** What the pairs add, or would; null: not known. */
  readonly adds: { readonly runs: number; readonly seconds: Plan['estimate_s']; readonly bytes: number } | null;
}

/** What the pairs add to what is still to be run. */
export const difference = (full: Plan, plain: Plan): NonNullable<FullScores['adds']> => ({
  runs: full.runs - full.cached - (plain.runs - plain.cached),
  seconds: {
    low: Math.max(0, full.estimate_s.low - plain.estimate_s.low),
    high: Math.max(0, full.estimate_s.high - plain.estimate_s.high),
  },
  bytes: full.estimate_bytes - plain.estimate_bytes,
});

/** `chosen`: null leaves it to what it costs. */
export function useFullScores(spec: AskedSpec | null, chosen: boolean | null): FullScores {
  const plain = useQuery(planQuery(spec === null ? null : { ...spec, full_scores: false }));
  const asked = plain.data !== undefined && plain.data.runs <= MOST_ASKED && plain.error === null;
  const full = useQuery(
    planQuery(spec === null || !(asked || chosen === true) ? null : { ...spec, full_scores: true }),
  );
  const known = plain.data !== undefined && full.data !== undefined && full.error === null;
  const pending = plain.isLoading || full.isLoading;
  const on = chosen ?? (asked && known && costsLittle(full.data));
  return {
    on,
    deciding: chosen === null && pending,
    plan: on ? full : plain,
    adds: known ? difference(full.data, plain.data) : null,
  };
}
