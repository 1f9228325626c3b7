// A slider's rail: whole places along it, and the value at each.

export interface Scale {
  readonly min: number;
  readonly max: number;
  /** `log`: round values, about evenly spread by decades. `zero-log`: the same, and zero before them. */
  readonly kind: 'linear' | 'log' | 'zero-log';
  /** Of a linear one: the distance of two places. */
  readonly step?: number;
  /** Of one by decades: whole numbers only. */
  readonly whole?: boolean;
}

/** What people say within a decade. */
const ROUND = [
  ...[1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9, 2, 2.2, 2.4, 2.6, 2.8, 3, 3.2, 3.5, 3.8],
  ...[4, 4.5, 5, 5.5, 6, 6.5, 7, 7.5, 8, 8.5, 9, 9.5],
];
const MOST_PLACES = 400;

const rounded = (value: number): number => Number(value.toPrecision(9));

/** The round values between two, and both. */
function decades({ min, max, whole = false }: Scale): number[] {
  const values = [min];
  for (let decade = Math.floor(Math.log10(min)); 10 ** decade < max; decade++)
    for (const mantissa of ROUND) {
      const value = rounded(mantissa * 10 ** decade);
      if (value > min && value < max && (!whole || Number.isInteger(value))) values.push(value);
    }
  return [...values, max];
}

function evenly({ min, max, step }: Scale): number[] {
  const by = step ?? 10 ** Math.floor(Math.log10((max - min) / 100));
  const count = Math.round((max - min) / by);
  return [...Array.from({ length: count }, (_, place) => rounded(min + place * by)), max];
}

const known = new WeakMap<Scale, readonly number[]>();

/** Of all places, from the least. */
function valuesOf(scale: Scale): readonly number[] {
  const before = known.get(scale);
  if (before !== undefined) return before;
  const { kind } = scale;
  const values = kind === 'linear' ? evenly(scale) : [...(kind === 'log' ? [] : [0]), ...decades(scale)];
  known.set(scale, values);
  return values;
}

/** The last place; the first one is 0. */
export const lastPlace = (scale: Scale): number => valuesOf(scale).length - 1;

/** The value at a place. */
export const valueAt = (scale: Scale, place: number): number => valuesOf(scale)[place] ?? scale.max;

/** The place that is nearest to a value. */
export function placeOf(scale: Scale, value: number): number {
  const values = valuesOf(scale);
  const { min, kind } = scale;
  const along = (at: number): number => (kind === 'linear' ? at : at <= 0 ? Math.log(min) - 1 : Math.log(at));
  let nearest = 0;
  for (const [place, each] of values.entries())
    if (Math.abs(along(each) - along(value)) < Math.abs(along(values[nearest] ?? 0) - along(value))) nearest = place;
  return nearest;
}

/** Values all along the rail, its ends among them. */
export function valuesAlong(scale: Scale, count: number): number[] {
  const last = lastPlace(scale);
  const places = Array.from({ length: count }, (_, i) => Math.round((i * last) / (count - 1)));
  return [...new Set(places.map((place) => valueAt(scale, place)))];
}

/** A scale for a range of which nothing else is known: by decades where it has several. */
export function scaleFor(min: number, max: number, whole: boolean): Scale {
  if (min > 0 && max / min >= 100 && !(whole && max - min <= MOST_PLACES)) return { min, max, kind: 'log', whole };
  return { min, max, kind: 'linear', ...(whole ? { step: Math.max(1, Math.ceil((max - min) / MOST_PLACES)) } : {}) };
}
