// The language that runs are looked for with: `cca:bbr tag:thesis trace:"lte walk" util<0.8 p95:50..100 -state:failed`. All terms must
// hold; of several values after a colon one, with = exactly; a minus turns a term round; words without a field are looked for in names.
import { RUN_FIELD, RUN_FIELDS, limitWord, type RunField } from '#analysis/run-fields';

/** Of the text: [from, to). */
export interface Place {
  readonly from: number;
  readonly to: number;
}
/** Numbers from `low` to `high`; `open`: the end itself is left out. */
export interface Within {
  readonly low: number;
  readonly high: number;
  readonly open: 'none' | 'low' | 'high';
}
interface Common {
  readonly not: boolean;
  readonly place: Place;
}
export type Term = Common &
  (
    | { readonly kind: 'anywhere'; readonly text: string }
    | {
        readonly kind: 'values';
        readonly field: RunField;
        readonly values: readonly string[];
        /** With `=`: all of it, and not a part or one of several. */
        readonly exact: boolean;
      }
    | { readonly kind: 'within'; readonly field: RunField; readonly ranges: readonly Within[] }
    | { readonly kind: 'date'; readonly field: RunField; readonly day: string }
    | { readonly kind: 'flag'; readonly field: RunField; readonly yes: boolean }
  );
export interface QueryFault extends Place {
  readonly detail: string;
}
export interface RunQuery {
  readonly terms: readonly Term[];
  readonly faults: readonly QueryFault[];
}

/** Longer ones nobody types, and each term costs. */
export const MOST_QUERY = 1000;
const MOST_TERMS = 40;

const HEAD = /^(-?)([a-z][a-z0-9_]*)(:|<=|>=|<|>|=)/i;

interface Word extends Place {
  /** As it was typed. */
  readonly text: string;
}

/** Words by blanks; a quoted part is one word whatever is in it. */
function wordsOf(query: string): { words: Word[]; open: Place | null } {
  const words: Word[] = [];
  let from = 0;
  let quoted = -1;
  for (let i = 0; i <= query.length; i++) {
    const at = query[i];
    if (at === '"') quoted = quoted < 0 ? i : -1;
    if (at !== undefined && (quoted >= 0 || !/\s/.test(at))) continue;
    if (i > from) words.push({ text: query.slice(from, i), from, to: i });
    from = i + 1;
  }
  return { words, open: quoted < 0 ? null : { from: quoted, to: query.length } };
}

/** Values between commas, quotes taken off. */
function valuesOf(text: string): string[] {
  const values: string[] = [''];
  let quoted = false;
  for (const character of text)
    if (character === '"') quoted = !quoted;
    else if (character === ',' && !quoted) values.push('');
    else values[values.length - 1] = `${values.at(-1) ?? ''}${character}`;
  return values.filter((value) => value !== '');
}

class Refused extends Error {}
const refuse = (detail: string): never => {
  throw new Refused(detail);
};

function numberOf(text: string, { id, example }: RunField): number {
  const value = text.trim() === '' ? NaN : Number(text);
  return Number.isFinite(value) ? value : refuse(`${id} is a number (${example}), not ${JSON.stringify(text)}`);
}

function rangeOf(operator: string, text: string, field: RunField): Within {
  const [first, second, more] = text.split('..');
  if (second !== undefined && more === undefined && (operator === ':' || operator === '=')) {
    const low = first === '' ? -Infinity : numberOf(first ?? '', field);
    const high = second === '' ? Infinity : numberOf(second, field);
    return low > high ? refuse(`${text}: the first is greater than the second`) : { low, high, open: 'none' };
  }
  const value = numberOf(text, field);
  switch (operator) {
    case '<':
      return { low: -Infinity, high: value, open: 'high' };
    case '<=':
      return { low: -Infinity, high: value, open: 'none' };
    case '>':
      return { low: value, high: Infinity, open: 'low' };
    case '>=':
      return { low: value, high: Infinity, open: 'none' };
    default:
      return { low: value, high: value, open: 'none' };
  }
}

const FLAGS: Readonly<Record<string, boolean>> = { yes: true, true: true, no: false, false: false };

type Meaning =
  Exclude<Term, { kind: 'anywhere' }> extends infer T ? (T extends Common ? Omit<T, keyof Common> : never) : never;

function meant(field: RunField, operator: string, rest: string): Meaning {
  const values = valuesOf(rest);
  const [first] = values;
  if (first === undefined) return refuse(`${field.id}${operator} wants a value (${field.example})`);
  if (field.kind === 'number')
    return { kind: 'within', field, ranges: values.map((value) => rangeOf(operator, value, field)) };
  if (operator !== ':' && operator !== '=') return refuse(`${field.id} is no number: write ${field.example}`);
  if (field.kind === 'flag') {
    const yes = FLAGS[first.toLowerCase()];
    return yes === undefined || values.length > 1 ? refuse(`${field.id} is yes or no`) : { kind: 'flag', field, yes };
  }
  if (field.kind === 'date')
    return /^\d{4}(-\d\d(-\d\d)?)?$/.test(first) && values.length === 1
      ? { kind: 'date', field, day: first }
      : refuse(`${field.id} wants a day (${field.example})`);
  return {
    kind: 'values',
    field,
    values: field.id === 'buffer' ? values.map(limitWord) : values,
    exact: operator === '=',
  };
}

const names = (): string => RUN_FIELDS.map(({ id }) => id).join(', ');

function termOf({ text, from, to }: Word): Term {
  const place = { from, to };
  const head = HEAD.exec(text);
  if (head === null) {
    const not = text.startsWith('-') && text.length > 1;
    return { kind: 'anywhere', text: text.slice(not ? 1 : 0).replaceAll('"', ''), not, place };
  }
  const [whole, minus, name = '', operator = ''] = head;
  const field = RUN_FIELD.get(name.toLowerCase());
  if (field === undefined) return refuse(`there is no field ${JSON.stringify(name)}: there are ${names()}`);
  return { ...meant(field, operator, text.slice(whole.length)), not: minus === '-', place };
}

/** Never throws: what is not understood is told, with its place. */
export function parseRunQuery(query: string): RunQuery {
  if (query.length > MOST_QUERY)
    return {
      terms: [],
      faults: [{ from: MOST_QUERY, to: query.length, detail: `longer than ${MOST_QUERY} characters` }],
    };
  const { words, open } = wordsOf(query);
  const terms: Term[] = [];
  const faults: QueryFault[] = open === null ? [] : [{ ...open, detail: 'this quotation mark has no other' }];
  for (const word of words) {
    try {
      terms.push(termOf(word));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      faults.push({ from: word.from, to: word.to, detail: error.message });
    }
  }
  const over = terms[MOST_TERMS];
  if (over !== undefined) faults.push({ ...over.place, detail: `more than ${MOST_TERMS} terms` });
  return { terms, faults };
}

/** Of a query that is not understood, as answers have it. */
export interface QueryProblem {
  readonly detail: string;
  readonly where: string;
  readonly faults: { where: string; detail: string }[];
}
export function queryProblem(faults: readonly QueryFault[]): QueryProblem | null {
  const [first] = faults;
  if (first === undefined) return null;
  return {
    detail: first.detail,
    where: `q, characters ${first.from + 1} to ${first.to}`,
    faults: faults.map(({ from, to, detail }) => ({ where: `${from}-${to}`, detail })),
  };
}

/** A value as it is written in a query. */
export const queryValue = (value: string): string =>
  /[\s",]/.test(value) || value === '' ? `"${value.replaceAll('"', '')}"` : value;
