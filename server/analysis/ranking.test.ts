import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rank, rankMeasured, stability } from '#analysis/ranking';
import { resultsOf } from '#analysis/results';
import { SCENARIOS, TERMS } from '#analysis/scores';
import type { Term, Weights } from '#analysis/scores';
import { generator } from '#analysis/seeds';
import type { Interval } from '#analysis/statistics';
import { termTable } from '#analysis/terms';
import type { TermTable } from '#analysis/terms';
import { LISTING, experimentOf } from '#analysis/testing';
import type { TestRun } from '#analysis/testing';

const terms = (runs: readonly TestRun[]) => termTable(resultsOf(experimentOf(runs), LISTING.ccas));
const onlySolo: Weights = { throughput: 1, delay: 1, intra: 0, inter: 0 };
const mixed = SCENARIOS.find((scenario) => scenario.id === 'mixed')!.weights;

/** Runs of one CCA on an infinite queue, one per utilisation. */
const repeat = (cca: string, utilisations: readonly number[], more: Partial<TestRun> = {}): TestRun[] =>
  utilisations.map((utilisation, repetition) => ({ cca, utilisation, queueing_ms: 20, repetition, ...more }));

const pair = (cca: string, role: 'self_pair' | 'baseline_pair', jain: number): TestRun => ({
  cca,
  role,
  utilisation: 1,
  queueing_ms: 20,
  ccas: [cca, role === 'self_pair' ? cca : 'base'],
  fairness: [
    [1, jain],
    [50, jain],
  ],
});

describe('terms of an experiment', () => {
  test('averages over repetitions, then conditions; delay is inverted last', () => {
    const table = terms([
      ...repeat('rival', [0.8, 0.6]),
      { cca: 'rival', buffer: { bdp: 1 }, utilisation: 0.5, queueing_ms: 0 },
      pair('rival', 'self_pair', 0.9),
      pair('rival', 'baseline_pair', 0.6),
    ]);
    // Utilisation: (0.7 + 0.5) / 2. Inflation: 40 / 20 = 2 and 1, average 1.5, inverted 2/3 (not the mean of 1/2 and 1).
    const [rival] = table.ccas;
    expect(rival!.terms.throughput).toBeCloseTo(0.6, 12);
    expect(rival!.terms.delay).toBeCloseTo(2 / 3, 12);
    expect([rival!.terms.intra, rival!.terms.inter]).toEqual([0.9, 0.6]);
    expect(table).toMatchObject({ conditions: 2, repetitions: 1, matched: { throughput: 2, intra: 1 } });
  });

  test('only conditions that all CCAs have measured count', () => {
    const table = terms([
      { cca: 'base', utilisation: 0.9, queueing_ms: 10 },
      { cca: 'base', buffer: { bdp: 1 }, utilisation: 0.1, queueing_ms: 10 },
      { cca: 'rival', utilisation: 0.8, queueing_ms: 10 },
      { cca: 'rival', buffer: { bdp: 1 }, utilisation: 0.8, queueing_ms: 10, state: 'failed' },
      { cca: 'slow', utilisation: 0.8, queueing_ms: 10, state: 'failed' },
    ]);
    expect(table.ccas.map((cca) => cca.terms.throughput)).toEqual([0.9, 0.8, null]);
    expect([table.matched.throughput, table.conditions]).toEqual([1, 2]);
  });

  test('without pairs fairness is not measured; references take no part', () => {
    const table = terms([...repeat('rival', [0.8]), ...repeat('perfect', [1]), ...repeat('seer', [1])]);
    expect(table.ccas.map(({ label, terms: t }) => [label, t.intra, t.inter])).toEqual([['RIVAL', null, null]]);
  });
});

