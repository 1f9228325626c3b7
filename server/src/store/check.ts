// Whether everything that is kept is whole. Nothing is changed: it is read, all of it.
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import Database from 'better-sqlite3';
import { z } from 'zod';
import { columnsOf } from '#protocol/samples';
import { RunManifest } from '#protocol/manifest';
import { RunSummary } from '#protocol/summary';
import type { Db } from './database.ts';
import { fromJson } from './json.ts';
import { unpack, unpackControls } from './packing.ts';

/** What can be mended of what was found, by runs: repair.ts. */
export interface Damage {
  /** The pages of the file itself: `index` where only indexes differ from their tables, which can be made again. */
  pages: 'whole' | 'index' | 'damaged';
  /** Whose samples are not all to be read. */
  readonly samples: Set<string>;
  /** Of which what they told beside samples is not all to be read. */
  readonly told: Set<string>;
  /** Of which it cannot be read what they came to, or what they were. */
  readonly results: Set<string>;
  /** Queued, and not in the queue. */
  readonly unqueued: Set<string>;
  /** Over, and in the queue. */
  readonly left: Set<string>;
  /** Rows that belong to nothing. */
  loose: boolean;
}

export interface CheckReport {
  /** One sentence each; empty: all is whole. */
  readonly faults: readonly string[];
  readonly damage: Damage;
  readonly counts: { readonly runs: number; readonly blobs: number; readonly files: number };
}

/** A damaged file has many bad pages: the first ones tell enough. */
const MOST_OF_A_KIND = 20;

export async function checkAll(database: string, tracesDir: string): Promise<CheckReport> {
  const faults: string[] = [];
  const db = new Database(database, { readonly: true, fileMustExist: true });
  const counts = { runs: 0, blobs: 0, files: 0 };
  const damage: Damage = {
    pages: 'whole',
    samples: new Set(),
    told: new Set(),
    results: new Set(),
    unqueued: new Set(),
    left: new Set(),
    loose: false,
  };
  try {
    damage.pages = pages(db, faults);
    damage.loose = references(db, faults);
    // What cannot be read any more ends one check, not the others.
    attempt('the runs', faults, () => (counts.runs = runs(db, faults, damage)));
    attempt('the samples', faults, () => (counts.blobs = samples(db, faults, damage)));
    attempt('the control frames', faults, () => controls(db, faults, damage));
    attempt('the queue', faults, () => queue(db, faults, damage));
    attempt('the own algorithms', faults, () => texts(db, faults));
    const known = (table: 'traces' | 'weights'): ReadonlySet<string> => {
      const ids = new Set<string>();
      attempt(`the ${table}`, faults, () => {
        for (const id of db.prepare(`SELECT id FROM ${table}`).pluck().iterate()) ids.add(String(id));
      });
      return ids;
    };
    counts.files =
      (await files(tracesDir, '.trace', 'trace', known('traces'), faults)) +
      (await files(tracesDir, '.weights.json', 'weights file', known('weights'), faults));
  } finally {
    db.close();
  }
  return { faults, damage, counts };
}

