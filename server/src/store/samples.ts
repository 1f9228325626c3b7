import { z } from 'zod';
import type { SampleSlice } from '#protocol/samples';
import type { Db } from './database.ts';

export interface SampleBlob extends SampleSlice {
  readonly stream: number;
}
export interface StoredControl {
  readonly seq: number;
  /** JSON. */
  readonly body: string;
}

const BlobRow = z.object({ first_row: z.int(), rows: z.int(), payload: z.instanceof(Uint8Array) });
const HeadRow = z.object({ stream: z.int(), rows: z.int() });
const ControlRow = z.object({ seq: z.int(), body: z.string() });

const sliceOf = (found: unknown): SampleSlice => {
  const { first_row, rows, payload } = BlobRow.parse(found);
  return { firstRow: first_row, rows, payload };
};

export class SampleStore {
  readonly #insert;
  readonly #insertControl;
  readonly #slices;
  readonly #heads;
  readonly #controls;
  readonly #deleteBlobs;
  readonly #deleteControls;

  constructor(db: Db) {
    this.#insert = db.prepare(
      'INSERT INTO sample_blobs (run_id, stream, first_row, rows, payload) VALUES (?, ?, ?, ?, ?)',
    );
    this.#insertControl = db.prepare('INSERT INTO control_frames (run_id, seq, body) VALUES (?, ?, ?)');
    this.#slices = db.prepare(
      `SELECT first_row, rows, payload FROM sample_blobs
       WHERE run_id = @run AND stream = @stream AND first_row < @to AND first_row >= COALESCE(
         (SELECT MAX(first_row) FROM sample_blobs WHERE run_id = @run AND stream = @stream AND first_row <= @from), 0)
       ORDER BY first_row`,
    );
    this.#heads = db.prepare(
      `SELECT stream, MAX(first_row + rows) AS rows FROM sample_blobs WHERE run_id = ? GROUP BY stream ORDER BY stream`,
    );
    this.#controls = db.prepare(
      'SELECT seq, body FROM control_frames WHERE run_id = ? AND seq >= ? ORDER BY seq LIMIT ?',
    );
    this.#deleteBlobs = db.prepare('DELETE FROM sample_blobs WHERE run_id = ?');
    this.#deleteControls = db.prepare('DELETE FROM control_frames WHERE run_id = ?');
  }

  append(run: string, { stream, firstRow, rows, payload }: SampleBlob): void {
    this.#insert.run(run, stream, firstRow, rows, payload);
  }

  appendControl(run: string, { seq, body }: StoredControl): void {
    this.#insertControl.run(run, seq, body);
  }

  /** The slices that hold rows [from, to), as far as they are stored. */
  slices(run: string, stream: number, from: number, to: number): SampleSlice[] {
    return this.#slices.all({ run, stream, from, to }).map(sliceOf);
  }

  /** Rows stored, per stream. */
  heads(run: string): Map<number, number> {
    return new Map(
      this.#heads.all(run).map((found) => {
        const { stream, rows } = HeadRow.parse(found);
        return [stream, rows];
      }),
    );
  }

  /** Control frames from `from` on, at most so many. */
  controls(run: string, from = 0, most = Number.MAX_SAFE_INTEGER): StoredControl[] {
    return this.#controls.all(run, from, most).map((found) => ControlRow.parse(found));
  }

  delete(run: string): void {
    this.#deleteBlobs.run(run);
    this.#deleteControls.run(run);
  }
}