describe('ranking', () => {
  test('a clear winner is first, with an interval around its score', () => {
    const ranking = rank(
      terms([...repeat('base', [0.5, 0.52, 0.51]), ...repeat('rival', [0.9, 0.91, 0.92])]),
      onlySolo,
    );
    expect(ranking.tested).toBe(true);
    expect(ranking.ccas.map(({ label, rank: place, tied_with }) => [label, place, tied_with])).toEqual([
      ['RIVAL', 1, []],
      ['BASE', 2, []],
    ]);
    const [first] = ranking.ccas;
    // Delay term 20 / 40 = 0.5 for both.
    expect(first!.score.value).toBeCloseTo((0.91 + 0.5) / 2, 12);
    expect(first!.interval!.low).toBeLessThan(first!.score.value!);
    expect(first!.interval!.high).toBeGreaterThan(first!.score.value!);
  });

  test('what chance can explain is a tie', () => {
    const ranking = rank(terms([...repeat('base', [0.5, 0.9, 0.7]), ...repeat('rival', [0.8, 0.6, 0.8])]), onlySolo);
    expect(ranking.ccas.map((cca) => cca.rank)).toEqual([1, 1]);
    expect(ranking.ccas[0]!.tied_with).toEqual([ranking.ccas[1]!.key]);
  });

  test('repetitions are compared pairwise: a small but steady lead is a lead', () => {
    const base = [0.5, 0.6, 0.7, 0.8];
    const ranking = rank(
      terms([
        ...repeat('base', base),
        ...repeat(
          'rival',
          base.map((u) => u + 0.01),
        ),
      ]),
      onlySolo,
    );
    expect(ranking.ccas.map(({ label, rank: place }) => [label, place])).toEqual([
      ['RIVAL', 1],
      ['BASE', 2],
    ]);
  });

  test('of many that differ by chance none is called better: all comparisons together err one time in twenty', () => {
    const random = generator(3);
    const trials = 200;
    const names = ['base', 'rival', 'slow', 'seventh', 'eighth', 'ninth'];
    let wrong = 0;
    let pairs = 0;
    for (let i = 0; i < trials; i++) {
      const runs = names.flatMap((cca) =>
        repeat(
          cca,
          Array.from({ length: 5 }, () => 0.4 + 0.2 * random()),
        ),
      );
      const experiment = resultsOf(experimentOf(runs), LISTING.ccas);
      const ranking = rank(termTable(experiment, 1, 200), onlySolo);
      expect(ranking.comparisons).toBe(15);
      if (ranking.ccas.some(({ rank: place }) => place !== 1)) wrong++;
      if (ranking.ccas.some(({ p_next }) => p_next !== null && p_next < 0.05)) pairs++;
    }
    expect(wrong / trials).toBeLessThan(0.08);
    expect(pairs).toBeLessThanOrEqual(wrong);
  });

  test('a lead that is significant by itself is a tie among many, and p says how near it was', () => {
    const base = [0.5, 0.52, 0.51, 0.5];
    const lead = base.map((u, i) => u + [0.02, 0.05, 0.03, 0.04][i]!);
    const two = [...repeat('base', base), ...repeat('rival', lead)];
    const alone = rank(terms(two), onlySolo);
    expect(alone.ccas.map((cca) => cca.rank)).toEqual([1, 2]);
    const many = rank(
      terms([...two, ...['slow', 'eighth', 'ninth'].flatMap((cca) => repeat(cca, [0.3, 0.9, 0.1, 0.6]))]),
      onlySolo,
    );
    const first = many.ccas.find(({ label }) => label === 'RIVAL')!;
    expect(many.comparisons).toBe(10);
    expect(first.tied_with).toHaveLength(4);
    // Ten times what it is alone.
    expect(first.p_next! / alone.ccas[0]!.p_next!).toBeCloseTo(10, 5);
  });

  test('intervals over repetitions and over traces are apart: what differs between networks widens the second alone', () => {
    const levels = [0.2, 0.4, 0.6, 0.8];
    const over = (utilisations: readonly number[]) =>
      rank(
        terms(
          utilisations.flatMap((level, i) => repeat('base', [level - 0.01, level, level + 0.01], { trace: `t${i}` })),
        ),
        { throughput: 1, delay: 0, intra: 0, inter: 0 },
      );
    const wide = (interval: Interval | null) => interval!.high - interval!.low;
    const four = over(levels);
    expect(four.over).toEqual({ repetitions: 3, traces: 4 });
    expect(wide(four.ccas[0]!.interval)).toBeLessThan(0.03);
    // By hand: logit at 0.5 has slope 4; sd of the levels 0.2582, over sqrt 4, t(3) = 3.182: 0.5 within 1 / (1 + e^(-1.643)) = 0.838.
    expect(four.ccas[0]!.interval_traces!.high).toBeCloseTo(0.838, 1);
    expect(four.ccas[0]!.interval_traces!.low).toBeCloseTo(0.162, 1);
    expect(wide(over([0.5, 0.5, 0.5, 0.5]).ccas[0]!.interval_traces)).toBeCloseTo(0, 9);
    // Two networks say nothing of others.
    expect(over([0.4, 0.6]).ccas[0]!.interval_traces).toBeNull();
    expect(over([0.4, 0.6]).ccas[0]!.interval).not.toBeNull();
  });

  test('of many networks the interval over traces holds the mean of all such networks', () => {
    const random = generator(21);
    const trials = 200;
    const covered = { repetitions: 0, traces: 0 };
    for (let i = 0; i < trials; i++) {
      const runs = Array.from({ length: 6 }, (_, t) => {
        const level = 0.3 + 0.4 * random();
        return repeat(
          'base',
          Array.from({ length: 3 }, () => level + 0.02 * (random() - 0.5)),
          { trace: `t${t}` },
        );
      }).flat();
      const found = rank(termTable(resultsOf(experimentOf(runs), LISTING.ccas), 1, 300), {
        throughput: 1,
        delay: 0,
        intra: 0,
        inter: 0,
      }).ccas[0]!;
      const holds = ({ low, high }: Interval) => low <= 0.5 && high >= 0.5;
      if (holds(found.interval!)) covered.repetitions++;
      if (holds(found.interval_traces!)) covered.traces++;
    }
    // Two standard errors of 95 % of 200 are 3 %.
    expect(covered.traces / trials).toBeGreaterThan(0.9);
    expect(covered.repetitions / trials).toBeLessThan(0.5);
  });

  test('one repetition ranks by value, and says that nothing was tested', () => {
    const ranking = rank(
      terms([...repeat('base', [0.5]), ...repeat('rival', [0.6]), ...repeat('slow', [0.6])]),
      onlySolo,
    );
    expect(ranking.tested).toBe(false);
    expect(ranking.ccas.map((cca) => [cca.label, cca.rank, cca.interval])).toEqual([
      ['RIVAL', 1, null],
      ['SLOW', 1, null],
      ['BASE', 3, null],
    ]);
  });

  test('two repetitions rank by value: that both are better is chance one time in two', () => {
    const ranking = rank(terms([...repeat('base', [0.5, 0.6]), ...repeat('rival', [0.6, 0.61])]), onlySolo);
    expect(ranking.tested).toBe(false);
    expect(ranking.ccas.map((cca) => [cca.label, cca.rank, cca.tied_with, cca.interval])).toEqual([
      ['RIVAL', 1, [], null],
      ['BASE', 2, [], null],
    ]);
  });

  test('three leads of any size are chance one time in four: a tie, unless they agree', () => {
    const lead = (by: readonly number[]) =>
      rank(
        terms([
          ...repeat('base', [0.5, 0.5, 0.5]),
          ...repeat(
            'rival',
            by.map((more) => 0.5 + more),
          ),
        ]),
        onlySolo,
      ).ccas.map((cca) => cca.rank);
    expect(lead([0.01, 0.2, 0.3])).toEqual([1, 1]);
    expect(lead([0.2, 0.22, 0.21])).toEqual([1, 2]);
  });

  test('a CCA without the terms that count has no rank', () => {
    const runs = [
      ...repeat('base', [0.5]),
      pair('base', 'self_pair', 0.9),
      pair('base', 'baseline_pair', 0.9),
      ...repeat('rival', [0.6]),
    ];
    const ranking = rank(terms(runs), mixed);
    expect(ranking.ccas.map((cca) => [cca.label, cca.rank, cca.score.missing])).toEqual([
      ['BASE', 1, []],
      ['RIVAL', null, ['intra', 'inter']],
    ]);
  });

  test('weights that mean nothing rank nobody', () => {
    const ranking = rank(terms(repeat('base', [0.5, 0.6])), { throughput: 0, delay: 0, intra: 0, inter: 0 });
    expect(ranking.ccas.map((cca) => [cca.rank, cca.interval])).toEqual([[null, null]]);
  });

  test('is the same every time', () => {
    const runs = [...repeat('base', [0.5, 0.9, 0.7]), ...repeat('rival', [0.8, 0.6, 0.8])];
    expect(rank(terms(runs), mixed)).toEqual(rank(terms(runs), mixed));
  });
});

