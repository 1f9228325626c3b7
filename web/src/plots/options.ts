// Options of a figure come from an address that anybody may have edited: each key is checked alone, and falls back alone.
import { z } from 'zod';

export type OptionsSchema = z.ZodObject<Record<string, z.ZodType>>;

export interface ParsedOptions {
  readonly all: Record<string, unknown>;
  /** Only those that differ from their defaults. */
  readonly changed: Record<string, unknown>;
}

/** An option that can be set beside its figure. */
export interface OptionControl {
  readonly key: string;
  readonly title: string;
  /** null: yes or no. */
  readonly choices: readonly string[] | null;
  /** Words for the choices, when their ids are not words. */
  readonly labels: Readonly<Record<string, string>>;
}

const Told = z.object({ title: z.string(), labels: z.record(z.string(), z.string()).default({}) });

/** Those options that say what they are called (`.meta({ title })`), in the schema's order. */
export function controlsOf(schema: OptionsSchema): OptionControl[] {
  return Object.entries(schema.shape).flatMap(([key, option]): OptionControl[] => {
    const told = Told.safeParse(option.meta());
    const value = option instanceof z.ZodDefault ? option.unwrap() : option;
    if (!told.success) return [];
    if (value instanceof z.ZodBoolean) return [{ key, ...told.data, choices: null }];
    return value instanceof z.ZodEnum ? [{ key, ...told.data, choices: value.options.map(String) }] : [];
  });
}

export function parseOptions(schema: OptionsSchema, raw: Readonly<Record<string, unknown>>): ParsedOptions {
  const defaults: Record<string, unknown> = schema.parse({});
  const all: Record<string, unknown> = {};
  const changed: Record<string, unknown> = {};
  for (const [key, fallback] of Object.entries(defaults)) {
    const value = key in raw ? read(schema.shape[key], raw[key], fallback) : fallback;
    all[key] = value;
    if (value !== fallback) changed[key] = value;
  }
  return { all, changed };
}

/** An address holds text, and what looks like a number may be a choice that is called so. */
function read(schema: z.ZodType | undefined, raw: unknown, fallback: unknown): unknown {
  const parsed = [raw, String(raw)].map((value) => schema?.safeParse(value)).find((result) => result?.success === true);
  return parsed?.success === true ? parsed.data : fallback;
}
