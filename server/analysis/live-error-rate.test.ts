// Two runs of one link are called different at most as often as is said, and links that differ are told apart.
import { describe, expect, it } from 'vitest';
import { compareLive, SIGNIFICANT, verdictOf } from '#analysis/live-comparison';
import { autoregressive, normal } from '#analysis/testing-series';

type Link = (seed: number, length: number) => number[];

/** Rates in Mbps by tenths of a second. Each remembers so little that a minute is worth twenty independent values or more. */
const LINKS: Record<string, Link> = {
  'draws of their own': (seed, n) => autoregressive(seed, n, 0).map((v) => 40 + 5 * v),
  'a channel that remembers a second': (seed, n) => autoregressive(seed, n, 0.9).map((v) => 40 + 5 * v),
  'three seconds, within a skewed distribution': (seed, n) =>
    autoregressive(seed, n, 0.95).map((v) => 30 * Math.exp(v / 2)),
  // What a judge of neighbours alone takes for hundreds of independent values.
  'a slow wave under noise': (seed, n) => {
    const noise = normal(seed + 1_000_000);
    return autoregressive(seed, n, 0.95).map((v) => 40 + 5 * v + 5 * noise());
  },
  'a slower wave under louder noise': (seed, n) => {
    const noise = normal(seed + 1_000_000);
    return autoregressive(seed, n, 0.97).map((v) => 40 + 4 * v + 6 * noise());
  },
  'two cells, changed every two seconds': (seed, n) => {
    const change = normal(seed + 2_000_000);
    const noise = normal(seed);
    let fast = change() > 0;
    return Array.from({ length: n }, () => {
      if (Math.abs(change()) > 1.96) fast = !fast;
      return (fast ? 40 : 8) + noise();
    });
  },
  // What a sender hands over early in one interval is missing in the next.
  'bursts over a steady link': (seed, n) => {
    const ahead = Array.from({ length: n + 1 }, normal(seed));
    return Array.from({ length: n }, (_, i) => 48 + 20 * ((ahead[i + 1] ?? 0) - (ahead[i] ?? 0)));
  },
};

const MINUTE = 600;
const PAIRS = 150;

const judged = (live: readonly number[], emulated: readonly number[]) => {
  const spans = live.map((throughput_mbps, i) => ({ start_s: i / 10, end_s: (i + 1) / 10, throughput_mbps }));
  const run = { time: emulated.map((_, i) => (i + 1) / 10), values: emulated, rows: emulated.length };
  const compared = { intervals: spans, interval_s: 0.1, joined: 1, resolution_mbps: 0, side: 'receiver' } as const;
  const comparison = compareLive(compared, run, 0);
  if (comparison === null) throw new Error('there are intervals enough');
  return verdictOf(comparison);
};
const different = (live: Link, emulated: Link, pairs = PAIRS, length = MINUTE): number => {
  let found = 0;
  for (let i = 0; i < pairs; i++) if (!judged(live(2 * i + 1, length), emulated(2 * i + 2, length)).similar) found++;
  return found / pairs;
};

describe('two runs of one link', () => {
  it.each(Object.entries(LINKS))('are called different at most at the stated rate: %s', (_, link) => {
    // Three standard errors of a share of 5 % in 150 pairs are 5.3 points; the judge is careful, and stays below the rate itself.
    expect(different(link, link)).toBeLessThanOrEqual(SIGNIFICANT);
  });

  it('are not called different for want of values', () => {
    const slow: Link = (seed, n) => autoregressive(seed, n, 0.995).map((v) => 40 + 5 * v);
    expect(different(slow, slow, 60, 300)).toBeLessThanOrEqual(SIGNIFICANT);
    expect(judged(slow(1, 300), slow(2, 300)).decided).toBe(false);
  });
});

describe('links that differ', () => {
  const shifted =
    (link: Link, by: (rate: number) => number): Link =>
    (seed, n) =>
      link(seed, n).map(by);

  it.each([
    ['draws of their own', 'a twentieth faster', (rate: number) => rate + 2],
    ['a channel that remembers a second', 'a quarter faster', (rate: number) => rate + 10],
    ['a slow wave under noise', 'a third faster', (rate: number) => rate + 14],
    ['two cells, changed every two seconds', 'a fifth slower', (rate: number) => 0.8 * rate],
    ['draws of their own', 'as fast, but twice as uneven', (rate: number) => 40 + 2 * (rate - 40)],
  ])('are told apart: %s, %s', (name, _, by) => {
    const link = LINKS[name] ?? ((): number[] => []);
    expect(different(link, shifted(link, by), 40)).toBeGreaterThan(0.9);
  });
});
