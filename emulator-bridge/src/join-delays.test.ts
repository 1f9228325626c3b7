import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DelayStats } from '#protocol/summary';
import { allFlowsOf, mergedDelays, withoutSpreads } from './join-delays.ts';

const ranked = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(share * values.length) - 1] ?? NaN;

/** Of values that are each a bucket of their own. */
function delaysOf(values: readonly number[]): DelayStats {
  const packets = new Map<number, number>();
  for (const value of values) packets.set(value, (packets.get(value) ?? 0) + 1);
  const known = (value: number): number | null => (values.length === 0 ? null : value);
  return {
    count: values.length,
    mean_ms: known(values.reduce((a, b) => a + b, 0) / values.length),
    p50_ms: known(ranked(values, 0.5)),
    p95_ms: known(ranked(values, 0.95)),
    p99_ms: known(ranked(values, 0.99)),
    max_ms: known(Math.max(...values)),
    ...(values.length === 0 ? {} : { spread: [...packets].sort(([a], [b]) => a - b).flat() }),
  };
}
const bare = ({ spread: _, ...rest }: DelayStats): DelayStats => rest;

describe('delays of several flows together', () => {
  it('are those of all their packets', () => {
    const values = fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 60 });
    fc.assert(
      fc.property(fc.array(values, { minLength: 2, maxLength: 5 }), (flows) => {
        const merged = mergedDelays(flows.map(delaysOf));
        const all = bare(delaysOf(flows.flat()));
        expect(merged).toEqual({
          ...all,
          mean_ms: all.mean_ms === null ? null : (expect.closeTo(all.mean_ms, 9) as number),
        });
      }),
    );
  });

  it('by hand, and never beyond the longest', () => {
    const a = { ...delaysOf([1, 1, 1]), spread: [1, 3] };
    // Two packets of a bucket whose middle lies beyond them.
    const b = { ...delaysOf([9.99, 9.99]), spread: [10, 2] };
    expect(mergedDelays([a, b])).toMatchObject({ count: 5, p50_ms: 1, p95_ms: 9.99, max_ms: 9.99 });
    expect(mergedDelays([a, b]).mean_ms).toBeCloseTo((3 + 2 * 9.99) / 5, 12);
  });

  it('are nothing when those of one flow are not known, and a flow without packets has none to add', () => {
    const flow = delaysOf([1, 2]);
    expect(mergedDelays([flow, bare(flow)])).toMatchObject({ count: 0, mean_ms: null, p95_ms: null });
    expect(mergedDelays([flow, delaysOf([])])).toEqual(bare(flow));
    expect(mergedDelays([])).toMatchObject({ count: 0, max_ms: null });
  });

  it('are what one process knows of all, where it does, and the histograms of the others go no further', () => {
    const flow = delaysOf([1, 2]);
    const sender = { rtt: flow } as Parameters<typeof allFlowsOf>[0]['senders'][number];
    const receiver = { owd: flow } as Parameters<typeof allFlowsOf>[0]['receivers'][number];
    const flows = { senders: [sender, sender], receivers: [receiver, receiver] };
    const none = delaysOf([]);
    const told = { rtt: none, owd: bare(delaysOf([7])), message_delay: none };
    expect(allFlowsOf(flows, told)).toMatchObject({ rtt: { count: 4, p95_ms: 2 }, owd: { count: 1, p95_ms: 7 } });
    expect(allFlowsOf({ senders: [sender], receivers: [receiver] }, undefined)).toBeUndefined();
    expect(JSON.stringify(withoutSpreads(flows))).not.toContain('spread');
  });
});
