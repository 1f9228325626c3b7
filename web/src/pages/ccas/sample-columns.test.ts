import { describe, expect, it } from 'vitest';
import type { RunRecord } from '#protocol/api';
import { sampleColumns } from './sample-columns';

const run = (utilisation: number, mean_ms: number, dropped: number): Pick<RunRecord, 'summary'> =>
  ({
    summary: {
      links: [
        { direction: 'reverse', utilisation: 0.5 },
        {
          direction: 'forward',
          utilisation,
          queueing_delay: { mean_ms, p95_ms: 2 * mean_ms },
          arrived_packets: 1e6,
          dropped_packets: dropped,
        },
      ],
      senders: [{ rtt: { mean_ms: mean_ms + 20 } }],
    },
  }) as unknown as Pick<RunRecord, 'summary'>;

const column = (runs: readonly Pick<RunRecord, 'summary'>[], title: string) => {
  const found = sampleColumns(runs).find((one) => one.title === title);
  return { unit: found?.unit, texts: found?.texts.map((text) => text.trim()) };
};

describe('the figures of samples beside one another', () => {
  it('are in one unit a column, with digits that can be compared', () => {
    const runs = [run(0.807, 8.497, 10_512), run(0.999, 2484.3, 0), run(1, 274.1, 2)];
    expect(column(runs, 'Queueing, mean')).toEqual({
      unit: 'ms',
      texts: ['8.5', expect.stringMatching(/^2.?480$/), '274'],
    });
    expect(column(runs, 'Utilisation')).toEqual({ unit: '%', texts: ['80.7', '99.9', '100'] });
    expect(column(runs, 'Dropped')).toEqual({ unit: '%', texts: ['1.05', '0', '<0.001'] });
    expect(column(runs, 'RTT, mean').texts?.[0]).toBe('28.5');
  });

  it('say nothing where nothing was measured', () => {
    expect(column([{ summary: null }, run(0.5, 10, 0)], 'Queueing, mean').texts).toEqual(['–', '10.0']);
  });
});
