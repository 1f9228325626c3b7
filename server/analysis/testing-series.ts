// Random series for tests of statistics.
import { generator } from '#analysis/seeds';

/** Standard normal draws (Box and Muller). */
export function normal(seed: number): () => number {
  const random = generator(seed);
  return () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** Mean 0, variance 1; each value remembers `r` of the one before. */
export function autoregressive(seed: number, length: number, r: number): number[] {
  const draw = normal(seed);
  let value = draw();
  return Array.from({ length }, () => (value = r * value + Math.sqrt(1 - r * r) * draw()));
}
