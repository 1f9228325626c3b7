import { describe, expect, it } from 'vitest';
import type { Place, Side } from '#analysis/baseline';
import { judgeNotWorse, type Comparison } from '#analysis/expected-not-worse';
import type { Verdict } from '#analysis/expectation-verdict';
import { generator } from '#analysis/seeds';
import { NotWorse } from '#protocol/expectations';

type Values = readonly (readonly number[])[];

/** A place for each list, by the trace of its number; queueing delays by repetition. */
function placesOf(values: Values, trace = (i: number) => `t${i}`): Place[] {
  return values.map((own, i) => ({
    key: String(i),
    at: {
      cca: 'cubic',
      nth: i,
      role: 'solo',
      trace: { trace: trace(i) },
      trace_name: trace(i),
      buffer: { bdp: 1 },
      queue: { id: 'droptail', params: {} },
      base_rtt_ms: 20,
      loss: 0,
    },
    runs: own.map((value, repetition) => ({
      repetition,
      figures: { queueing_p95: value, utilisation: Math.min(1, value / 100) },
    })),
  }));
}

const side = (places: readonly Place[], seed = 1): Side => ({
  called: 'main',
  engine_version: '1',
  seed,
  params: [],
  question: {},
  places: new Map(places.map((place) => [place.key, place])),
});

interface Case {
  readonly before: Values;
  readonly now: Values;
  readonly trace?: (i: number) => string;
  readonly seed?: number;
  readonly more?: Partial<NotWorse>;
}

const comparison = ({ before, now, trace, seed, more }: Case): Comparison => ({
  expectation: NotWorse.parse({ metric: 'queueing_p95', not_worse_than: 'main.json', ...more }),
  before: side(placesOf(before, trace), seed),
  now: placesOf(now, trace),
  lacking: null,
});

const judged = (...cases: readonly Case[]): Verdict[] => judgeNotWorse(cases.map(comparison), 0.05, 1);

/** Normal by Box and Muller. */
const normal = (random: () => number) => (): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

const TEN = [50, 52, 48, 51, 49, 50, 53, 47, 50, 51];

