import { estimateOf } from '#analysis/figures';
import { describe, expect, test } from 'vitest';
import { METRICS } from '#analysis/metrics';
import { ccaLabel } from '#analysis/cca-label';
import { resultsOf } from '#analysis/results';
import { LISTING, asEarlier, experimentOf, summaryOf } from '#analysis/testing';
import type { TestRun } from '#analysis/testing';

const results = (runs: readonly TestRun[], options = {}) => resultsOf(experimentOf(runs), LISTING.ccas, options);
const run = { cca: 'rival', utilisation: 0.9, queueing_ms: 10 } as const;

describe('results', () => {
  test('runs are sorted by cell, role and repetition', () => {
    const [cell, other] = results([
      { ...run, repetition: 1 },
      { ...run, repetition: 0 },
      { ...run, role: 'self_pair', ccas: ['rival', 'rival'] },
      { ...run, cca: 'base' },
    ]);
    expect(cell!.samples.solo.map((sample) => [sample.run, sample.repetition])).toEqual([
      ['run-1', 0],
      ['run-0', 1],
    ]);
    expect(cell!.samples.self_pair).toHaveLength(1);
    expect(other!.cca?.id).toBe('base');
  });

  test('runs that failed, were stopped or are not valid do not count, and say why', () => {
    const runs: TestRun[] = [
      { ...run, repetition: 0 },
      { ...run, repetition: 1, state: 'failed', reason: 'the child crashed' },
      { ...run, repetition: 2, state: 'cancelled' },
      { ...run, repetition: 3, duration_s: 10 },
      { ...run, repetition: 4, state: 'invalid', reason: 'it ran late' },
      { ...run, repetition: 5, state: 'running' },
    ];
    const [cell] = results(runs);
    expect(cell).toMatchObject({ planned: 6, pending: 1 });
    expect(cell!.samples.solo).toHaveLength(1);
    expect(cell!.excluded.map(({ repetition, reason }) => [repetition, reason])).toEqual([
      [1, 'the child crashed'],
      [2, 'it was stopped'],
      [3, 'it ended after 10 s of 60 s'],
      [4, 'it ran late'],
    ]);
    expect(results(runs, { includeInvalid: true })[0]!.samples.solo.map((s) => s.repetition)).toEqual([0, 3, 4]);
  });

  test('a CCA that the engine does not know is kept', () => {
    const [cell] = results([{ ...run, cca: 'gone', params: { x: 1 } }]);
    expect(cell!.cca).toBeNull();
    expect(ccaLabel(cell!.cell, cell!.cca)).toBe('gone (x 1)');
  });

  test('a network is named without the choice that it goes without saying with', () => {
    const weights = '4129f1c4'.repeat(8);
    const policy = { name: 'policy', label: 'Agent', help: '', unit: '', min: null, max: null, choices: [] };
    const cca = {
      label: 'Orca loop',
      params: [
        { ...policy, type: 'choice' as const, default: 'neutral', choices: ['neutral', 'rule', 'network'] },
        {
          ...{ ...policy, name: 'weights', type: 'weights' as const, default: '' },
          needed_with: { param: 'policy', value: 'network' },
        },
      ],
    };
    const label = (params: Record<string, string>): string => ccaLabel({ cca: { id: 'orca', params } }, cca);
    expect(label({ policy: 'network', weights })).toBe('Orca loop (weights 4129f1c4)');
    expect(label({ policy: 'rule' })).toBe('Orca loop (policy rule)');
    expect(label({ policy: 'rule', weights })).toBe('Orca loop (policy rule, weights 4129f1c4)');
  });
});

