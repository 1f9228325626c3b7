import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { METRICS, METRIC_IDS } from '#analysis/metrics';
import { SCENARIOS } from '#analysis/scores';
import type { RunSummary } from '#protocol/summary';

const document = (name: string): string => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');
/** Cells of the table rows of a Markdown file. */
const rowsOf = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

describe('documentation', () => {
  test('lists every metric with its column and unit, and no other', () => {
    const rows = rowsOf(document('metrics.md')).filter(([, column]) => column?.startsWith('`'));
    expect(rows.map((row) => row.slice(0, 3))).toEqual(
      METRIC_IDS.map((id) => [METRICS[id].label, `\`${METRICS[id].column}\``, METRICS[id].unit]),
    );
  });

  test('lists every scenario with its weights', () => {
    const rows = rowsOf(document('scores.md')).filter(([, id]) => id?.startsWith('`'));
    expect(rows.map(([label, id, ...weights]) => [label, id, ...weights.map(Number)])).toEqual(
      SCENARIOS.map(({ label, id, weights: w }) => [label, `\`${id}\``, w.throughput, w.delay, w.intra, w.inter]),
    );
  });
});

describe('the processor time of the senders', () => {
  const link = { direction: 'forward', from_s: 2, to_s: 12 };
  const of = (...senders: readonly { readonly cpu_s?: number; readonly sent_packets: number }[]) => {
    const summary = { links: [link], senders, receivers: [] } as unknown as RunSummary;
    return [METRICS.cpu_percent.of(summary), METRICS.cpu_us_per_packet.of(summary)];
  };

  test('is over the time that they sent, and over their packets', () => {
    const found = of({ cpu_s: 0.6, sent_packets: 30_000 }, { cpu_s: 0.4, sent_packets: 70_000 });
    expect(found[0]).toBeCloseTo(10, 12);
    expect(found[1]).toBeCloseTo(10, 12);
  });

  test('is unknown, not 0, where one of them does not tell it', () => {
    expect(of({ cpu_s: 0.6, sent_packets: 30_000 }, { sent_packets: 70_000 })).toEqual([null, null]);
    expect(of({ sent_packets: 1 })).toEqual([null, null]);
    expect(of()).toEqual([null, null]);
    expect(of({ cpu_s: 0.1, sent_packets: 0 })[1]).toBeNull();
  });
});

describe('metrics', () => {
  test('have names of their own', () => {
    for (const id of METRIC_IDS) expect(METRICS[id].id).toBe(id);
    expect(new Set(METRIC_IDS.map((id) => METRICS[id].column)).size).toBe(METRIC_IDS.length);
  });
});
