import { describe, expect, it } from 'vitest';
import {
  baselineOf,
  baselineText,
  otherFields,
  questionOf,
  sideOf,
  sideOfBaseline,
  type Side,
} from '#analysis/baseline';
import { experimentOf, type TestRun } from '#analysis/testing';
import { Baseline } from '#protocol/baseline';
import { ExperimentSpec, type ExperimentSpecInput } from '#protocol/spec';

const OWN = `own-${'a'.repeat(40)}`;
const specOf = (more: Partial<ExperimentSpecInput> = {}): ExperimentSpec =>
  ExperimentSpec.parse({ traces: [{ rate_mbps: 12 }], ccas: [{ id: 'cubic' }], ...more });
const run = (cca: string, repetition: number, utilisation = 1 / 3): TestRun => ({
  cca,
  repetition,
  utilisation,
  queueing_ms: 10,
});
const NAMES = new Map([[OWN, 'Mine "1"']]);

const side = (measured: readonly TestRun[], names: ReadonlyMap<string, string> = new Map()): Side =>
  sideOf({ ...experimentOf(measured), spec: specOf(), engine_version: '1.2' }, names, 'here');

describe('a baseline', () => {
  it('is the same text for the same results, whatever their order, and comes back as it was', () => {
    const runs = [run('cubic', 0), run('cubic', 1, 0.5), run('bbr', 0), run('bbr', 1)];
    const text = baselineText(baselineOf(side(runs), 'main', 'abc'));
    const { spec: _spec, ...experiment } = experimentOf(runs);
    const shuffled = { ...experiment, runs: experiment.runs.toReversed(), spec: specOf(), engine_version: '1.2' };
    expect(baselineText(baselineOf(sideOf(shuffled, new Map(), 'here'), 'main', 'abc'))).toBe(text);
    expect(text).toContain('"utilisation": [0.333333333, 0.5]');
    expect(text.endsWith('}\n')).toBe(true);
    const back = sideOfBaseline(Baseline.parse(JSON.parse(text)));
    expect(back).toMatchObject({ called: 'main (abc)', engine_version: '1.2', seed: 1 });
    expect([...back.places.keys()].sort()).toEqual([...side(runs).places.keys()].sort());
    // What was rounded is no difference from what was not.
    const [key = ''] = back.places.keys();
    expect(back.places.get(key)?.runs).toEqual(side(runs).places.get(key)?.runs);
  });

  it('changes one line where one figure does', () => {
    const lines = (utilisation: number): string[] =>
      baselineText(baselineOf(side([run('cubic', 0, utilisation)]), 'main', undefined)).split('\n');
    const [before, after] = [lines(0.4), lines(0.41)];
    expect(before.length).toBe(after.length);
    const changed = before.filter((line, i) => line !== after[i]).map((line) => /"(\w+)"/.exec(line)?.[1]);
    expect(changed).toEqual(['loss', 'retransmitted', 'throughput', 'utilisation']);
  });

  it('leaves texts with brackets and blanks as they are', () => {
    const { places, ...rest } = baselineOf(side([run('cubic', 0)]), 'a [ 1  2 ] b', undefined);
    expect(JSON.parse(baselineText({ places, ...rest }))).toEqual(JSON.parse(JSON.stringify({ places, ...rest })));
  });

  it('counts a run once that several repetitions are', () => {
    const { cells, runs } = experimentOf([run('cubic', 0), run('cubic', 1)]);
    const same = runs.map((ref) => ({ ...ref, id: 'one' }));
    const found = sideOf({ cells, runs: same, spec: specOf(), engine_version: null }, new Map(), 'here');
    expect([...found.places.values()].map((place) => place.runs.length)).toEqual([1]);
  });

  it('calls own algorithms by what they call themselves', () => {
    expect([...side([run(OWN, 0)], NAMES).places.values()].map(({ at }) => at.cca)).toEqual(['own: Mine "1"']);
    const [mine, other] = [OWN, `own-${'b'.repeat(40)}`].map((id) =>
      questionOf(specOf({ ccas: [{ id }], flows: [{}, { cca: { id } }] }), new Map([[id, 'Mine']])),
    );
    expect(otherFields(mine ?? {}, other ?? {})).toEqual([]);
  });

  it('asks the same whatever engine, seed, repetitions and parameters, and nothing else', () => {
    const question = (more: Partial<ExperimentSpecInput>) => questionOf(specOf(more), new Map());
    const as = question({});
    const same = { seed: 9, repetitions: 7, name: 'x', note: 'y', ccas: [{ id: 'cubic', params: { beta: 0.5 } }] };
    expect(otherFields(as, question(same))).toEqual([]);
    expect(otherFields(as, question({ ccas: [{ id: 'bbr' }], duration_s: 30 }))).toEqual(['ccas', 'duration_s']);
    expect(otherFields(as, question({ trace_from_s: 3 }))).toEqual(['trace_from_s']);
  });
});
