// Deterministic randomness of the planner and of the bootstrap: the same inputs give the same numbers on every machine.
// The functions are those of native/core/random.hh.

const MASK = (1n << 64n) - 1n;

/** splitmix64 finaliser (Steele, Lea, Flood 2014): decorrelates related seeds. */
export function mix64(value: bigint): bigint {
  let z = (value + 0x9e3779b97f4a7c15n) & MASK;
  z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK;
  z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & MASK;
  return z ^ (z >> 31n);
}

const utf8 = new TextEncoder();

/** FNV-1a, 64 bit, of a text's UTF-8 bytes. */
export function fnv1a(text: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of utf8.encode(text)) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & MASK;
  return hash;
}

/** One 64-bit number out of a seed and the names of what it is for. The order of `parts` matters. */
export const derive = (seed: number, ...parts: readonly (string | number)[]): bigint =>
  extend(mix64(BigInt(seed)), ...parts);

/** More parts to what `derive` has given. */
export function extend(derived: bigint, ...parts: readonly (string | number)[]): bigint {
  let z = derived;
  for (const part of parts) z = mix64(z ^ (typeof part === 'number' ? BigInt(part) : fnv1a(part)));
  return z;
}

/** The upper 53 bits: the largest seed that JSON carries exactly. */
export const toSeed = (bits: bigint): number => Number(bits >> 11n);

/** The same as a fraction in [0, 1). */
export const toUnit = (bits: bigint): number => toSeed(bits) / 2 ** 53;

/** A generator of numbers in [0, 1) for resampling: mulberry32 (T. Ettinger), 2^32 draws, fast without 64-bit integers. */
export function generator(seed: number): () => number {
  let state = Number(mix64(BigInt(seed)) & 0xffffffffn);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
