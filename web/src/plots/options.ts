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
    const parsed = key in raw ? schema.shape[key]?.safeParse(raw[key]) : undefined;
    const value = parsed?.success === true ? parsed.data : fallback;
    all[key] = value;
    if (value !== fallback) changed[key] = value;
  }
  return { all, changed };
}
