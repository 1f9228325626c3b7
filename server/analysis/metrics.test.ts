import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { METRICS, METRIC_IDS } from '#analysis/metrics';
import { SCENARIOS } from '#analysis/scores';

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

describe('metrics', () => {
  test('have names of their own', () => {
    for (const id of METRIC_IDS) expect(METRICS[id].id).toBe(id);
    expect(new Set(METRIC_IDS.map((id) => METRICS[id].column)).size).toBe(METRIC_IDS.length);
  });
});
