import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { isEmptyFile } from './integrity.ts';

export type Db = Database.Database;

const MIGRATIONS = fileURLToPath(new URL('migrations', import.meta.url));

const CACHE_KIB = 64 * 1024;
/** Only where nobody else does it (checkpoint.ts): it holds everybody up. */
const CHECKPOINT_PAGES = 64_000;
/** What the log is cut to when it begins anew. */
const LOG_BYTES = 16 * 2 ** 20;

export interface Migration {
  readonly version: number;
  readonly sql: string;
}

/** The numbered files of the migrations folder, in order. */
export function migrationFiles(folder = MIGRATIONS): Migration[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name, index) => {
      const version = Number.parseInt(name, 10);
      if (version !== index + 1) throw new Error(`migration ${name}: number ${index + 1} was due`);
      return { version, sql: readFileSync(`${folder}/${name}`, 'utf8') };
    });
}

/** Brings the database up to date; each step is done as a whole or not at all. */
export function migrate(db: Db, migrations: readonly Migration[]): void {
  const current = Number(db.pragma('user_version', { simple: true }));
  const newest = migrations.at(-1)?.version ?? 0;
  if (current > newest)
    throw new Error(`${db.name} was written by a newer Paceline (schema ${current}, this one knows ${newest})`);
  for (const { version, sql } of migrations.filter((migration) => migration.version > current))
    db.transaction(() => {
      db.exec(sql);
      db.pragma(`user_version = ${version}`);
    })();
}

/** A database that has lost everything: an empty file, or none, where there was one. */
export class DatabaseLost extends Error {
  override readonly name = 'DatabaseLost';
}

export interface OpenOptions {
  /** There was one once: nothing is begun anew. */
  readonly mustExist?: boolean;
}

export function openDatabase(path: string, { mustExist = false }: OpenOptions = {}): Db {
  // Before SQLite sees it: it would delete what is left beside a file that is gone.
  if (mustExist && isEmptyFile(path)) throw new DatabaseLost(`${path} is ${existsSync(path) ? 'empty' : 'missing'}`);
  const db = new Database(path);
  if (mustExist && db.pragma('user_version', { simple: true }) === 0) {
    db.close();
    throw new DatabaseLost(`${path} is empty`);
  }
  db.pragma('journal_mode = WAL');
  // A power failure may lose the last moments, never the file's integrity.
  db.pragma('synchronous = NORMAL');
  // Ids are hashes: many runs at once touch every page of their indexes, which must be at hand and not be written over and over.
  db.pragma(`cache_size = -${CACHE_KIB}`);
  // Pages as they were before a statement, should it fail: some per row, and no reason to ask the disk.
  db.pragma('temp_store = MEMORY');
  db.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  db.pragma(`journal_size_limit = ${LOG_BYTES}`);
  db.pragma('foreign_keys = ON');
  db.pragma('busy_timeout = 5000');
  migrate(db, migrationFiles());
  return db;
}

/**
 * Only one process may work on a data folder: two would both take a run for interrupted. The lock is SQLite's own lock on an empty
 * database file, which the system releases however the process ends. Null when it is taken.
 */
export function lockDataDir(path: string): { readonly release: () => void } | null {
  const db = new Database(path, { timeout: 0 });
  try {
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    if (error instanceof Database.SqliteError && error.code === 'SQLITE_BUSY') return null;
    throw error;
  }
  return { release: () => db.close() };
}
