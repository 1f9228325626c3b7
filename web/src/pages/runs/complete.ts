// What could follow at the caret of a query: the name of a field, or a value of one.
import { RUN_FIELD, RUN_FIELDS, type RunField } from '#analysis/run-fields';
import { queryValue } from '#analysis/run-query';

export interface Open {
  /** What a choice replaces. */
  readonly from: number;
  readonly to: number;
  readonly part: string;
  /** null: a field is being named. */
  readonly field: RunField | null;
}

/** The word at the caret, by blanks outside of quotes. */
function wordAt(query: string, caret: number): { readonly from: number; readonly text: string } {
  let from = 0;
  let quoted = false;
  for (let i = 0; i < caret; i++) {
    if (query[i] === '"') quoted = !quoted;
    if (!quoted && /\s/.test(query[i] ?? '')) from = i + 1;
  }
  return { from, text: query.slice(from, caret) };
}

export function openAt(query: string, caret: number): Open | null {
  const { from, text } = wordAt(query, caret);
  const [head, minus = '', name = '', operator] = /^(-?)([a-z0-9_]*)(:|=|<=?|>=?)?/i.exec(text) ?? [''];
  if (operator === undefined)
    return head.length < text.length
      ? null
      : { from: from + minus.length, to: caret, part: name.toLowerCase(), field: null };
  const field = RUN_FIELD.get(name.toLowerCase());
  if (field === undefined) return null;
  // After a comma another value begins.
  const begun = text.slice(head.length);
  const last = begun.lastIndexOf(',') + 1;
  const part = begun.slice(last).replaceAll('"', '').toLowerCase();
  return { from: from + head.length + last, to: caret, part, field };
}

export interface Choice {
  readonly text: string;
  readonly means: string;
}

const FLAGS: readonly Choice[] = ['yes', 'no'].map((text) => ({ text, means: '' }));
const MOST = 12;

/** `values`: what there is of the field at the caret. */
export function choicesFor({ part, field }: Open, values: readonly string[]): Choice[] {
  if (field === null) {
    const begins = RUN_FIELDS.filter(({ id }) => id.startsWith(part));
    const within = RUN_FIELDS.filter(({ id, label }) => !id.startsWith(part) && label.toLowerCase().includes(part));
    return [...begins, ...(part === '' ? [] : within)].map(({ id, kind, means }) => ({
      text: kind === 'number' ? `${id}<` : `${id}:`,
      means,
    }));
  }
  const offered = field.kind === 'flag' ? FLAGS : values.map((text) => ({ text: queryValue(text), means: '' }));
  return offered.filter(({ text }) => text.toLowerCase().includes(part) && text.toLowerCase() !== part).slice(0, MOST);
}

/** The query with the choice in it, and where the caret is then. */
export function chosen(query: string, { from, to, field }: Open, { text }: Choice): { query: string; caret: number } {
  const after = field === null ? '' : ' ';
  const rest = query.slice(to).replace(/^\S*/, '');
  const tail = after === ' ' && rest.startsWith(' ') ? rest.slice(1) : rest;
  const begun = `${query.slice(0, from)}${text}${after}`;
  return { query: begun + tail, caret: begun.length };
}
