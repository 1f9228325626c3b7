import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FRAME_HEADER_BYTES } from '#protocol/frames';
import { encodeSamples, joinSamples, type SampleSlice } from '#protocol/samples';
import { testFolder } from '../testing/folder.ts';
import { migrate, migrationFiles } from './database.ts';
import { checkAll } from './check.ts';
import { pack, packControls, unpack } from './packing.ts';
import { Store } from './store.ts';

const folder = testFolder();
const slice = (firstRow: number, time: Float64Array, columns: readonly Float32Array[]): SampleSlice => ({
  firstRow,
  rows: time.length,
  payload: encodeSamples(0, firstRow, time, columns).subarray(FRAME_HEADER_BYTES),
});
/** Every 10 ms, as the engine says it. */
const ticks = (rows: number, from = 0): Float64Array =>
  Float64Array.from({ length: rows }, (_, row) => ((from + row + 1) * 10_000_000) / 1e9);

describe('packed samples', () => {
  it('come back bit for bit, whatever they are', async () => {
    // Any bits: NaNs with a payload, infinities, negative zeros.
    const float = fc.integer({ min: 0, max: 0xffffffff });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 300 }).chain((rows) =>
          fc.record({
            time: fc.oneof(
              fc.constant(ticks(rows, 77)),
              fc
                .array(fc.double({ min: 0, max: 86_400 }), { minLength: rows, maxLength: rows })
                .map(Float64Array.from.bind(Float64Array)),
              fc.array(fc.double(), { minLength: rows, maxLength: rows }).map(Float64Array.from.bind(Float64Array)),
            ),
            columns: fc.array(fc.array(float, { minLength: rows, maxLength: rows }), { maxLength: 4 }),
          }),
        ),
        async ({ time, columns }) => {
          const plain = slice(
            0,
            time,
            columns.map((bits) => new Float32Array(Uint32Array.from(bits).buffer)),
          );
          expect(Buffer.compare(unpack(plain.rows, await pack(plain)), plain.payload)).toBe(0);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('take a third, where a window grows and a rate repeats', async () => {
    const rows = 1000;
    const window = Float32Array.from({ length: rows }, (_, row) => 15_000 + 1500 * Math.floor(row / 4));
    const rate = Float32Array.from({ length: rows }, (_, row) => 12 + (row % 7) / 10);
    const plain = slice(0, ticks(rows), [window, rate, new Float32Array(rows).fill(NaN)]);
    expect((await pack(plain)).byteLength).toBeLessThan(plain.payload.byteLength / 3);
  });

  it('that are damaged are refused, and no more is made of them than they may be', async () => {
    const packed = await pack(slice(0, ticks(500), [new Float32Array(500)]));
    for (const damaged of [
      packed.subarray(0, 2),
      packed.subarray(0, -5),
      Uint8Array.from(packed, (byte, i) => (i === 0 ? 9 : byte)),
    ])
      expect(() => unpack(500, damaged)).toThrow();
    expect(() => unpack(400, packed)).toThrow();
    expect(() => unpack(600, packed)).toThrow();
  });
});

describe('a store of before', () => {
  it('keeps its samples as they are, and new ones join them', async () => {
    const file = `${folder()}/paceline.db`;
    const old = new Database(file);
    migrate(old, migrationFiles().slice(0, 10));
    old.exec("INSERT INTO manifests VALUES (1, '{}')");
    old.exec(
      "INSERT INTO runs (id, manifest_number, state, created_at) VALUES ('r', 1, 'done', '2026-01-01T00:00:00Z')",
    );
    const insert = old.prepare(
      'INSERT INTO sample_blobs (run_id, stream, first_row, rows, payload) VALUES (?, 0, ?, ?, ?)',
    );
    const values = (rows: number, from: number): Float32Array[] => [
      Float32Array.from({ length: rows }, (_, row) => Math.sqrt(from + row)),
    ];
    const blobs = [0, 1000].map((from) => slice(from, ticks(1000, from), values(1000, from)));
    for (const { firstRow, rows, payload } of blobs) insert.run('r', firstRow, rows, payload);
    old.exec(`INSERT INTO control_frames VALUES ('r', 0, '{"type":"hello"}'), ('r', 1, '{"type":"end"}')`);
    old.close();
    const faults = async (): Promise<string[]> =>
      (await checkAll(file, `${folder()}/traces`)).faults.filter((fault) => /sample|stream|control/.test(fault));
    expect(await faults()).toEqual([]);

    const store = new Store(file);
    const newer = slice(2000, ticks(50, 2000), values(50, 2000));
    store.samples.append('r', { stream: 0, ...newer }, await pack(newer));
    const all = joinSamples(0, store.samples.slices('r', 0, 0, 2050), 0, 2050);
    const expected = encodeSamples(0, 0, ticks(2050), values(2050, 0));
    expect(Buffer.compare(all, expected)).toBe(0);
    expect(store.samples.slices('r', 0, 990, 1010)).toEqual(
      blobs.map((blob) => ({ ...blob, payload: Buffer.from(blob.payload) })),
    );
    expect(store.samples.controls('r')).toEqual([
      { seq: 0, body: '{"type":"hello"}' },
      { seq: 1, body: '{"type":"end"}' },
    ]);
    expect(store.samples.controls('r', 1)).toHaveLength(1);
    store.runs.insert('new', '{}', '2026-01-02T00:00:00Z');
    store.samples.appendControls('new', 0, 2, await packControls(['{"type":"hello"}', '{"type":"end"}']));
    store.close();
    expect(await faults()).toEqual([]);

    const damaged = new Database(file);
    damaged.exec("UPDATE sample_blobs SET payload = x'0102' WHERE first_row = 2000");
    damaged.exec("UPDATE control_blobs SET payload = x'0102'");
    damaged.close();
    const found = (await faults()).join('\n');
    expect(found).toContain('run r, stream 0, rows from 2000');
    expect(found).toContain('run new, control frames from 0');
  });
});