describe('metrics of a run', () => {
  const of = (id: keyof typeof METRICS, summary: ReturnType<typeof summaryOf>) => METRICS[id].of(summary);

  test('one flow, by hand', () => {
    // 12 Mbps for 60 s at utilisation 0.9: 54 000 packets; base RTT 20 ms, 30 ms in the queue.
    const summary = summaryOf({ utilisation: 0.9, queueing_ms: 30, p95_ms: 60 });
    expect(of('utilisation', summary)).toBe(0.9);
    expect(of('throughput', summary)).toBeCloseTo(10.8, 12);
    expect([of('queueing_mean', summary), of('queueing_p95', summary)]).toEqual([30, 60]);
    expect([of('rtt_mean', summary), of('rtt_p95', summary), of('delay_inflation', summary)]).toEqual([50, 80, 2.5]);
    expect([of('owd_mean', summary), of('owd_p95', summary)]).toEqual([40, 70]);
    expect(of('loss', summary)).toBeCloseTo(10 / 54_010, 12);
    expect(of('retransmitted', summary)).toBeCloseTo(10 / 54_010, 12);
  });

  test('what nobody can know of one flow is not known of all together', () => {
    const summary = summaryOf({ utilisation: 1, queueing_ms: 10, ccas: ['base', 'rival'], throughput_mbps: [9, 3] });
    const [base, rival] = summary.senders;
    const senders = [base!, { ...rival!, retransmitted_packets: null, loss_episodes: null, timeouts: null }];
    expect(of('retransmitted', summary)).not.toBeNull();
    expect(of('retransmitted', { ...summary, senders })).toBeNull();
    expect(of('loss', { ...summary, senders })).toBe(of('loss', summary));
  });

  test('several flows: bytes add up over the link’s time, delays are means over packets, percentiles of the merged histograms', () => {
    const summary = summaryOf({ utilisation: 1, queueing_ms: 10, ccas: ['base', 'rival'], throughput_mbps: [9, 3] });
    const senders = summary.senders.map((sender) =>
      sender.flow === 0
        ? { ...sender, rtt: { ...sender.rtt, count: 300, mean_ms: 100 } }
        : { ...sender, rtt: { ...sender.rtt, count: 100, mean_ms: 20 } },
    );
    expect(of('throughput', summary)).toBe(12);
    // A flow that ran for half of the time and was as fast brought half of the bytes: the link never carried 12 Mbps on average.
    const [long, short] = summary.receivers;
    const receivers = [long!, { ...short!, received_bytes: short!.received_bytes / 2 }];
    expect(of('throughput', { ...summary, receivers })).toBe(10.5);
    expect(of('jain', summary)).toBeCloseTo(144 / (2 * 90), 12); // (9 + 3)^2 / (2 (81 + 9))
    expect(of('jain', summaryOf({ utilisation: 1, queueing_ms: 10 }))).toBeNull();
    expect(of('rtt_mean', { ...summary, senders })).toBe(80); // (300 x 100 + 100 x 20) / 400
    expect([of('rtt_p95', summary), of('owd_p95', summary)]).toEqual([30, 20]);
    const together = { ...summary.all_flows!, rtt: { ...summary.all_flows!.rtt, p95_ms: 77 } };
    expect(of('rtt_p95', { ...summary, all_flows: together })).toBe(77);
    // Earlier engines told percentiles of each flow alone.
    expect([of('rtt_p95', asEarlier(summary)), of('owd_p95', asEarlier(summary))]).toEqual([null, null]);
    expect(of('queueing_p95', summary)).toBe(10);
  });

  test('a run in which nothing moved has no delays and no shares', () => {
    const summary = summaryOf({ utilisation: 0, queueing_ms: 0 });
    const idle = {
      ...summary,
      senders: summary.senders.map((s) => ({
        ...s,
        sent_packets: 0,
        rtt: { ...s.rtt, count: 0, mean_ms: null },
        delay_inflation: null,
      })),
      receivers: summary.receivers.map((r) => ({ ...r, owd: { ...r.owd, count: 0, mean_ms: null } })),
    };
    for (const id of [
      'rtt_mean',
      'delay_inflation',
      'rtt_inflation',
      'packet_delay_mean',
      'loss',
      'retransmitted',
    ] as const)
      expect(of(id, idle)).toBeNull();
  });

  test('the mean over repetitions leaves out what was not measured', () => {
    const [cell] = results([
      { ...run, utilisation: 0.8 },
      { ...run, utilisation: 0.6, repetition: 1 },
    ]);
    expect(estimateOf(METRICS.utilisation, cell!.samples.solo)).toMatchObject({ n: 2 });
    expect(estimateOf(METRICS.utilisation, cell!.samples.solo)?.mean).toBeCloseTo(0.7, 12);
    expect(estimateOf(METRICS.utilisation, cell!.samples.self_pair)).toBeNull();
  });
});

describe('queueing delays of a cell', () => {
  const told = (spread: number[] | undefined, repetition: number) => {
    const { runs, ...rest } = experimentOf([{ ...run, repetition }]);
    const [first] = runs;
    const summary = first!.summary!;
    const links = summary.links.map((link) => ({
      ...link,
      queueing_delay: { ...link.queueing_delay, ...(spread === undefined ? {} : { spread }) },
    }));
    return { ...rest, runs: [{ ...first!, id: `run-${repetition}`, repetition, summary: { ...summary, links } }] };
  };
  const pooled = (spreads: readonly (number[] | undefined)[]) => {
    const all = spreads.map(told);
    return resultsOf({ ...all[0]!, runs: all.flatMap(({ runs }) => runs) }, LISTING.ccas)[0]!.figures.queueing;
  };

  test('are those of all packets of its solo runs', () => {
    expect(
      pooled([
        [1, 5, 2, 5],
        [2, 10],
      ]),
    ).toEqual([
      { ms: 1, packets: 5 },
      { ms: 2, packets: 15 },
    ]);
  });

  test('are not known where a run of an earlier engine is among them', () => {
    expect(pooled([[1, 5], undefined])).toBeNull();
    expect(pooled([undefined])).toBeNull();
  });
});