describe('ranking by what was measured', () => {
  const alone = [...repeat('base', [0.5]), ...repeat('rival', [0.6])];

  test('leaves out a term that nobody has measured, and scales the other weights to 1', () => {
    const { ranking, weights, left_out } = rankMeasured(terms(alone), mixed);
    expect(left_out).toEqual(['intra', 'inter']);
    expect(weights).toEqual({ throughput: 0.5, delay: 0.5, intra: 0, inter: 0 });
    // The delay term of both is 20 / 40.
    expect(ranking.ccas.map(({ label, rank: place, score }) => [label, place, score.value])).toEqual([
      ['RIVAL', 1, 0.55],
      ['BASE', 2, 0.5],
    ]);
  });

  test('keeps a term that some have measured: the others have no score', () => {
    const runs = [...alone, pair('base', 'self_pair', 0.9), pair('base', 'baseline_pair', 0.9)];
    const { ranking, weights, left_out } = rankMeasured(terms(runs), mixed);
    expect(left_out).toEqual([]);
    expect(weights).toEqual(mixed);
    expect(ranking).toEqual(rank(terms(runs), mixed));
  });

  test('ranks nobody when all of the weight lies on what was not measured', () => {
    const { ranking, left_out } = rankMeasured(terms(alone), { throughput: 0, delay: 0, intra: 1, inter: 1 });
    expect(left_out).toEqual([]);
    expect(ranking.ccas.map(({ rank: place, score }) => [place, score.missing])).toEqual([
      [null, ['intra', 'inter']],
      [null, ['intra', 'inter']],
    ]);
  });
});

