import { describe, expect, test } from 'vitest';
import { answersOf } from '#analysis/experiment-answers';
import { resultsOf } from '#analysis/results';
import { LISTING, experimentOf, type TestRun } from '#analysis/testing';

const answers = (runs: readonly TestRun[]) => answersOf(resultsOf(experimentOf(runs), LISTING.ccas));
/** Utilisations of repetitions that all wait as long. */
const solo = (
  cca: string,
  utilisations: readonly number[],
  queueing_ms: number,
  more: Partial<TestRun> = {},
): TestRun[] => utilisations.map((utilisation, repetition) => ({ cca, utilisation, queueing_ms, repetition, ...more }));
const sentence = (runs: readonly TestRun[], scenario: string, network: string | null = 'lte.down') =>
  answers(runs).find((answer) => answer.scenario === scenario && answer.network === network);

describe('what an experiment answers', () => {
  const runs = [
    ...solo('base', [0.99, 0.98, 0.97], 180),
    ...solo('rival', [0.6, 0.61, 0.62], 2),
    ...solo('slow', [0.3, 0.29, 0.31], 100),
  ];

  test('one sentence an application: who is first, and who follows', () => {
    expect(answers(runs).map(({ scenario }) => scenario)).toEqual(['real-time', 'bulk', 'mixed']);
    expect(sentence(runs, 'real-time')?.text).toBe(
      'For real-time traffic over lte.down at a queue without limit: RIVAL, then BASE, SLOW.',
    );
    expect(sentence(runs, 'bulk')).toMatchObject({
      text: 'For large object transfer over lte.down at a queue without limit: BASE, then RIVAL, SLOW.',
      over: 'repetitions',
      repetitions: 3,
      left_out: ['Intra-fairness', 'Inter-fairness'],
    });
  });

  test('what a sweep does not change is no condition of its own', () => {
    const swept = [1, 2].flatMap((value) =>
      solo('rival', [0.6, 0.61, 0.62], 2 * value, {
        params: { gain: value },
        sweep: { path: 'ccas.rival.gain', value },
      }),
    );
    const changes = answers([...swept, ...solo('base', [0.99, 0.98, 0.97], 180)]).map(({ change }) => change ?? '');
    expect(changes.join(' ')).toMatch(/at 2 it is RIVAL \(gain 2\)/);
    expect(changes.join(' ')).not.toMatch(/\bat\s+(?:it|and|,)/);
  });

  test('the scores are those of the weights, in their proportions', () => {
    // By hand: 20 + 180 over 20 are 10 times the base RTT; 0.75 and 0.05 are what counts of throughput and delay.
    const [first] = sentence(runs, 'bulk')?.places ?? [];
    expect(first?.score).toBeCloseTo((0.75 * 0.98 + 0.05 / 10) / 0.8, 9);
  });

  test('who cannot be told apart shares a place', () => {
    const close = [
      ...solo('base', [0.9, 0.8, 0.7], 20),
      ...solo('rival', [0.7, 0.9, 0.81], 20),
      ...solo('slow', [0.1, 0.1, 0.1], 20),
    ];
    expect(sentence(close, 'bulk')?.text).toMatch(
      /: (BASE and RIVAL|RIVAL and BASE) tied first, then SLOW\.$|tied first, SLOW\.$/,
    );
  });

  test('with one repetition nothing is tested, and it says so', () => {
    const once = [...solo('base', [0.9], 20), ...solo('rival', [0.8], 20)];
    expect(sentence(once, 'bulk')).toMatchObject({ over: null, repetitions: 1 });
  });

  test('what would change it: the conditions with another first, and the weights', () => {
    const at = (bdp: number) => ({ buffer: { bdp } });
    const limits = [
      ...solo('base', [0.5], 10, at(1)),
      ...solo('rival', [0.9], 10, at(1)),
      ...solo('base', [0.99], 10, at(5)),
      ...solo('rival', [0.9], 10, at(5)),
      ...solo('base', [0.99], 11, at(10)),
      ...solo('rival', [0.9], 11, at(10)),
    ];
    const bulk = sentence(limits, 'bulk');
    expect(bulk?.text).toBe('For large object transfer over lte.down: RIVAL, then BASE.');
    expect(bulk?.change).toBe('at 5 BDP and at 10 BDP it is BASE.');
    expect(sentence(runs, 'real-time')?.change).toMatch(
      /^other weights \(RIVAL is first in \d+ % of all, BASE in \d+ %\)\.$/,
    );
  });

  test('over several networks it is networks that are drawn', () => {
    const traces = ['lte.down', '5g.down', 'umts.down'];
    const several = traces.flatMap((trace, i) => [
      ...solo('base', [0.9 + i * 0.01], 20, { trace }),
      ...solo('rival', [0.5 + i * 0.01], 20, { trace }),
    ]);
    const [overall, ...rest] = answers(several).filter(({ scenario }) => scenario === 'bulk');
    expect(overall).toMatchObject({ network: null, over: 'networks', traces: 3, repetitions: 1 });
    expect(overall?.text).toMatch(/over all 3 networks .*: BASE, then RIVAL\.$/);
    expect(rest.map(({ network }) => network)).toEqual(traces);
  });

  test('of one competitor there is nothing to tell, and references are none', () => {
    expect(answers([...solo('base', [0.9], 20), ...solo('seer', [1], 0)])).toEqual([]);
    expect(answers([])).toEqual([]);
  });
});
