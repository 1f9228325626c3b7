import { describe, expect, it } from 'vitest';
import { NewestRun } from './newest-run';

const run = (id: string, state: 'queued' | 'running' | 'done' | 'failed', time_s = state === 'done' ? 60 : 0) => ({
  id,
  state,
  time_s,
});

describe('the run that stands large', () => {
  it('is never one that waits: it has nothing to show', () => {
    const newest = new NewestRun([run('a', 'queued'), run('b', 'queued')]);
    expect(newest.shown).toBeNull();
    newest.hear(run('a', 'queued'));
    newest.hear(run('b', 'failed'));
    expect([newest.turn(), newest.shown]).toEqual([false, null]);
  });

  it('is at first the one that runs, or the last that has run', () => {
    expect(new NewestRun([run('a', 'done'), run('b', 'running'), run('c', 'queued')]).shown).toBe('b');
    expect(new NewestRun([run('a', 'done'), run('b', 'done'), run('c', 'queued')]).shown).toBe('b');
  });

  it('is held while it goes on, and then the newest of those that came meanwhile follows', () => {
    const newest = new NewestRun([run('a', 'running')]);
    newest.hear(run('b', 'done'));
    newest.hear(run('c', 'done'));
    expect([newest.turn(), newest.shown]).toEqual([false, 'a']);
    newest.hear(run('a', 'done'));
    expect([newest.turn(), newest.shown]).toEqual([true, 'c']);
  });

  it('stays when nothing newer has anything to show', () => {
    const newest = new NewestRun([run('a', 'done')]);
    newest.hear(run('b', 'queued'));
    expect([newest.turn(), newest.shown]).toEqual([false, 'a']);
  });
});