function attempt(what: string, faults: string[], work: () => void): void {
  try {
    work();
  } catch (error) {
    faults.push(`${what} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** As SQLite says it of an index that does not have what its table has. */
const OF_AN_INDEX = /^(row \S+ missing from index|wrong # of entries in index|non-unique entry in index) /;

function pages(db: Db, faults: string[]): Damage['pages'] {
  let found: Damage['pages'] = 'damaged';
  attempt('the database', faults, () => {
    const wrong: string[] = [];
    // One by one: what was found stays told when a page ends the rest.
    for (const row of db.prepare(`PRAGMA integrity_check(${MOST_OF_A_KIND})`).pluck().iterate()) {
      const line = z.string().parse(row);
      if (line === 'ok') continue;
      wrong.push(line);
      faults.push(`the database: ${line}`);
    }
    if (wrong.every((line) => OF_AN_INDEX.test(line))) found = wrong.length === 0 ? 'whole' : 'index';
  });
  return found;
}

/** Whether there are rows that belong to nothing. */
function references(db: Db, faults: string[]): boolean {
  const known = faults.length;
  attempt('the references of the database', faults, () => {
    const Loose = z.array(z.object({ table: z.string(), rowid: z.number().nullable(), parent: z.string() }));
    for (const { table, rowid, parent } of Loose.parse(db.pragma('foreign_key_check')).slice(0, MOST_OF_A_KIND))
      faults.push(`the database: row ${rowid ?? '?'} of ${table} belongs to nothing in ${parent}`);
  });
  return faults.length > known;
}

// One without a manifest is read too, and told of.
const RUNS = `SELECT id, state, COALESCE(m.body, '') AS manifest, summary
  FROM runs LEFT JOIN manifests m ON m.number = manifest_number`;
const RunRow = z.object({ id: z.string(), state: z.string(), manifest: z.string(), summary: z.string().nullable() });

function runs(db: Db, faults: string[], { results }: Damage): number {
  let count = 0;
  for (const row of db.prepare(RUNS).iterate()) {
    const { id, state, manifest, summary } = RunRow.parse(row);
    count += 1;
    const wrong = [
      ...(isForm(RunManifest, manifest) ? [] : [`run ${id}: its manifest cannot be read`]),
      ...(summary === null || isForm(RunSummary, summary) ? [] : [`run ${id}: its summary cannot be read`]),
      ...(state === 'done' && summary === null ? [`run ${id} is done and has no summary`] : []),
    ];
    faults.push(...wrong);
    if (wrong.length > 0) results.add(id);
  }
  return count;
}

function isForm(schema: z.ZodType, text: string): boolean {
  try {
    return schema.safeParse(fromJson(text)).success;
  } catch {
    return false;
  }
}

const BlobRow = z.object({
  run_id: z.string(),
  stream: z.int(),
  first_row: z.int(),
  rows: z.int(),
  payload: z.instanceof(Uint8Array),
  packing: z.int(),
});

/** Rows follow one another without a gap, and each block divides into its rows and as many columns as the one before. */
function samples(db: Db, faults: string[], damage: Damage): number {
  let count = 0;
  let before = { key: '', next: 0, columns: -1 };
  // A folder that no newer server has opened yet has none that are packed.
  const packing = hasColumn(db, 'sample_blobs', 'packing') ? 'packing' : '0';
  const blobs = db.prepare(
    `SELECT run_id, stream, first_row, rows, payload, ${packing} AS packing FROM sample_blobs
     ORDER BY run_id, stream, first_row`,
  );
  for (const row of blobs.iterate()) {
    const { run_id, stream, first_row, rows: blobRows, payload, packing } = BlobRow.parse(row);
    count += 1;
    const key = `${run_id} ${stream}`;
    const where = `run ${run_id}, stream ${stream}, rows from ${first_row}`;
    if (key !== before.key) before = { key, next: 0, columns: -1 };
    const known = faults.length;
    if (first_row !== before.next) faults.push(`${where}: row ${before.next} was due`);
    let { columns } = before;
    try {
      const plain = packing === 0 ? payload : unpack(blobRows, payload);
      columns = columnsOf({ firstRow: first_row, rows: blobRows, payload: plain });
      if (before.columns !== -1 && columns !== before.columns)
        faults.push(`${where}: ${columns} columns, ${before.columns} before`);
    } catch (error) {
      faults.push(`${where}: ${error instanceof Error ? error.message : String(error)}`);
    }
    if (faults.length > known) damage.samples.add(run_id);
    before = { key, next: first_row + blobRows, columns };
  }
  return count;
}

const ControlRow = z.object({
  run_id: z.string(),
  first_seq: z.int(),
  frames: z.int(),
  payload: z.instanceof(Uint8Array),
});

/** Packed control frames can be unpacked, and follow one another without a gap. */
function controls(db: Db, faults: string[], damage: Damage): void {
  if (!hasColumn(db, 'control_blobs', 'payload')) return;
  let before = { run: '', next: 0 };
  const blobs = db.prepare('SELECT run_id, first_seq, frames, payload FROM control_blobs ORDER BY run_id, first_seq');
  for (const row of blobs.iterate()) {
    const { run_id, first_seq, frames, payload } = ControlRow.parse(row);
    const where = `run ${run_id}, control frames from ${first_seq}`;
    const next = run_id === before.run ? before.next : 0;
    const known = faults.length;
    if (first_seq !== next) faults.push(`${where}: frame ${next} was due`);
    try {
      const found = unpackControls(payload).length;
      if (found !== frames) faults.push(`${where}: ${found} instead of ${frames}`);
    } catch (error) {
      faults.push(`${where}: ${error instanceof Error ? error.message : String(error)}`);
    }
    if (faults.length > known) damage.told.add(run_id);
    before = { run: run_id, next: first_seq + frames };
  }
}

const hasColumn = (db: Db, table: string, column: string): boolean =>
  db.prepare('SELECT 1 FROM pragma_table_info(?) WHERE name = ?').get(table, column) !== undefined;

function queue(db: Db, faults: string[], { unqueued, left }: Damage): void {
  const ids = (sql: string): string[] => z.array(z.string()).parse(db.prepare(sql).pluck().all());
  for (const id of ids("SELECT id FROM runs WHERE state = 'queued' AND id NOT IN (SELECT run_id FROM jobs)")) {
    faults.push(`run ${id} is queued and not in the queue: retry it`);
    unqueued.add(id);
  }
  for (const id of ids(
    "SELECT run_id FROM jobs JOIN runs ON runs.id = run_id WHERE state IN ('done', 'failed', 'cancelled', 'invalid')",
  )) {
    faults.push(`run ${id} is over and still in the queue`);
    left.add(id);
  }
}

/** Texts are what their hashes say. */
function texts(db: Db, faults: string[]): void {
  if (!hasColumn(db, 'own_algorithms', 'text')) return;
  const Text = z.object({ id: z.string(), program: z.string(), text: z.string() });
  for (const row of db.prepare('SELECT id, program, text FROM own_algorithms').iterate()) {
    const { id, program, text } = Text.parse(row);
    if (createHash('sha256').update(text).digest('hex') !== program)
      faults.push(`the own algorithm ${id} has changed: its text is no longer what its id says`);
  }
}

/** Files that are named by their hash, against it and against what the database knows. */
async function files(
  folder: string,
  ending: string,
  kind: string,
  known: ReadonlySet<string>,
  faults: string[],
): Promise<number> {
  const found = new Set<string>();
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const id = name.slice(0, 64);
    if (!/^[0-9a-f]{64}$/.test(id) || name.slice(64) !== ending) continue;
    found.add(id);
    const path = join(folder, name);
    try {
      const hash = createHash('sha256');
      await pipeline(createReadStream(path), hash);
      if (hash.digest('hex') !== id) faults.push(`${path} has changed: its content is no longer what its name says`);
    } catch (error) {
      faults.push(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    }
    if (!known.has(id))
      faults.push(`${path} is unknown to the database: \`paceline serve --recover-traces\` takes it in`);
  }
  for (const id of known)
    if (!found.has(id)) faults.push(`the ${kind} ${id} is missing from ${folder}: bring it again`);
  return found.size;
}
