// Options of a figure come from an address that anybody may have edited: each key is checked alone, and falls back alone.
import type { z } from 'zod';

export type OptionsSchema = z.ZodObject<Record<string, z.ZodType>>;

export interface ParsedOptions {
  readonly all: Record<string, unknown>;
  /** Only those that differ from their defaults. */
  readonly changed: Record<string, unknown>;
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
