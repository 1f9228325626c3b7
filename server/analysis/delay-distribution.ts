// Delays of many runs as one distribution: of every delivered packet, from the runs' histograms. Runs count by their packets, or each the
// same.

/** As summaries write it (`spread`): a delay in ms and its packets in turn. */
export type Spread = readonly number[];

export interface Bucket {
  readonly ms: number;
  readonly packets: number;
}

/** Delays that rise, each with what it weighs. */
export type Distribution = readonly Bucket[];

function* bucketsOf(spread: Spread): Generator<Bucket, void, undefined> {
  for (let i = 0; i + 1 < spread.length; i += 2) yield { ms: spread[i] ?? 0, packets: spread[i + 1] ?? 0 };
}

const weightOf = (buckets: Iterable<Bucket>): number => {
  let total = 0;
  for (const { packets } of buckets) total += packets;
  return total;
};

/** `each: run`: a run weighs as much as another, however many packets it delivered; those without any say nothing. */
export function pooledDelays(spreads: readonly Spread[], each: 'packet' | 'run' = 'packet'): Distribution {
  const pooled = new Map<number, number>();
  for (const spread of spreads) {
    const weight = each === 'packet' ? 1 : 1 / weightOf(bucketsOf(spread));
    for (const { ms, packets } of bucketsOf(spread))
      if (packets > 0) pooled.set(ms, (pooled.get(ms) ?? 0) + packets * weight);
  }
  return [...pooled].sort(([a], [b]) => a - b).map(([ms, packets]) => ({ ms, packets }));
}

/** What pooled before makes one, each packet counting alike. */
export const joined = (parts: readonly Distribution[]): Distribution =>
  pooledDelays(parts.map((part) => part.flatMap(({ ms, packets }) => [ms, packets])));

/** The smallest delay with at least a share q of the packets at or below it; null of nothing. */
export function delayQuantile(distribution: Distribution, q: number): number | null {
  // 0.95 has no exact binary form, yet 0.95 of 20 must be 19.
  const needed = q * weightOf(distribution) * (1 - 1e-12);
  let seen = 0;
  for (const { ms, packets } of distribution) if ((seen += packets) >= needed) return ms;
  return distribution.at(-1)?.ms ?? null;
}

export interface Tail {
  readonly ms: number;
  /** Of the packets that took longer. */
  readonly longer: number;
}

/** The complementary distribution as a staircase: after its last step nothing took longer. */
export function ccdf(distribution: Distribution): Tail[] {
  const all = weightOf(distribution);
  // From the far end, where small shares would be lost in a difference from one.
  let longer = 0;
  return distribution
    .toReversed()
    .map(({ ms, packets }) => {
      const tail = { ms, longer: longer / all };
      longer += packets;
      return tail;
    })
    .reverse();
}
