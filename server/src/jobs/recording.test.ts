import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decodeSamples, readFrameHeader } from '#protocol/frames';
import { LINK_COLUMNS } from '#protocol/columns';
import { encodeControl, encodeSamples } from '#protocol/samples';
import { linkRows } from '#bridge/testing/fake-programs';
import { Store } from '../store/store.ts';
import { FULL_DISK, troubleOf } from '../store/trouble.ts';
import { testFolder } from '../testing/folder.ts';
import { addRun } from '../testing/runs.ts';
import { generator } from '../testing/soak/random.ts';
import { Recording } from './recording.ts';
import { framesOf } from './frames-of.ts';
import { RunReader } from './run-reader.ts';

const folder = testFolder();
let store: Store;
let run: string;
beforeEach(() => {
  store = new Store(`${folder()}/paceline.db`);
  run = addRun(store);
});
afterEach(() => {
  store.close();
});

function accept(recording: Recording, bytes: Uint8Array): Promise<void> | undefined {
  return recording.accept(bytes, readFrameHeader(new DataView(bytes.buffer, bytes.byteOffset)), null);
}

/** Feeds frames of these sizes; gives the number of rows. */
async function feed(recording: Recording, sizes: readonly number[]): Promise<number> {
  let rows = 0;
  for (const size of sizes) {
    await accept(recording, linkRows(rows, size));
    rows += size;
  }
  return rows;
}

