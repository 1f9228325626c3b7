import { expect, test } from 'vitest';
import type { ExperimentCost } from '#protocol/workers';
import { madeText, spentText } from './Costs';

const going: ExperimentCost = {
  id: 'e',
  name: 'Of an afternoon',
  runs_done: 12,
  runs_total: 40,
  goes_on: true,
  cpu_s: 125,
  by_workers: 7,
  left_s: 0.2,
};

test('says how far an experiment is, and what it took', () => {
  expect(madeText(going)).toBe('12 of 40 runs, about 1\u00a0s left');
  expect(madeText({ ...going, runs_done: 1, runs_total: 1, left_s: null })).toBe('1 of 1 run');
  expect(spentText(going)).toBe('2\u00a0min 5\u00a0s of processor time, 7 runs by workers');
  expect(spentText({ ...going, by_workers: 0 })).toBe('2\u00a0min 5\u00a0s of processor time');
  // In real time, or before any run is over.
  expect(spentText({ ...going, cpu_s: null })).toBe('no run tells what it took');
});
