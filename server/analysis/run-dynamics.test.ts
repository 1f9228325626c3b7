import { describe, expect, test } from 'vitest';
import { dynamicsOf, type ColumnOf } from '#analysis/run-dynamics';
import { manifestOf, type MadeFlow } from '#analysis/testing-flows';
import { seriesOf, type Pieces } from '#analysis/testing-rates';
import { FORWARD_LINK_STREAM, receiverStream, senderStream } from '#protocol/columns';

interface Made extends MadeFlow {
  readonly throughput: Pieces;
  readonly rtt?: Pieces;
}

/** A base RTT of 20 ms: windows of 200 ms, held for a second. */
function dynamics(flows: readonly Made[], capacity: Pieces) {
  const duration_s = capacity.at(-1)?.[0] ?? 0;
  const columns = new Map<string, Pieces>([[`${FORWARD_LINK_STREAM}/capacity_mbps`, capacity]]);
  // All that is delivered belongs to the first flow here, unless there are others: then the link is full.
  columns.set(`${FORWARD_LINK_STREAM}/delivered_mbps`, flows.length === 1 ? (flows[0]?.throughput ?? []) : capacity);
  const steady: Pieces = [[duration_s, 30]];
  for (const [flow, { throughput, rtt }] of flows.entries()) {
    columns.set(`${receiverStream(flow)}/throughput_mbps`, throughput);
    columns.set(`${senderStream(flow)}/latest_rtt_ms`, rtt ?? steady);
  }
  const column: ColumnOf = (stream, name) => {
    const pieces = columns.get(`${stream}/${name}`);
    return pieces === undefined ? null : seriesOf(pieces);
  };
  return dynamicsOf(manifestOf(flows, duration_s), column);
}

describe('the course of a run', () => {
  test('one flow that needs two seconds, and again after an outage', () => {
    const found = dynamics(
      [
        {
          throughput: [
            [2, 30],
            [10, 100],
            [11, 0],
            [14, 40],
            [30, 100],
          ],
        },
      ],
      [
        [10, 100],
        [11, 0],
        [30, 100],
      ],
    );
    expect(found.rule).toMatchObject({ base_rtt_s: 0.02, window_s: 0.2, hold_s: 1, band: 0.2 });
    expect(found.convergence).toHaveLength(1);
    expect(found.convergence[0]?.final_share).toBeCloseTo(1, 9);
    // The window from 1.96 s has 0.16 of 0.2 s at 100: 86.
    expect(found.convergence[0]?.to_final_s).toBeCloseTo(1.96, 6);
    expect(found.convergence[0]?.to_fair_s).toBeCloseTo(1.96, 6);
    expect(found.recovery.map(({ kind }) => kind)).toEqual(['outage']);
    expect(found.recovery[0]?.recovered_after_s).toBeCloseTo(2.91, 1);
    expect(found.settling).toEqual([]);
    expect(found.jain).toEqual([]);
  });

  test('a flow that joins after ten seconds and has its part after four, and leaves again', () => {
    const found = dynamics(
      [
        {
          throughput: [
            [10, 100],
            [14, 90],
            [20, 50],
            [23, 50],
            [30, 100],
          ],
        },
        {
          start_s: 10,
          stop_s: 20,
          throughput: [
            [10, NaN],
            [14, 10],
            [20, 50],
            [30, NaN],
          ],
        },
      ],
      [[30, 100]],
    );
    expect(found.settling.map(({ at_s, joined, left, running }) => [at_s, joined, left, running])).toEqual([
      [10, [1], [], 2],
      [20, [], [1], 1],
    ]);
    // J of 90 and 10 is 0.61; a window of which 68 % is even has 63 and 37: 0.94, and the one before 71 and 29: 0.85.
    expect(found.settling[0]?.settled_after_s).toBeCloseTo(3.92, 6);
    expect(found.settling[1]?.settled_after_s).toBeCloseTo(2.88, 1);
    expect(found.convergence[0]?.to_fair_s).toBe(0);
    expect(found.convergence[1]?.to_fair_s).toBeCloseTo(3.92, 1);
  });

  test('boxes of throughput and of RTT, for windows that samples can tell and that fit', () => {
    const found = dynamics(
      [
        { throughput: [[30, 50]], rtt: [[30, 40]] },
        {
          throughput: [
            [15, 0],
            [30, 100],
          ],
          rtt: [[30, 40]],
        },
      ],
      [[30, 100]],
    );
    expect(found.jain.map(({ k }) => k)).toEqual([1, 2, 5, 10, 20, 50, 100, 500, 1000, 3000]);
    const of = (k: number) => found.jain.find((box) => box.k === k);
    // 20 and 40 ms are two and four samples; 60 s are more than there is.
    expect([of(1)?.throughput, of(2)?.throughput, of(3000)?.throughput]).toEqual([null, null, null]);
    expect(of(5)?.throughput?.least).toBeCloseTo(0.5, 9);
    // Three fifths of a window: 50 and 60, 12100 / (2 x 6100). Windows of 100 ms slide by 20.
    expect(of(5)?.throughput?.most).toBeCloseTo(0.9918, 4);
    expect(of(5)?.throughput?.p75).toBeCloseTo(0.9, 9);
    expect(of(5)?.rtt).toMatchObject({ p50: 1 });
    expect(of(1000)?.throughput?.n).toBe(501);
  });

  test('a link without limit has no shares, and a run without samples no course', () => {
    const manifest = manifestOf([{}, {}], 10);
    const unlimited = { ...manifest, forward: { ...manifest.forward, capacity: { kind: 'unlimited' as const } } };
    expect(dynamicsOf(unlimited, () => seriesOf([[10, 5]]))).toMatchObject({ convergence: [], recovery: [] });
    expect(dynamicsOf(manifest, () => null)).toMatchObject({ convergence: [], recovery: [], settling: [], jain: [] });
  });
});
