// Parameters in the address: `beta:0.5,hystart:off`.
import { changedParams } from '#analysis/params';
import type { ParamDescriptor } from '#protocol/cca';
import type { ParamValues } from '#protocol/spec';

/** Stands for the values that an algorithm has by itself. */
export const USUAL = 'usual';

function valueOf({ type }: ParamDescriptor, text: string): number | boolean | string | null {
  switch (type) {
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : null;
    case 'number':
    case 'integer':
      return text === '' || !Number.isFinite(Number(text)) ? null : Number(text);
    case 'choice':
    case 'weights':
      return text;
  }
}

/** As the form would take it; which networks there are only the server knows. */
function isAllowed({ type, min, max, choices }: ParamDescriptor, value: number | boolean | string): boolean {
  if (type === 'choice') return choices.includes(String(value));
  if (typeof value !== 'number') return true;
  return (
    (min === null || value >= min) && (max === null || value <= max) && (type === 'number' || Number.isInteger(value))
  );
}

export interface ReadParams {
  readonly values: ParamValues;
  /** What is no parameter of it, or no value. */
  readonly misread: readonly string[];
}

export function readParams(words: readonly string[], known: readonly ParamDescriptor[]): ReadParams {
  const values: Record<string, number | boolean | string> = {};
  const misread: string[] = [];
  for (const word of words) {
    const colon = word.indexOf(':');
    const param = known.find(({ name }) => name === word.slice(0, Math.max(0, colon)));
    const value = param === undefined ? null : valueOf(param, word.slice(colon + 1));
    if (param === undefined || value === null || !isAllowed(param, value)) misread.push(word);
    else values[param.name] = value;
  }
  return { values: changedParams(values, known), misread };
}

/** In the order of the parameters, so that the same values are the same address. */
export const writeParams = (values: ParamValues, known: readonly ParamDescriptor[]): string[] =>
  known.flatMap(({ name }) => (values[name] === undefined ? [] : [`${name}:${String(values[name])}`]));

/** The values of before, which may be the usual ones; null: there are none to look back at. */
export const readEarlier = (words: readonly string[], known: readonly ParamDescriptor[]): ParamValues | null => {
  if (words.length === 0) return null;
  return words[0] === USUAL ? {} : readParams(words, known).values;
};

export const writeEarlier = (values: ParamValues, known: readonly ParamDescriptor[]): string[] => {
  const words = writeParams(values, known);
  return words.length === 0 ? [USUAL] : words;
};
