import { describe, expect, it } from 'vitest';
import { LISTING, summaryOf } from '#analysis/testing';
import { senderStream } from '#protocol/columns';
import { ExperimentSpec } from '#protocol/spec';
import { allKnobs } from '../what-if/knobs';
import { judge, type Asked } from './goals';
import { LESSONS, lessonOf } from './lessons';

describe('the lessons', () => {
  it('are ten, each with an address of its own, one cell and a solution of it', () => {
    expect(LESSONS).toHaveLength(10);
    expect(new Set(LESSONS.map(({ id }) => id)).size).toBe(10);
    for (const lesson of LESSONS) {
      expect(lessonOf(lesson.id)).toBe(lesson);
      const [first, after] = [lesson.spec, { ...lesson.spec, ...lesson.solution }].map((spec) =>
        ExperimentSpec.parse(spec),
      );
      expect(after).not.toEqual(first);
      for (const axis of ['traces', 'ccas', 'buffers', 'queues', 'base_rtt_ms', 'loss'] as const)
        expect(first?.[axis]).toHaveLength(1);
    }
  });

  it('offer what there is: fields, parameters, and knobs of their spec', () => {
    const fields = ['cca', 'discipline', 'transport'];
    for (const { offers, spec } of LESSONS) {
      const knobs = allKnobs(ExperimentSpec.parse(spec), LISTING, 180_000).map(({ id }) => id);
      for (const id of offers) if (!id.startsWith('cca/')) expect([...fields, ...knobs]).toContain(id);
      expect(offers.length).toBeGreaterThan(0);
    }
  });
});

describe('a question', () => {
  const run = (cwnd: readonly number[] = []): Asked => ({
    summary: summaryOf({
      utilisation: 0.9,
      queueing_ms: 30,
      p95_ms: 80,
      throughput_mbps: [6, 2],
      ccas: ['base', 'rival'],
    }),
    samples: {
      streams: new Map([
        [
          senderStream(0),
          {
            info: { stream: senderStream(0), kind: 'sender', flow: 0, cca: 'cubic', columns: [] },
            rows: cwnd.length,
            time: new Float64Array(cwnd.length),
            column: (name: string) => (name === 'cwnd_bytes' ? Float32Array.from([...cwnd, 7]) : undefined),
          },
        ],
      ]),
    },
  });
  const plain = (text: string): string => text.replaceAll('\u00a0', ' ');

  it('is answered within its bounds, and says how far a run is from them', () => {
    expect(judge({ metric: 'utilisation', at_least: 0.9 }, run()).met).toBe(true);
    expect(judge({ metric: 'utilisation', at_least: 0.91 }, run()).met).toBe(false);
    const { met, text } = judge({ metric: 'queueing_mean_ms', at_most: 20 }, run());
    expect([met, plain(text)]).toEqual([false, 'mean queueing delay 30.0 ms, asked for: at most 20.0 ms']);
    expect(judge({ metric: 'first_share', at_least: 0.7, at_most: 0.8 }, run()).met).toBe(true);
  });

  it('of samples is of the last one, and is not answered where there is none', () => {
    expect(judge({ metric: 'last_cwnd', at_least: 2000 }, run([5000, 3000])).met).toBe(true);
    expect(judge({ metric: 'last_cwnd', at_least: 4000 }, run([5000, 3000])).met).toBe(false);
    expect(judge({ metric: 'last_cwnd', at_least: 0 }, run()).met).toBe(false);
  });
});