describe('a recording', () => {
  it('can be read at any row while it goes on and after it, bit for bit', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 12 }),
        fc.nat(),
        fc.nat(),
        fc.boolean(),
        async (sizes, a, b, over) => {
          store.samples.delete(run);
          const recording = new Recording(run, store);
          const total = await feed(recording, sizes);
          if (over) await recording.flush();
          const reader = new RunReader(store, () => (over ? null : recording));
          expect([...reader.heads(run)]).toEqual([[0, total]]);
          const from = Math.min(a % total, b % total);
          const to = Math.max(a % total, b % total) + 1;
          expect(Buffer.from(reader.read(run, 0, from, to)).equals(linkRows(from, to - from))).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('stores blobs of about a thousand rows, not frames', async () => {
    const recording = new Recording(run, store);
    await feed(recording, new Array<number>(500).fill(10));
    await recording.flush();
    const sizes = store.samples.slices(run, 0, 0, 5000).map(({ rows }) => rows);
    expect(sizes).toEqual([1000, 1000, 1000, 1000, 1000]);
  });

  it('keeps control frames in order across the store and what is at hand', async () => {
    const recording = new Recording(run, store);
    const control = (seq: number): void => {
      const bytes = encodeControl(seq, { type: 'progress', time_s: seq });
      void recording.accept(bytes, readFrameHeader(new DataView(bytes.buffer)), { type: 'progress', time_s: seq });
    };
    control(0);
    control(1);
    await recording.flush();
    control(2);
    const reader = new RunReader(store, () => recording);
    const seqs = (from: number): number[] => reader.controls(run, from).map(({ seq }) => seq);
    expect(seqs(0)).toEqual([0, 1, 2]);
    expect(seqs(1)).toEqual([1, 2]);
    expect(seqs(2)).toEqual([2]);
    expect(seqs(3)).toEqual([]);
    expect(recording.time_s).toBe(2);
  });

  it('keeps thousands of control frames, and gives as many as are asked for', async () => {
    const recording = new Recording(run, store);
    const bodies: string[] = [];
    for (let seq = 0; seq < 2500; seq++) {
      const message = { type: 'progress' as const, time_s: seq / 100 };
      bodies.push(JSON.stringify(message));
      const bytes = encodeControl(seq, message);
      await recording.accept(bytes, readFrameHeader(new DataView(bytes.buffer)), message);
    }
    await recording.flush();
    expect(store.samples.controls(run).map(({ body }) => body)).toEqual(bodies);
    expect(store.samples.controls(run, 998, 4).map(({ seq }) => seq)).toEqual([998, 999, 1000, 1001]);
    expect(store.samples.controls(run, 2499)).toEqual([{ seq: 2499, body: bodies[2499] }]);
    expect(store.samples.controls(run, 2500)).toEqual([]);
    store.samples.delete(run);
    expect(store.samples.controls(run)).toEqual([]);
  });

  it('gives the rows of a time, exactly', async () => {
    const recording = new Recording(run, store);
    await feed(recording, [1500, 1500, 20]);
    const reader = new RunReader(store, () => recording);
    const times = [...framesOf(reader, run, { stream: 0, from_s: 9.5, to_s: 30.1 })].flatMap((frame) => [
      ...decodeSamples(frame).time,
    ]);
    expect(times[0]).toBe(9.5);
    expect(times.at(-1)).toBe(30.1);
    expect(times).toHaveLength(2061);
    expect([...framesOf(reader, run, { stream: 7, from_s: undefined, to_s: undefined })]).toEqual([]);
  });

  it('says that the disk is full, and loses nothing that was stored', async () => {
    const recording = new Recording(run, store);
    await feed(recording, [1000]);
    await recording.flush();
    const pages = Number(store.db.pragma('page_count', { simple: true }));
    store.db.pragma(`max_page_count = ${pages + 2}`);
    // What repeats itself takes next to no space.
    const drawn = generator(1);
    const columns = LINK_COLUMNS.map(() => Float32Array.from({ length: 1000 }, drawn));
    const noise = encodeSamples(0, 1000, Float64Array.from({ length: 1000 }, drawn), columns);
    void accept(recording, noise);
    const failure: unknown = await recording.flush().catch((error: unknown) => error);
    expect(troubleOf(failure)).toBe(FULL_DISK);
    expect(store.samples.heads(run)).toEqual(new Map([[0, 1000]]));
    expect(Buffer.from(new RunReader(store, () => null).read(run, 0, 0, 1000)).equals(linkRows(0, 1000))).toBe(true);
    // What could not be stored is still at hand, and is stored when there is space.
    const reader = new RunReader(store, () => recording);
    expect(Buffer.from(reader.read(run, 0, 1000, 2000)).equals(noise)).toBe(true);
    store.db.pragma('max_page_count = 1073741823');
    await recording.flush();
    expect(store.samples.heads(run)).toEqual(new Map([[0, 2000]]));
    expect(Buffer.from(reader.read(run, 0, 1000, 2000)).equals(noise)).toBe(true);
  });

  it('stores a usual run in one transaction, and a long one piece by piece', async () => {
    const recording = new Recording(run, store);
    const commits = (): number =>
      Number(store.db.prepare('SELECT COUNT(DISTINCT first_row) FROM sample_blobs').pluck().get());
    let [rows, waited] = [0, 0];
    for (; rows < 80_000; rows += 250) {
      const stores = accept(recording, linkRows(rows, 250));
      if (stores === undefined) continue;
      if (waited === 0) expect(commits()).toBe(0);
      waited += 1;
      await stores;
      expect(recording.storedRows(0)).toBe(rows + 250);
    }
    // 3.8 MB, of which 2 MiB are the first piece.
    expect(waited).toBe(1);
    await recording.flush();
    expect(Buffer.from(new RunReader(store, () => null).read(run, 0, 0, rows)).equals(linkRows(0, rows))).toBe(true);
  });

  it('takes what comes while it stores', async () => {
    const recording = new Recording(run, store);
    await feed(recording, [1500]);
    const first = recording.flush();
    void accept(recording, linkRows(1500, 700));
    const reader = new RunReader(store, () => recording);
    expect(Buffer.from(reader.read(run, 0, 100, 2200)).equals(linkRows(100, 2100))).toBe(true);
    await first;
    expect(recording.storedRows(0)).toBeGreaterThanOrEqual(1500);
    expect(Buffer.from(reader.read(run, 0, 100, 2200)).equals(linkRows(100, 2100))).toBe(true);
    await Promise.all([recording.flush(), recording.flush()]);
    expect(store.samples.heads(run)).toEqual(new Map([[0, 2200]]));
  });
});
