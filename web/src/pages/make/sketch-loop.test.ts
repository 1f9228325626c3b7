import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SketchLoop } from './sketch-loop';

interface Asked {
  readonly wanted: number;
  readonly how: string;
  readonly signal: AbortSignal;
  readonly answer: (sketch: string) => Promise<void>;
  readonly refuse: (error: Error) => Promise<void>;
}

let asked: Asked[];
let shown: string[];
let loop: SketchLoop<number, string>;

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  shown = [];
  loop = new SketchLoop<number, string>({
    ask: (wanted, how, signal) =>
      new Promise((resolve, reject) => {
        const settle = async (act: () => void): Promise<void> => {
          act();
          await vi.advanceTimersByTimeAsync(0);
        };
        asked.push({
          wanted,
          how,
          signal,
          answer: (sketch) => settle(() => resolve(sketch)),
          refuse: (error) => settle(() => reject(error)),
        });
      }),
    show: (sketch) => shown.push(sketch),
    fail: (error) => shown.push(error.message),
  });
});
afterEach(() => vi.useRealTimers());

const requests = (): string[] => asked.map(({ wanted, how }) => `${how} ${wanted}`);

describe('sketches of a slider that moves', () => {
  it('come one after the other, each of the latest, and every answer is shown', async () => {
    for (const value of [1, 2, 3]) loop.want(value);
    expect(requests()).toEqual(['coarse 1']);
    await asked[0]?.answer('one');
    expect(requests()).toEqual(['coarse 1', 'coarse 3']);
    await asked[1]?.answer('three');
    expect(shown).toEqual(['one', 'three']);
  });

  it('become exact once it rests', async () => {
    loop.want(1);
    await asked[0]?.answer('about one');
    await vi.advanceTimersByTimeAsync(199);
    expect(requests()).toEqual(['coarse 1']);
    await vi.advanceTimersByTimeAsync(1);
    expect(requests()).toEqual(['coarse 1', 'exact 1']);
    await asked[1]?.answer('one');
    expect(shown).toEqual(['about one', 'one']);
  });

  it('do not wait for an exact one that nobody wants any more, and do not show it', async () => {
    loop.want(1);
    await asked[0]?.answer('about one');
    await vi.advanceTimersByTimeAsync(200);
    loop.want(2);
    expect(requests()).toEqual(['coarse 1', 'exact 1', 'coarse 2']);
    expect(asked[1]?.signal.aborted).toBe(true);
    await asked[1]?.answer('one');
    await asked[2]?.answer('about two');
    expect(shown).toEqual(['about one', 'about two']);
  });

  it('go on after one that was refused', async () => {
    loop.want(1);
    loop.want(2);
    await asked[0]?.refuse(new Error('no'));
    await asked[1]?.answer('two');
    expect(shown).toEqual(['no', 'two']);
  });

  it('end with the page', async () => {
    loop.want(1);
    loop.stop();
    expect(asked[0]?.signal.aborted).toBe(true);
    await asked[0]?.answer('one');
    await vi.advanceTimersByTimeAsync(1000);
    expect(requests()).toEqual(['coarse 1']);
    expect(shown).toEqual([]);
  });
});
