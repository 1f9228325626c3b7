import type { z } from 'zod';

/** Null where it is not what it should be: others may write to Redis, too. */
export function parsed<T>(schema: z.ZodType<T>, text: string | null | undefined): T | null {
  if (text === null || text === undefined) return null;
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
