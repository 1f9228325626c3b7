import { expect, it } from 'vitest';
import { MOST_RECENT, RunFeed } from './feed.ts';

it('knows the newest of very many changes, each run once', () => {
  const feed = new RunFeed((error) => {
    throw error;
  });
  for (let i = 0; i < 3 * MOST_RECENT; i++) feed.emit(`r${i}`, 'state');
  for (let i = 0; i < 10; i++) feed.emit('again', 'state');
  const recent = feed.recent();
  expect(recent).toHaveLength(MOST_RECENT);
  expect(recent.at(-1)).toBe('again');
  expect(recent.at(-2)).toBe(`r${3 * MOST_RECENT - 1}`);
  expect(new Set(recent).size).toBe(MOST_RECENT);
});
