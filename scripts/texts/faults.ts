// What is wrong with a translation: each placeholder of the English must be in it, once, and nothing else that looks like one.
import { NotAMessage, placeholders, plainText, read, type Parts } from './message.ts';
import type { Text } from './texts.ts';

const counted = (names: readonly string[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
};

/** Signs that no page shows, and that would stand in its code. */
// eslint-disable-next-line no-control-regex
const HIDDEN_SIGNS = /[\u0000-\u0009\u000b-\u001f\u007f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

const BRACKETS = ['{', '}', '<', '>'] as const;
/** What looks like a placeholder or like mark-up and is none: a bracket that the English does not have. */
function strayBrackets(english: Parts, parts: Parts): string[] {
  const count = (text: string, sign: string): number => text.split(sign).length - 1;
  return BRACKETS.filter((sign) => count(plainText(parts), sign) > count(plainText(english), sign)).map(
    (sign) => `it has a “${sign}” that belongs to no placeholder`,
  );
}

function faultsOfForm(english: Parts, form: string, optional: ReadonlySet<string>): string[] {
  if (form === '') return ['a form is empty'];
  if (HIDDEN_SIGNS.test(form)) return ['it has a control character in it'];
  let parts: Parts;
  try {
    parts = read(form);
  } catch (error) {
    if (error instanceof NotAMessage) return [error.message];
    throw error;
  }
  const stray = strayBrackets(english, parts);
  if (stray.length > 0) return stray;
  const wanted = counted(placeholders(english));
  const there = counted(placeholders(parts));
  return [...new Set([...wanted.keys(), ...there.keys()])].flatMap((name) => {
    const [has, should] = [there.get(name) ?? 0, wanted.get(name) ?? 0];
    if (has === should || (has === 0 && optional.has(name))) return [];
    if (should === 0) return [`${name} is not in the English`];
    return [has === 0 ? `${name} is missing` : `${name} is there ${has} times`];
  });
}

/** Every fault, in words. @param forms how many the language has */
export function faultOf(english: Text, given: readonly string[], forms: number): string[] {
  const wanted = english.many === undefined ? 1 : forms;
  if (given.length !== wanted) return [`it has ${given.length} forms, and should have ${wanted}`];
  // “One run” needs no number.
  const own = read(english.many ?? english.id);
  const optional = new Set(english.many === undefined ? [] : [english.counts ?? '']);
  return given.flatMap((form) => faultsOfForm(own, form, optional));
}
