import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decodeSamples, readFrameHeader } from '#protocol/frames';
import { encodeControl } from '#protocol/samples';
import { linkRows } from '#bridge/testing/fake-programs';
import { Store } from '../store/store.ts';
import { FULL_DISK, troubleOf } from '../store/trouble.ts';
import { testFolder } from '../testing/folder.ts';
import { addRun } from '../testing/runs.ts';
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

function accept(recording: Recording, bytes: Uint8Array): void {
  recording.accept(bytes, readFrameHeader(new DataView(bytes.buffer, bytes.byteOffset)), null);
}

/** Feeds frames of these sizes; gives the number of rows. */
function feed(recording: Recording, sizes: readonly number[]): number {
  let rows = 0;
  for (const size of sizes) {
    accept(recording, linkRows(rows, size));
    rows += size;
  }
  return rows;
}

describe('a recording', () => {
  it('can be read at any row while it goes on and after it, bit for bit', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 12 }),
        fc.nat(),
        fc.nat(),
        fc.boolean(),
        (sizes, a, b, over) => {
          store.samples.delete(run);
          const recording = new Recording(run, store);
          const total = feed(recording, sizes);
          if (over) recording.flush();
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

  it('stores blobs of about a thousand rows, not frames', () => {
    const recording = new Recording(run, store);
    feed(recording, new Array<number>(500).fill(10));
    recording.flush();
    const sizes = store.samples.slices(run, 0, 0, 5000).map(({ rows }) => rows);
    expect(sizes).toEqual([1000, 1000, 1000, 1000, 1000]);
  });

  it('keeps control frames in order across the store and what is at hand', () => {
    const recording = new Recording(run, store);
    const control = (seq: number): void => {
      const bytes = encodeControl(seq, { type: 'progress', time_s: seq });
      recording.accept(bytes, readFrameHeader(new DataView(bytes.buffer)), { type: 'progress', time_s: seq });
    };
    control(0);
    control(1);
    recording.flush();
    control(2);
    const reader = new RunReader(store, () => recording);
    const seqs = (from: number): number[] => reader.controls(run, from).map(({ seq }) => seq);
    expect(seqs(0)).toEqual([0, 1, 2]);
    expect(seqs(1)).toEqual([1, 2]);
    expect(seqs(2)).toEqual([2]);
    expect(seqs(3)).toEqual([]);
    expect(recording.time_s).toBe(2);
  });

  it('gives the rows of a time, exactly', () => {
    const recording = new Recording(run, store);
    feed(recording, [1500, 1500, 20]);
    const reader = new RunReader(store, () => recording);
    const times = [...framesOf(reader, run, { stream: 0, from_s: 9.5, to_s: 30.1 })].flatMap((frame) => [
      ...decodeSamples(frame).time,
    ]);
    expect(times[0]).toBe(9.5);
    expect(times.at(-1)).toBe(30.1);
    expect(times).toHaveLength(2061);
    expect([...framesOf(reader, run, { stream: 7, from_s: undefined, to_s: undefined })]).toEqual([]);
  });

  it('says that the disk is full, and loses nothing that was stored', () => {
    const recording = new Recording(run, store);
    feed(recording, [1000]);
    const pages = Number(store.db.pragma('page_count', { simple: true }));
    store.db.pragma(`max_page_count = ${pages + 2}`);
    let failure: unknown;
    try {
      accept(recording, linkRows(1000, 1000));
    } catch (error) {
      failure = error;
    }
    expect(troubleOf(failure)).toBe(FULL_DISK);
    expect(store.samples.heads(run)).toEqual(new Map([[0, 1000]]));
    expect(Buffer.from(new RunReader(store, () => null).read(run, 0, 0, 1000)).equals(linkRows(0, 1000))).toBe(true);
  });
});