describe('not worse than a baseline', () => {
  it('holds for what is the same, with however few repetitions, and costs the others nothing', () => {
    const [same, other] = judged({ before: [[50]], now: [[50]] }, { before: [TEN], now: [TEN.map((v) => v + 1)] });
    expect(same).toMatchObject({
      verdict: 'ok',
      found: expect.stringMatching(/^the same, 50\.0\sms$/) as string,
      n: 1,
      p: 1,
    });
    // One comparison could err: its p stands as it is.
    expect(other).toMatchObject({ verdict: 'broken', p: 2 ** -10 });
  });

  it('finds what is worse in all pairs, says by how much, and not what is better', () => {
    const [worse, better] = judged(
      { before: [TEN], now: [TEN.map((value) => value * 1.1)] },
      { before: [TEN], now: [TEN.map((value) => value * 0.9)] },
    );
    expect(worse).toMatchObject({ verdict: 'broken', n: 10, basis: '10 pairs, signs of 10 draws exchanged (exact)' });
    expect(worse?.found).toMatch(
      /^10 % worse \(9\.\d+ … 10\.\d+\), 50\.1\sms → 55\.1\sms; p = 0\.002 in view of 2 comparisons$/,
    );
    expect(worse?.interval?.low).toBeGreaterThan(0.09);
    expect(better).toMatchObject({ verdict: 'ok', p: 1 });
    const [more] = judged({ before: [TEN], now: [TEN.map((v) => v / 2)], more: { metric: 'utilisation' } });
    expect(more).toMatchObject({ verdict: 'broken', found: expect.stringContaining('25.1 points worse') as string });
  });

  it('allows a margin', () => {
    const pair = { before: [TEN], now: [TEN.map((value) => value * 1.05)] };
    expect(judged({ ...pair, more: { margin: 0.02 } })[0]?.verdict).toBe('broken');
    expect(judged({ ...pair, more: { margin: 0.06 } })[0]?.verdict).toBe('ok');
  });

  it('allows a margin in parts of what was, however large it is', () => {
    const times = (factor: number, margin: number, better = TEN): string | undefined =>
      judged({ before: [better], now: [TEN.map((value) => value * factor)], more: { margin } })[0]?.verdict;
    expect([times(1.19, 0.2), times(1.22, 0.2)]).toEqual(['ok', 'broken']);
    expect([times(2.9, 2), times(3.1, 2)]).toEqual(['ok', 'broken']);
    expect(times(1000, 10)).toBe('broken');
    const apart = (factor: number): string | undefined =>
      judged({ before: [TEN], now: [TEN.map((value) => value * factor).toReversed()], seed: 2, more: { margin: 2 } })[0]
        ?.verdict;
    expect([apart(2.5), apart(3.5)]).toEqual(['ok', 'broken']);
  });

  it('calls nothing ok that it could not have called worse', () => {
    const none = [0, 0, 0, 0, 0, 0];
    const [some] = judged({ before: [none], now: [[0, 0, 0.5, 0.6, 0.3, 0.4]] });
    expect(some).toMatchObject({ verdict: 'undecided', p: 1 / 16 });
  });

  it('says when too few repetitions can decide nothing, and how many would', () => {
    const [few] = judged({ before: [[50, 51, 52, 50]], now: [[90, 91, 92, 90]] });
    expect(few).toMatchObject({ verdict: 'undecided', p: 1 / 16 });
    expect(few?.reason).toMatch(
      /^too few repetitions: 5 would do where no pair is the same \(the smallest p that they can give is 0\.063, and 0\.05 is asked for\)$/,
    );
    const five = { before: [[50, 51, 52, 50, 50]], now: [[90, 91, 92, 90, 90]] };
    expect(judged(five)[0]?.verdict).toBe('broken');
    // Two of them need twice as small a p.
    expect(judged(five, five).map(({ verdict }) => verdict)).toEqual(['undecided', 'undecided']);
  });

  it('takes runs of a trace that share their draws for one', () => {
    const [one] = judged({
      before: [TEN, TEN, TEN],
      now: [TEN, TEN, TEN].map((own) => own.map((v) => v + 1)),
      trace: () => 't',
    });
    expect(one).toMatchObject({ n: 30, basis: '30 pairs, signs of 10 draws exchanged (exact)', p: 2 ** -10 });
  });

  it('tests cells by themselves where that is asked for', () => {
    const [cells] = judged({ before: [TEN, TEN], now: [TEN, TEN.map((v) => v + 1)], more: { of: 'cells' } });
    expect(cells).toMatchObject({ verdict: 'broken', where: 'cubic · 1 BDP · t1' });
  });

  it('does without pairs where the seeds are others', () => {
    const now = TEN.map((value) => value + 20).toReversed();
    const [other] = judged({ before: [TEN], now: [now], seed: 2 });
    expect(other?.verdict).toBe('broken');
    expect(other?.basis).toMatch(/^other seeds, no pairs: before and after exchanged among 20 repetitions of 1 trace/);
    const [few] = judged({ before: [[50, 51]], now: [[90, 91]], seed: 2 });
    expect(few).toMatchObject({
      verdict: 'undecided',
      reason: expect.stringMatching(/^too few repetitions \(/) as string,
    });
  });

  it('decides nothing where the baseline lacks a place, or runs have no result', () => {
    const before = comparison({ before: [TEN], now: [TEN] });
    const [gone] = judgeNotWorse([{ ...before, before: side([]) }], 0.05, 1);
    expect(gone).toMatchObject({ verdict: 'undecided', reason: 'the baseline has nothing of 1 of 1 cell' });
    const [failed] = judgeNotWorse([{ ...before, lacking: '1 of 10 runs did not end well' }], 0.05, 1);
    expect(failed).toMatchObject({ verdict: 'undecided', reason: '1 of 10 runs did not end well' });
  });
});

describe('the error rate of all comparisons together', () => {
  const random = normal(generator(7));
  const within = (times: number): number => 0.05 + 3 * Math.sqrt((0.05 * 0.95) / times);
  const share = (times: number, once: () => readonly Verdict[]): number =>
    Array.from({ length: times }, once).filter((own) => own.some(({ verdict }) => verdict === 'broken')).length / times;

  /** Three comparisons of two cells each, whose draws they share. */
  const paired = (shift: number) => (): Verdict[] => {
    const draws = Array.from({ length: 10 }, () => 100 + 10 * random());
    const noisy = (by: number): number[][] => [0, 1].map(() => draws.map((draw) => draw + 3 * random() + by));
    return judged(...[0, 1, 2].map(() => ({ before: noisy(0), now: noisy(shift), trace: () => 't' })));
  };
  const unpaired = (shift: number) => (): Verdict[] => {
    const fresh = (by: number): number[][] => [Array.from({ length: 8 }, () => 100 + 10 * random() + by)];
    return judged({ before: fresh(0), now: fresh(shift), seed: 2 });
  };

  it('is kept where nothing is worse, and pairs find what is', () => {
    const none = share(400, paired(0));
    expect(none).toBeLessThan(within(400));
    // Not because it never says anything.
    expect(none).toBeGreaterThan(0.005);
    expect(share(100, paired(6))).toBeGreaterThan(0.95);
  });

  it('is kept without pairs, which find a larger difference', () => {
    expect(share(150, unpaired(0))).toBeLessThan(within(150));
    expect(share(30, unpaired(25))).toBeGreaterThan(0.9);
  });
});
