import { z } from 'zod';
import type { SampleSlice } from '#protocol/samples';
import type { Db } from './database.ts';
import { unpack, unpackControls } from './packing.ts';

export interface SampleBlob extends SampleSlice {
  readonly stream: number;
}
export interface StoredControl {
  readonly seq: number;
  /** JSON. */
  readonly body: string;
}

const BlobRow = z.object({ first_row: z.int(), rows: z.int(), payload: z.instanceof(Uint8Array), packing: z.int() });
const HeadRow = z.object({ stream: z.int(), rows: z.int() });
const ControlRow = z.object({ seq: z.int(), body: z.string() });
const ControlBlobRow = z.object({ first_seq: z.int(), payload: z.instanceof(Uint8Array) });

/** Blobs that were unpacked last: whoever reads a run reads on where he was. */
const KEPT = 64;

export class SampleStore {
  readonly #insert;
  readonly #insertControls;
  readonly #slices;
  readonly #heads;
  readonly #has;
  readonly #controls;
  readonly #deleteBlobs;
  readonly #controlBlobs;
  readonly #deleteSome;
  readonly #deleteControls;
  readonly #deleteControlBlobs;
  readonly #deleteSampled;
  readonly #deleteGone;
  /** By run, stream and first row; the least recently asked for first. */
  readonly #unpacked = new Map<string, Uint8Array>();

  constructor(db: Db) {
    this.#insert = db.prepare(
      'INSERT INTO sample_blobs (run_id, stream, first_row, rows, payload, packing) VALUES (?, ?, ?, ?, ?, ?)',
    );
    this.#insertControls = db.prepare(
      'INSERT INTO control_blobs (run_id, first_seq, frames, payload) VALUES (?, ?, ?, ?)',
    );
    this.#slices = db.prepare(
      `SELECT first_row, rows, payload, packing FROM sample_blobs
       WHERE run_id = @run AND stream = @stream AND first_row < @to AND first_row >= COALESCE(
         (SELECT MAX(first_row) FROM sample_blobs WHERE run_id = @run AND stream = @stream AND first_row <= @from), 0)
       ORDER BY first_row`,
    );
    this.#heads = db.prepare(
      `SELECT stream, MAX(first_row + rows) AS rows FROM sample_blobs WHERE run_id = ? GROUP BY stream ORDER BY stream`,
    );
    this.#has = db.prepare('SELECT 1 FROM sample_blobs WHERE run_id = ? LIMIT 1').pluck();
    this.#controls = db.prepare(
      'SELECT seq, body FROM control_frames WHERE run_id = ? AND seq >= ? ORDER BY seq LIMIT ?',
    );
    this.#controlBlobs = db.prepare(
      `SELECT first_seq, payload FROM control_blobs WHERE run_id = ? AND first_seq + frames > ? ORDER BY first_seq`,
    );
    this.#deleteBlobs = db.prepare('DELETE FROM sample_blobs WHERE run_id = ?');
    this.#deleteSome = db.prepare(
      'DELETE FROM sample_blobs WHERE rowid IN (SELECT rowid FROM sample_blobs WHERE run_id = ? LIMIT ?)',
    );
    this.#deleteControls = db.prepare('DELETE FROM control_frames WHERE run_id = ?');
    this.#deleteControlBlobs = db.prepare('DELETE FROM control_blobs WHERE run_id = ?');
    this.#deleteSampled = db.prepare('DELETE FROM run_sampled WHERE run_id = ?');
    this.#deleteGone = db.prepare('DELETE FROM samples_gone WHERE run_id = ?');
  }

  /** `packed`: its payload as it is to be stored, if not as it is. */
  append(run: string, { stream, firstRow, rows, payload }: SampleBlob, packed?: Uint8Array): void {
    this.#insert.run(run, stream, firstRow, rows, packed ?? payload, packed === undefined ? 0 : 1);
  }

  /** So many control frames from one on, packed. */
  appendControls(run: string, firstSeq: number, frames: number, packed: Uint8Array): void {
    this.#insertControls.run(run, firstSeq, frames, packed);
  }

  /** The slices that hold rows [from, to), as far as they are stored. */
  slices(run: string, stream: number, from: number, to: number): SampleSlice[] {
    return this.#slices.all({ run, stream, from, to }).map((found) => {
      const { first_row: firstRow, rows, payload, packing } = BlobRow.parse(found);
      const plain = packing === 0 ? payload : this.#unpack(`${run} ${stream} ${firstRow}`, rows, payload);
      return { firstRow, rows, payload: plain };
    });
  }

  #unpack(key: string, rows: number, packed: Uint8Array): Uint8Array {
    const payload = this.#unpacked.get(key) ?? unpack(rows, packed);
    this.#unpacked.delete(key);
    this.#unpacked.set(key, payload);
    const [oldest] = this.#unpacked.keys();
    if (this.#unpacked.size > KEPT && oldest !== undefined) this.#unpacked.delete(oldest);
    return payload;
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

  has(run: string): boolean {
    return this.#has.get(run) !== undefined;
  }

  /** Control frames from `from` on, at most so many. */
  controls(run: string, from = 0, most = Number.MAX_SAFE_INTEGER): StoredControl[] {
    const plain = this.#controls.all(run, from, most).map((found) => ControlRow.parse(found));
    // A run has them all in one form: it is stored by one server, from its beginning.
    if (plain.length > 0) return plain;
    const found: StoredControl[] = [];
    for (const row of this.#controlBlobs.iterate(run, from)) {
      const { first_seq, payload } = ControlBlobRow.parse(row);
      for (const [i, body] of unpackControls(payload).entries())
        if (first_seq + i >= from && found.length < most) found.push({ seq: first_seq + i, body });
      if (found.length === most) break;
    }
    return found;
  }

  /** At most so many slices of them; false: there are none left. */
  deleteSome(run: string, most: number): boolean {
    this.#forget(run);
    return this.#deleteSome.run(run, most).changes > 0;
  }

  /** All of them; what was read off them, and what the run has told, stays. */
  deleteRows(run: string): void {
    this.#forget(run);
    this.#deleteBlobs.run(run);
  }

  #forget(run: string): void {
    for (const key of this.#unpacked.keys()) if (key.startsWith(`${run} `)) this.#unpacked.delete(key);
  }

  /** And what was read off them. */
  delete(run: string): void {
    this.deleteRows(run);
    this.#deleteGone.run(run);
    this.#deleteControls.run(run);
    this.#deleteControlBlobs.run(run);
    this.#deleteSampled.run(run);
  }
}
