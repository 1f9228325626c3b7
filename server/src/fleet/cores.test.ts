import { expect, it } from 'vitest';
import { Cores } from './cores.ts';

const settled = async (): Promise<void> => {
  for (let i = 0; i < 5; i++) await Promise.resolve();
};

it('cores go to whoever came first, and nobody behind passes by', async () => {
  const cores = new Cores(3);
  const got: string[] = [];
  const take = async (name: string, count: number): Promise<() => void> => {
    const release = await cores.take(count);
    got.push(name);
    return release;
  };
  const a = await take('a', 2);
  const b = take('b', 2);
  const c = take('c', 1);
  await settled();
  // One core is free; c would find room, but b came first.
  expect([got, cores.busy]).toEqual([['a'], 2]);
  a();
  const [releaseB, releaseC] = await Promise.all([b, c]);
  expect([got, cores.busy]).toEqual([['a', 'b', 'c'], 3]);
  releaseB();
  releaseB();
  releaseC();
  expect(cores.busy).toBe(0);
});

it('who wants more cores than there are gets all of them', async () => {
  const cores = new Cores(2);
  const release = await cores.take(8);
  expect(cores.busy).toBe(2);
  release();
  expect(cores.busy).toBe(0);
});
