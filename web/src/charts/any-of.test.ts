import { expect, it } from 'vitest';
import { anyOf } from './any-of';
import type { Source } from './types';

class Feed implements Source {
  readonly listeners = new Set<() => void>();
  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  tell(): void {
    for (const listener of this.listeners) listener();
  }
}

it('tells what each of them tells, until nobody wants to know', () => {
  const [first, second] = [new Feed(), new Feed()];
  let told = 0;
  const stop = anyOf([first, second]).subscribe(() => (told += 1));
  first.tell();
  second.tell();
  second.tell();
  expect(told).toBe(3);
  stop();
  first.tell();
  second.tell();
  expect(told).toBe(3);
  expect([...first.listeners, ...second.listeners]).toEqual([]);
});
