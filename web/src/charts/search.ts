// Searching ascending typed arrays of which only the first `to` elements count.

/** Index of the first element in [from, to) that is not below `value`; `to` if there is none. */
export function lowerBound(array: ArrayLike<number>, value: number, from: number, to: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((array[middle] ?? Infinity) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The same, fast when the answer is near `from`: doubling steps, then bisection. */
export function gallop(array: ArrayLike<number>, value: number, from: number, to: number): number {
  let step = 1;
  let low = from;
  while (low + step < to && (array[low + step] ?? Infinity) < value) {
    low += step;
    step *= 2;
  }
  return lowerBound(array, value, low, Math.min(low + step + 1, to));
}