describe('stability over all weightings', () => {
  const tableOfTerms = (rows: readonly (readonly (number | null)[])[]): TermTable => ({
    ccas: rows.map((row, i) => ({
      key: String(i),
      label: String(i),
      cca: null,
      terms: { throughput: row[0]!, delay: row[1]!, intra: row[2]!, inter: row[3]! },
      replicates: { throughput: null, delay: null, intra: null, inter: null },
      replicates_traces: { throughput: null, delay: null, intra: null, inter: null },
    })),
    matched: { throughput: 1, delay: 1, intra: 1, inter: 1 },
    conditions: 1,
    repetitions: 1,
    df: 0,
    traces: 1,
  });
  const shares = (rows: readonly (readonly (number | null)[])[]) =>
    stability(tableOfTerms(rows)).shares.map(({ share }) => share);

  test('who is better in everything is always first', () => {
    expect(
      shares([
        [0.9, 0.9, 0.9, 0.9],
        [0.8, 0.8, 0.8, 0.8],
      ]),
    ).toEqual([1, 0]);
  });

  test('mirror images share equally, equals too', () => {
    expect(
      shares([
        [1, 0, 0, 0],
        [0, 1, 0, 0],
      ])[0],
    ).toBeCloseTo(0.5, 9);
    for (const share of shares([
      [1, 0, 0, 0],
      [0, 1, 0, 0],
      [0, 0, 1, 0],
      [0, 0, 0, 1],
    ]))
      expect(share).toBeCloseTo(0.25, 9);
    expect(
      shares([
        [0.5, 0.5, 0.5, 0.5],
        [0.5, 0.5, 0.5, 0.5],
      ]),
    ).toEqual([0.5, 0.5]);
  });

  test('agrees with the volume computed by hand', () => {
    // A = (1, 0, 0, 0) beats B = (0, a, a, a) where w1 > a (1 - w1), that is w1 > a / (1 + a). On the simplex of four
    // weights P(w1 > t) = (1 - t)^3. a = 1/3: t = 1/4, (3/4)^3 = 0.4219.
    expect(
      shares([
        [1, 0, 0, 0],
        [0, 1 / 3, 1 / 3, 1 / 3],
      ])[0],
    ).toBeCloseTo(0.4219, 2);
    // a = 1: t = 1/2, 1/8.
    expect(
      shares([
        [1, 0, 0, 0],
        [0, 1, 1, 1],
      ])[0],
    ).toBeCloseTo(0.125, 2);
  });

  test('terms that are not measured for all are left out, and that is said', () => {
    const result = stability(
      tableOfTerms([
        [0.9, 0.2, null, 1],
        [0.2, 0.9, 1, null],
      ]),
    );
    expect(result.terms).toEqual(['throughput', 'delay']);
    expect(result.shares.map(({ share }) => share)).toEqual([0.5, 0.5]);
    expect(stability(tableOfTerms([]))).toEqual({ terms: [], shares: [] });
    expect(shares([[null, null, null, null]])).toEqual([0]);
  });

  test('shares sum to one, and the share of a CCA never falls when it gets better', () => {
    const row = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(row, { minLength: 2, maxLength: 4 }), fc.constantFrom(...TERMS.keys()), (rows, term) => {
        const before = shares(rows);
        expect(before.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 9);
        const better = rows.map((values, i) => (i === 0 ? values.map((v, t) => (t === term ? v + 0.1 : v)) : values));
        expect(shares(better)[0]).toBeGreaterThanOrEqual(before[0]! - 1e-9);
      }),
      { numRuns: 20 },
    );
  });

  test('names the terms it ranges over', () => {
    const all: readonly Term[] = TERMS;
    expect(stability(tableOfTerms([[1, 1, 1, 1]])).terms).toEqual(all);
  });
});
