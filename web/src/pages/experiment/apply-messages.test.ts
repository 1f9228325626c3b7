import { describe, expect, it } from 'vitest';
import type { ExperimentRecord, RunRef } from '#protocol/api';
import { applyMessages } from './apply-messages';

const run = (id: string, state: RunRef['state'], cell = 'c1'): RunRef => ({
  id,
  cell,
  role: 'solo',
  repetition: 0,
  state,
  reason: null,
  time_s: 0,
  summary: null,
});
const record = {
  id: 'e',
  state: 'queued',
  runs: [run('a', 'queued'), run('b', 'queued')],
  runs_done: 0,
  runs_total: 2,
  runs_failed: 0,
  eta_s: null,
} as unknown as ExperimentRecord;

describe('messages about an experiment', () => {
  it('takes the latest state of each run and of the whole', () => {
    const next = applyMessages(record, [
      { type: 'run', experiment: 'e', run: run('a', 'running') },
      { type: 'experiment', experiment: 'e', state: 'running', runs_done: 1, runs_failed: 0, runs_total: 2, eta_s: 3 },
      { type: 'run', experiment: 'e', run: run('a', 'done') },
    ]);
    expect(next.runs.map((r) => r.state)).toEqual(['done', 'queued']);
    expect(next).toMatchObject({ state: 'running', runs_done: 1, eta_s: 3 });
    expect(record.runs[0]?.state).toBe('queued');
  });

  it('changes nothing for messages about another experiment', () => {
    expect(applyMessages(record, [{ type: 'run', experiment: 'other', run: run('a', 'done') }])).toBe(record);
  });

  it('tells apart the same run in two cells of the matrix', () => {
    const both = { ...record, runs: [run('a', 'queued', 'c1'), run('a', 'queued', 'c2')] };
    const next = applyMessages(both, [{ type: 'run', experiment: 'e', run: run('a', 'done', 'c2') }]);
    expect(next.runs.map((r) => r.state)).toEqual(['queued', 'done']);
  });
});
