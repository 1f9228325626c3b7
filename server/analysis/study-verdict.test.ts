import { describe, expect, test } from 'vitest';
import { resultsOf, type CellResult } from '#analysis/results';
import { accepted, isNearer, outcomeOf } from '#analysis/study-verdict';
import { sampleText } from '#analysis/study-outcome';
import { LISTING, experimentOf, type TestRun } from '#analysis/testing';
import { Claim } from '#protocol/study';

const TRACES = ['lte.down', '5g.down', 'umts.down'];
/** One run a trace, with a utilisation each. */
const solo = (cca: string, shares: readonly number[], more: Partial<TestRun> = {}): TestRun[] =>
  shares.map((utilisation, i) => ({ cca, utilisation, queueing_ms: 20, trace: TRACES[i] ?? '', ...more }));
const results = (runs: readonly TestRun[]): readonly CellResult[] => resultsOf(experimentOf(runs), LISTING.ccas);

type Tested = Extract<Claim['tested'], { measure: unknown }>;
function claim(expect: unknown, measure: object = {}): Tested {
  const whole = { experiment: 'solo', value: 'utilisation', by: 'cca', ...measure };
  const { tested } = Claim.parse({ id: 'a', text: 'a', tested: { measure: whole, expect, unit: '%', scale: 100 } });
  if ('not' in tested) throw new Error('it is tested');
  return tested;
}
const values = (paper: Record<string, unknown>, tolerance: object, more: object = {}) =>
  claim({ kind: 'values', paper, tolerance, ...more });

describe('what is accepted', () => {
  test('is the printed span with the tolerance on both sides', () => {
    expect(accepted({ from: 50, to: 70 }, { absolute: 5 })).toEqual({ from: 45, to: 75 });
    expect(accepted({ from: 50, to: 50 }, { relative: 0.1 })).toEqual({ from: 45, to: 55 });
    expect(accepted({ from: 4, to: 4 }, { factor: 2 })).toEqual({ from: 2, to: 8 });
    expect(accepted({ from: -4, to: -4 }, { factor: 2 })).toEqual({ from: -8, to: -2 });
    expect(accepted({ from: 80, to: null }, { absolute: 5 })).toEqual({ from: 75, to: null });
  });
});

describe('a claim in numbers', () => {
  const runs = results([...solo('base', [0.9, 0.8, 0.7]), ...solo('rival', [0.5, 0.6, 0.4])]);

  test('is of the mean over traces, with their interval, and holds within the tolerance', () => {
    const outcome = outcomeOf(values({ base: 84, rival: 50 }, { absolute: 5 }), runs);
    expect(outcome).toMatchObject({ verdict: 'holds', text: '2 of 2 within the tolerance' });
    const [base, rival] = outcome.points;
    expect(base?.ours).toMatchObject({ value: expect.closeTo(80, 9) as number, over: 'traces', n: 1 });
    expect(base?.ours?.low).toBeLessThan(70);
    expect(base?.ours?.high).toBeLessThanOrEqual(100);
    expect(rival).toMatchObject({ inside: true, accepted: { from: 45, to: 55 } });
    // By hand: 4 off of 5, and 0.
    expect(outcome.misfit).toBeCloseTo(0.4, 9);
  });

  test('how far off it is counts in factors where the tolerance is one', () => {
    // 80 is 16 times 5: four times the factor 2.
    expect(outcomeOf(values({ base: 5 }, { factor: 2 }), runs).misfit).toBeCloseTo(4, 9);
  });

  test('one out of the tolerance fails all, unless a share will do', () => {
    const paper = { base: 60, rival: 50 };
    expect(outcomeOf(values(paper, { absolute: 5 }), runs).verdict).toBe('fails');
    expect(outcomeOf(values(paper, { absolute: 5 }, { share: 0.5 }), runs).verdict).toBe('holds');
  });

  test('what is left of it is its direction: the order, or a side', () => {
    const off = { base: 20, rival: 10 };
    const verdict = (direction: object) => outcomeOf(values(off, { absolute: 5 }, { direction }), runs).verdict;
    expect(verdict({ tau: 0.9 })).toBe('direction');
    expect(verdict({ above: 45 })).toBe('direction');
    expect(verdict({ below: 45 })).toBe('fails');
    const turned = values({ base: 10, rival: 20 }, { absolute: 5 }, { direction: { tau: 0.9 } });
    expect(outcomeOf(turned, runs).verdict).toBe('fails');
  });

  test('spans have an open end', () => {
    expect(outcomeOf(values({ base: { from: 75 } }, { absolute: 0 }), runs)).toMatchObject({
      verdict: 'holds',
      text: expect.stringMatching(/^80 \(.*\) %, paper ≥ 75$/) as string,
    });
    expect(outcomeOf(values({ base: { to: 75 } }, { absolute: 0 }), runs).verdict).toBe('fails');
  });

  test('nothing is made up: not run is open, and what has no value fails by name', () => {
    expect(outcomeOf(values({ base: 80 }, { absolute: 5 }), [])).toMatchObject({ verdict: 'open', points: [] });
    expect(outcomeOf(values({ base: 80, absent: 1 }, { absolute: 5 }), runs)).toMatchObject({
      verdict: 'fails',
      text: 'nothing to tell of absent',
    });
  });

  test('a measure can be chosen, held against another, and taken at its extremes', () => {
    const at = (where: object, more: object = {}) =>
      outcomeOf(
        claim({ kind: 'values', paper: { all: 0 }, tolerance: { absolute: 1 } }, { by: 'all', where, ...more }),
        runs,
      ).points[0]?.ours?.value;
    expect(at({ cca: 'base', trace: 'lte.down' })).toBeCloseTo(90, 9);
    expect(at({ cca: ['base', 'rival'] }, { take: 'least' })).toBeCloseTo(40, 9);
    expect(at({ cca: ['base', 'rival'] }, { take: 'most' })).toBeCloseTo(90, 9);
    // 0.9 - 0.5, 0.8 - 0.6, 0.7 - 0.4: each trace with itself.
    expect(at({ cca: 'base' }, { against: { where: { cca: 'rival' }, how: 'difference' } })).toBeCloseTo(30, 9);
    expect(at({ cca: 'base' }, { against: { where: { cca: 'rival' }, how: 'ratio' } })).toBeCloseTo(
      (100 * (9 / 5 + 8 / 6 + 7 / 4)) / 3,
      9,
    );
  });

  test('a value that there is not is refused', () => {
    expect(() =>
      outcomeOf(claim({ kind: 'values', paper: { a: 1 }, tolerance: { absolute: 1 } }, { value: '__proto__' }), runs),
    ).toThrow('there is no value "__proto__"');
  });
});

