// View state in the address. Each page declares its parameters once; a parameter that is missing or not understood takes its default,
// a default is left out of the address, and parameters of other versions are kept as they are.
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { z } from 'zod';

export type RawSearch = Readonly<Record<string, string>>;

/** How one parameter is read from and written to text, and its value when it is absent. */
export interface Parameter<T> {
  readonly codec: z.ZodType<T, string>;
  readonly initial: T;
}
export type SearchShape = Readonly<Record<string, Parameter<unknown>>>;
export type SearchOf<S extends SearchShape> = { readonly [K in keyof S]: S[K] extends Parameter<infer T> ? T : never };

export interface Misread {
  readonly key: string;
  readonly value: string;
}

export const parseSearch = (text: string): RawSearch => Object.fromEntries(new URLSearchParams(text));

export function stringifySearch(search: Record<string, unknown>): string {
  const pairs = Object.entries(search).filter((pair): pair is [string, string] => typeof pair[1] === 'string');
  // Commas and colons are legal in a query and much easier to read.
  const text = new URLSearchParams(pairs)
    .toString()
    .replaceAll('%2C', ',')
    .replaceAll('%3A', ':')
    .replaceAll('%24', '$');
  return text === '' ? '' : `?${text}`;
}

export function readSearch<S extends SearchShape>(
  shape: S,
  raw: RawSearch,
): { values: SearchOf<S>; misread: Misread[] } {
  const misread: Misread[] = [];
  const values = Object.entries(shape).map(([key, { codec, initial }]) => {
    const value = raw[key];
    if (value === undefined) return [key, initial];
    const parsed = codec.safeParse(value);
    if (parsed.success) return [key, parsed.data];
    misread.push({ key, value });
    return [key, initial];
  });
  return { values: Object.fromEntries(values) as SearchOf<S>, misread };
}

export function writeSearch<S extends SearchShape>(shape: S, raw: RawSearch, change: Partial<SearchOf<S>>): RawSearch {
  const next: Record<string, string> = { ...raw };
  for (const [key, value] of Object.entries(change)) {
    const parameter = shape[key];
    if (parameter === undefined) continue;
    const text = z.encode(parameter.codec, value);
    if (text === z.encode(parameter.codec, parameter.initial)) Reflect.deleteProperty(next, key);
    else next[key] = text;
  }
  return next;
}

export interface SearchState<S extends SearchShape> {
  readonly search: SearchOf<S>;
  readonly misread: readonly Misread[];
  readonly raw: RawSearch;
  /** `replace` while something is being dragged; without it the browser's back button returns to the state before. */
  readonly setSearch: (change: Partial<SearchOf<S>>, options?: { replace?: boolean }) => void;
  readonly setRaw: (change: Readonly<Record<string, string | undefined>>, options?: { replace?: boolean }) => void;
}

export function useSearchState<S extends SearchShape>(shape: S): SearchState<S> {
  const raw: RawSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const { values, misread } = useMemo(() => readSearch(shape, raw), [shape, raw]);

  const go = useCallback(
    (next: (previous: RawSearch) => RawSearch, replace: boolean) =>
      void navigate({
        to: '.',
        search: (previous: RawSearch) => next(previous),
        replace,
        resetScroll: false,
      }),
    [navigate],
  );
  const setSearch = useCallback(
    (change: Partial<SearchOf<S>>, { replace = false } = {}) =>
      go((previous) => writeSearch(shape, previous, change), replace),
    [go, shape],
  );
  const setRaw = useCallback(
    (change: Readonly<Record<string, string | undefined>>, { replace = false } = {}) =>
      go((previous) => {
        const merged: Record<string, string | undefined> = { ...previous, ...change };
        return Object.fromEntries(
          Object.entries(merged).filter((pair): pair is [string, string] => pair[1] !== undefined),
        );
      }, replace),
    [go],
  );
  return { search: values, misread, raw, setSearch, setRaw };
}

// --- codecs that several pages use ---

export const text = z.string();

const finite = z.number();
export const numberText = z.codec(z.string().min(1), finite, {
  decode: (value) => Number(value),
  encode: (value) => String(Number(value.toPrecision(9))),
});
/** A number, or nothing. */
export const optionalNumber = z.codec(z.string(), finite.nullable(), {
  decode: (value) => (value === '' ? null : Number(value)),
  encode: (value) => (value === null ? '' : String(Number(value.toPrecision(9)))),
});

/** `12.5,20`: a range of seconds, or nothing. */
export const rangeText = z.codec(
  z.string(),
  z
    .tuple([finite, finite])
    .refine(([from, to]) => from < to)
    .nullable(),
  {
    decode: (value): [number, number] | null => {
      if (value === '') return null;
      const [from, to] = value.split(',').map(Number);
      return [from ?? Number.NaN, to ?? Number.NaN];
    },
    encode: (value) => (value === null ? '' : value.map((v) => String(Number(v.toFixed(4)))).join(',')),
  },
);

/** `a,b,c`. */
export const listText = z.codec(z.string(), z.array(z.string()), {
  decode: (value) => (value === '' ? [] : value.split(',').map((item) => item.trim())),
  encode: (value) => value.join(','),
});

export const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values) as z.ZodType<T[number], string>;
