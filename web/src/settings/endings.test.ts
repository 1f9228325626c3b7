import { describe, expect, it } from 'vitest';
import { Endings, percentText, progressOf } from './endings';

const item = (id: string, state: 'queued' | 'running' | 'done' | 'failed', done = 0, failed = 0) => ({
  id,
  name: id,
  state,
  runs_total: 10,
  runs_done: done,
  runs_failed: failed,
});

describe('how far all that goes on is', () => {
  it('counts runs, those that failed too, of what goes on only', () => {
    expect(progressOf([item('a', 'running', 3, 1), item('b', 'queued'), item('c', 'done', 10)])).toBe(0.2);
    expect(progressOf([item('c', 'done', 10)])).toBeNull();
  });

  it('is no hundred before it is over', () => {
    expect([0, 0.429, 0.9999, 1].map(percentText)).toEqual(['0\u00a0%', '42\u00a0%', '99\u00a0%', '99\u00a0%']);
  });
});

describe('what has ended', () => {
  it('is told once, with how long it was seen to go on', () => {
    const endings = new Endings();
    expect(endings.next([item('a', 'queued'), item('old', 'done')], 0)).toEqual([]);
    expect(endings.next([item('a', 'running', 5), item('b', 'running')], 4000)).toEqual([]);
    const [ended, ...others] = endings.next([item('a', 'failed', 5, 5), item('b', 'running')], 9000);
    expect([ended?.item.id, ended?.took_s, others]).toEqual(['a', 9, []]);
    expect(endings.next([item('a', 'failed', 5, 5), item('b', 'done')], 10_000).map((e) => e.item.id)).toEqual(['b']);
    expect(endings.next([item('a', 'failed'), item('b', 'done')], 11_000)).toEqual([]);
  });

  it('is not what was deleted meanwhile', () => {
    const endings = new Endings();
    endings.next([item('a', 'running')], 0);
    expect(endings.next([], 1000)).toEqual([]);
  });
});