describe('a claim of an order', () => {
  test('is judged by Kendall’s tau', () => {
    const runs = results([...solo('base', [0.9]), ...solo('rival', [0.5]), ...solo('slow', [0.7])]);
    const order = (paper: Record<string, number>) =>
      outcomeOf(claim({ kind: 'order', paper, holds: 0.9, direction: 0.3 }), runs);
    expect(order({ base: 3, slow: 2, rival: 1 })).toMatchObject({ verdict: 'holds', misfit: 0 });
    // One pair of three the other way round: (2 - 1) / 3.
    expect(order({ base: 2, slow: 3, rival: 1 })).toMatchObject({
      verdict: 'direction',
      text: 'Kendall’s τ 0.33, wanted 0.9',
    });
    expect(order({ base: 3, slow: 2, rival: 1 }).points.map(({ paper }) => paper)).toEqual([
      { text: 'most', from: null, to: null },
      { text: '2 of 3', from: null, to: null },
      { text: 'least', from: null, to: null },
    ]);
    expect(order({ base: 30, slow: 20, rival: 10 }).points[0]?.paper).toEqual({ text: '30', from: 30, to: 30 });
    expect(order({ base: 1, slow: 2, rival: 3 }).verdict).toBe('fails');
  });
});

describe('a claim of who is first', () => {
  const runs = results([
    ...solo('base', [0.9, 0.5]),
    ...solo('rival', [0.5, 0.6]),
    // References show what could be reached; they are no competitors.
    ...solo('seer', [1, 1]),
  ]);
  const first = (paper: Record<string, string[]>, more: object = {}, measure: object = {}) =>
    outcomeOf(claim({ kind: 'first', who: 'most', paper, ...more }, { by: 'trace', ...measure }), runs);

  test('at each key, and by half of them its direction', () => {
    expect(first({ 'lte.down': ['base'], '5g.down': ['rival', 'slow'] })).toMatchObject({
      verdict: 'holds',
      misfit: 0,
    });
    const half = first({ 'lte.down': ['base'], '5g.down': ['base'] });
    expect(half).toMatchObject({ verdict: 'direction', text: 'the same at 1 of 2' });
    expect(half.points[1]).toMatchObject({ inside: false, ours: { text: 'rival' } });
    expect(first({ 'lte.down': ['rival'], '5g.down': ['base'] }).verdict).toBe('fails');
  });

  test('those within the tie are first, too', () => {
    expect(first({ '5g.down': ['base'] }, { tie: 0.2 }).points[0]).toMatchObject({
      inside: true,
      ours: { text: 'rival, base' },
    });
  });

  test('over everything', () => {
    expect(first({ all: ['base'] }, {}, { by: 'all' }).verdict).toBe('holds');
  });
});

describe('a switch', () => {
  const outcome = (verdict: 'holds' | 'direction' | 'fails' | 'open', misfit: number | null) => ({
    verdict,
    misfit,
    text: '',
    points: [],
  });
  test('explains what it makes better, and not what it leaves', () => {
    expect(isNearer(outcome('fails', 4), outcome('direction', 5))).toBe(true);
    expect(isNearer(outcome('fails', 4), outcome('fails', 2))).toBe(true);
    expect(isNearer(outcome('fails', 4), outcome('fails', 3.9))).toBe(false);
    expect(isNearer(outcome('direction', 4), outcome('fails', 1))).toBe(false);
    expect(isNearer(outcome('fails', 4), outcome('open', null))).toBe(null);
  });
});

test('what is behind the numbers of a claim is told', () => {
  const point = (n: number, over: 'traces' | 'repetitions' | null) => ({
    key: 'a',
    paper: { text: '1', from: 1, to: 1 },
    accepted: null,
    ours: { text: '1', value: 1, low: null, high: null, n, over },
    inside: true,
  });
  expect(sampleText({ points: [point(3, 'traces'), point(5, 'repetitions')] })).toBe(
    '3 to 5 runs a cell, 95 % over repetitions and traces',
  );
  expect(sampleText({ points: [point(1, null)] })).toBe('1 run a cell, no interval');
  expect(sampleText({ points: [{ ...point(1, null), ours: null }] })).toBe('');
});
