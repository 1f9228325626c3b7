import { describe, expect, test } from 'vitest';
import { METRICS } from '#analysis/metrics';
import { basisNote, basisOf, delaysOf } from '#analysis/packet-delay';
import { harmTable } from '#analysis/harm';
import { resultsOf } from '#analysis/results';
import { tableOf } from '#analysis/table';
import { asEarlier, experimentOf, LISTING, summaryOf, type TestRun } from '#analysis/testing';
import type { RunSummary } from '#protocol/summary';

/** Packets waited longer than those of them that gave an RTT sample. */
function stalled(summary: RunSummary, rtt_ms: number): RunSummary {
  return {
    ...summary,
    senders: summary.senders.map((sender) => ({
      ...sender,
      rtt: { ...sender.rtt, mean_ms: rtt_ms },
      delay_inflation: rtt_ms / summary.base_rtt_ms,
    })),
  };
}

describe('the delay of packets', () => {
  // 20 ms there and back, 80 ms in the queue: 100 ms, five times the base RTT.
  const summary = summaryOf({ utilisation: 1, queueing_ms: 80 });

  test('counts what gave no RTT sample', () => {
    const flattered = stalled(summary, 40);
    expect(METRICS.rtt_inflation.of(flattered)).toBe(2);
    expect(METRICS.delay_inflation.of(flattered)).toBe(5);
    expect(METRICS.packet_delay_mean.of(flattered)).toBe(100);
    // Over 1.5 base RTTs, 30 ms.
    expect(METRICS.d3.of(flattered)).toBeCloseTo(100 / 30, 12);
    expect(basisOf([flattered])).toBe('packets');
    expect(basisNote('packets')).toBeNull();
  });

  test('holds what acknowledgements waited for a limited way back, by flow', () => {
    const [link] = summary.links;
    const queueing_delay = { ...link!.queueing_delay, mean_ms: 15 };
    const back = { ...link!, direction: 'reverse' as const, flows: [{ flow: 0, queueing_delay }] };
    expect(METRICS.packet_delay_mean.of({ ...summary, links: [link!, back] })).toBe(115);
  });

  test('is held against a flow’s own base RTT, and each flow counts by its packets', () => {
    const two = summaryOf({ utilisation: 1, queueing_ms: 80, ccas: ['a', 'b'] });
    const receivers = two.receivers.map((receiver, flow) => ({
      ...receiver,
      owd: { ...receiver.owd, count: flow === 0 ? 300 : 100 },
      base_rtt_ms: flow === 0 ? 20 : 40,
    }));
    expect(delaysOf({ ...two, receivers }).flows.map(({ mean_ms, inflation }) => [mean_ms, inflation])).toEqual([
      [100, 5],
      [120, 3],
    ]);
    expect(METRICS.delay_inflation.of({ ...two, receivers })).toBe(4.5);
  });

  test('of a run of an earlier version is its RTT samples’, and that is said', () => {
    const earlier = asEarlier(stalled(summary, 40));
    expect([METRICS.delay_inflation.of(earlier), METRICS.packet_delay_mean.of(earlier)]).toEqual([2, 40]);
    expect(basisOf([earlier])).toBe('rtt');
    expect(basisOf([earlier, summary])).toBe('mixed');
    expect(basisNote('rtt')).toMatchObject({ text: 'of RTTs' });
    const [row] = tableOf(
      resultsOf(experimentOf([{ cca: 'rival', utilisation: 1, queueing_ms: 80, earlier: true }]), LISTING.ccas),
    );
    expect(row).toMatchObject({ delay_basis: 'rtt' });
    expect(row!.metrics.delay_inflation?.mean).toBe(5);
  });

  test('without a flow’s least delay all flows stand on RTTs; a flow of which nothing came has no say', () => {
    const two = summaryOf({ utilisation: 1, queueing_ms: 80, ccas: ['a', 'b'] });
    const [first, second] = two.receivers;
    const { base_owd_ms: _, ...unknown } = second!;
    expect(delaysOf({ ...two, receivers: [first!, unknown] })).toMatchObject({ basis: 'rtt', flows: [{}, {}] });
    const none = { count: 0, mean_ms: null, p50_ms: null, p95_ms: null, p99_ms: null, max_ms: null };
    const silent = {
      ...two,
      senders: [two.senders[0]!, { ...two.senders[1]!, rtt: none, delay_inflation: null }],
      receivers: [first!, { ...unknown, owd: none }],
    };
    expect(delaysOf(silent)).toMatchObject({ basis: 'packets', flows: [{ flow: 0, mean_ms: 100 }] });
    expect(basisOf([{ ...silent, senders: [], receivers: [] }])).toBeNull();
  });

  test('without a base RTT there is no inflation but the optimal’s', () => {
    const nothing = summaryOf({ utilisation: 1, queueing_ms: 0, base_rtt_ms: 0 });
    const told = (delay_inflation: number | null): RunSummary => ({
      ...nothing,
      senders: nothing.senders.map((sender) => ({ ...sender, delay_inflation })),
    });
    expect(METRICS.delay_inflation.of(told(null))).toBeNull();
    expect(METRICS.delay_inflation.of(told(1))).toBe(1);
  });
});

describe('harm in delay', () => {
  const alone: TestRun = { cca: 'base', utilisation: 1, queueing_ms: 80 };
  const beside: TestRun = { ...alone, cca: 'rival', role: 'baseline_pair', ccas: ['rival', 'base'], queueing_ms: 180 };
  const harmOf = (runs: readonly TestRun[], change: (summary: RunSummary) => RunSummary = (s) => s) => {
    const record = experimentOf([...runs, { ...alone, role: 'self_pair', ccas: ['base', 'base'] }]);
    const changed = record.runs.map((run) => (run.summary === null ? run : { ...run, summary: change(run.summary) }));
    const table = harmTable(resultsOf({ ...record, runs: changed }, LISTING.ccas));
    return table.results.find(({ label }) => label === 'RIVAL')!;
  };

  test('is that of the packets: 100 ms alone and 200 beside the rival, whatever the samples say', () => {
    const harm = harmOf([alone, beside], (summary) => stalled(summary, 50));
    expect([harm.delay?.mean, harm.delay_basis]).toEqual([100, 'packets']);
  });

  test('is that of RTTs where one of the two runs has no more, and of an earlier experiment', () => {
    const mixed = harmOf([{ ...alone, earlier: true }, beside]);
    expect([mixed.delay?.mean, mixed.delay_basis]).toEqual([100, 'rtt']);
    const then = harmOf(
      [
        { ...alone, earlier: true },
        { ...beside, earlier: true },
      ],
      (s) => asEarlier(s),
    );
    expect([then.delay?.mean, then.delay_basis]).toEqual([100, 'rtt']);
  });
});
