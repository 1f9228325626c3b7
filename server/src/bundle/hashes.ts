// What tells whether a run gave the same: hashes of its summary and of its samples.
import { createHash, hash } from 'node:crypto';
import { canonicalJson } from '#analysis/identity';
import type { RunSummary } from '#protocol/summary';
import type { RunReader } from '../jobs/run-reader.ts';

/** Of JSON in its canonical form; null: it is nested too deep to have one. */
export function jsonHash(value: unknown): string | null {
  try {
    return hash('sha256', canonicalJson(value), 'hex');
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

export const summaryHash = (summary: RunSummary): string => hash('sha256', canonicalJson(summary), 'hex');

/** Rows of a frame: where one begins does not depend on how they came in. */
const FRAME_ROWS = 4096;

/** Of all sample frames, stream by stream; null: there are none. */
export function samplesHash(reader: RunReader, run: string): string | null {
  const heads = [...reader.heads(run)].filter(([, rows]) => rows > 0).sort(([a], [b]) => a - b);
  if (heads.length === 0) return null;
  const sum = createHash('sha256');
  for (const [stream, rows] of heads)
    for (let from = 0; from < rows; from += FRAME_ROWS)
      sum.update(reader.read(run, stream, from, Math.min(from + FRAME_ROWS, rows)));
  return sum.digest('hex');
}
