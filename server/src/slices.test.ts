import { describe, expect, it } from 'vitest';
import { Slices } from './slices.ts';

/** Keeps the thread busy in steps of about a millisecond. */
function* busy(steps: number): Generator<void, number, undefined> {
  for (let step = 0; step < steps; step++) {
    const end = performance.now() + 1;
    while (performance.now() < end);
    yield;
  }
  return steps;
}

describe('slices', () => {
  it('let everybody else have turns while something long goes on', async () => {
    let turns = 0;
    let over = false;
    const look = (): void => {
      turns++;
      if (!over) setImmediate(look);
    };
    look();
    expect(await new Slices().run(busy(300))).toBe(300);
    over = true;
    // At most eight steps a turn.
    expect(turns).toBeGreaterThan(20);
  });

  it('are shared: what is short does not wait for the end of what is long', async () => {
    const slices = new Slices();
    const ended: string[] = [];
    await Promise.all([
      slices.run(busy(200)).then(() => ended.push('long')),
      slices.run(busy(5)).then(() => ended.push('short')),
    ]);
    expect(ended).toEqual(['short', 'long']);
  });

  it('end with the fault of a step, and others go on', async () => {
    const slices = new Slices();
    const faulty = function* (): Generator<void, void, undefined> {
      yield;
      throw new Error('no');
    };
    const other = slices.run(busy(20));
    await expect(slices.run(faulty())).rejects.toThrow('no');
    expect(await other).toBe(20);
  });

  it('are given up when nobody waits any more, and what was held is released', async () => {
    const controller = new AbortController();
    let steps = 0;
    let released = false;
    const endless = function* (): Generator<void, void, undefined> {
      try {
        for (;;) {
          if (++steps === 10) controller.abort(new Error('gone'));
          yield;
        }
      } finally {
        released = true;
      }
    };
    await expect(new Slices().run(endless(), controller.signal)).rejects.toThrow('gone');
    expect(released).toBe(true);
    expect(steps).toBe(10);
  });

  it('leave a work that waits for something, and come back to it', async () => {
    const slices = new Slices();
    const order: string[] = [];
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const waits = function* () {
      order.push('begun');
      yield gate;
      order.push('after the gate');
    };
    const other = function* () {
      yield;
      order.push('another');
      open();
    };
    await Promise.all([slices.run(waits()), slices.run(other())]);
    expect(order).toEqual(['begun', 'another', 'after the gate']);
  });
});
