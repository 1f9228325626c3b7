import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { z } from 'zod';
import { LARGEST_DELAYS_FILE, readDelays } from '#analysis/recorded-delays';
import { LIMITS, within } from '#protocol/limits';
import type { RecordedDelays } from '#protocol/recorded-delays';
import { AppError } from '../errors.ts';

const NamedDelays = z.looseObject({
  recorded: z.strictObject({ file: z.string().min(1), interval_ms: within(LIMITS.recorded_ms).positive().optional() }),
});

/** Delays that an element repeats and that are named by their file become what it holds. */
export async function withDelays(json: unknown, find: (file: string) => string): Promise<unknown> {
  const spec = z.looseObject({ elements: z.record(z.string(), z.unknown()) }).safeParse(json);
  if (!spec.success) return json;
  const one = async (element: unknown): Promise<unknown> => {
    const named = NamedDelays.safeParse(element);
    if (!named.success) return element;
    const { file, interval_ms } = named.data.recorded;
    return { ...named.data, recorded: await delaysOf(find(file), interval_ms) };
  };
  const elements: Record<string, unknown> = {};
  for (const [direction, path] of Object.entries(spec.data.elements))
    elements[direction] = Array.isArray(path) ? await Promise.all(path.map(one)) : path;
  return { ...spec.data, elements };
}

async function delaysOf(file: string, intervalMs: number | undefined): Promise<RecordedDelays> {
  const refuse = (why: string) => new AppError('SPEC_INVALID', `${file}: ${why}`);
  let text: string;
  try {
    if ((await stat(file)).size > LARGEST_DELAYS_FILE) throw refuse(`is larger than ${LARGEST_DELAYS_FILE} bytes`);
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw error instanceof AppError ? error : refuse(error instanceof Error ? error.message : String(error));
  }
  const read = readDelays(text, { name: basename(file), intervalMs });
  if (!read.ok) throw refuse(read.fault);
  return read.recorded;
}
