import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** In pieces: standard output may be a pipe that somebody reads slowly. */
export const print = (pieces: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>): Promise<void> =>
  pipeline(Readable.from(pieces), process.stdout, { end: false });

/** Who has read enough (`| head`) wants no more. */
export function unlessNobodyReads(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'EPIPE')) throw error;
}
