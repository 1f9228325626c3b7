// The address of a what-if: the spec of its cell, and which of the cell's runs is meant.
import { z } from 'zod';
import { ExperimentSpec } from '#protocol/spec';
import { shortSpec } from '../pages/new/draft';
import type { RawSearch } from '../ui/search';
import type { Place } from './plan';

export const specText = (spec: ExperimentSpec): string => JSON.stringify(shortSpec(spec));

/** The address of the what-if of one run of a cell. */
export const whatIfSearch = (cell: ExperimentSpec, { role, repetition }: Place): RawSearch => ({
  // Its repetition is the last one: those after it are not needed to make it.
  spec: specText({ ...cell, repetitions: repetition + 1 }),
  ...(role === 'solo' ? {} : { role }),
  ...(repetition === 0 ? {} : { rep: String(repetition) }),
});

/** A spec as an address says it: JSON, what is at its default left out. Empty: none. */
export const specCodec: z.ZodType<ExperimentSpec | null, string> = z.codec(
  z.string(),
  z.custom<ExperimentSpec | null>(),
  {
    decode: (text, { issues }) => {
      if (text === '') return null;
      const spec = ExperimentSpec.safeParse(parsed(text));
      if (spec.success) return spec.data;
      issues.push({ code: 'custom', input: text, message: 'this is no spec' });
      return z.NEVER;
    },
    encode: (spec) => (spec === null ? '' : specText(spec)),
  },
);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
