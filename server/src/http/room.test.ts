import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { room } from './room.ts';

const full = (): PassThrough => {
  const to = new PassThrough({ highWaterMark: 10 });
  expect(to.write(Buffer.alloc(100))).toBe(false);
  return to;
};

const listeners = (to: PassThrough): number => to.listenerCount('drain') + to.listenerCount('close');

it('waits for a reader, however often, and leaves no listener behind', async () => {
  const to = full();
  const before = listeners(to);
  for (let i = 0; i < 30; i++) {
    const waiting = room(to);
    to.read();
    await waiting;
    expect(to.write(Buffer.alloc(100))).toBe(false);
    expect(listeners(to)).toBe(before);
  }
});

it('does not wait for who has gone', async () => {
  const to = full();
  const waiting = room(to);
  to.destroy();
  await waiting;
  await room(to);
});

it('ends as what it waits for fails', async () => {
  const to = full();
  to.on('error', () => undefined);
  const waiting = room(to);
  to.destroy(new Error('the line broke'));
  await expect(waiting).rejects.toThrow('the line broke');
});
