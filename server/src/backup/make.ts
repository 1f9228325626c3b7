// A backup of a data folder, while whoever works with it goes on.
import { existsSync, mkdirSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import Database from 'better-sqlite3';
import { z } from 'zod';
import { sizeText } from '../quota.ts';
import { checkAll } from '../store/check.ts';
import { lockDataDir } from '../store/database.ts';
import { damageOf } from '../traces/stored-file.ts';
import { VERSION } from '../version.ts';
import { BackupFault } from './fault.ts';
import { copied, databaseOf, filesOf, flushed, foldersOf, hashIn, linked } from './files.ts';
import { noteBackup } from './last.ts';
import { backupName, backupsIn, isPartial, PARTIAL, RECORD, type Backup, type BackupRecord } from './record.ts';

export interface BackupOptions {
  readonly dataDir: string;
  /** The folder that backups are in. */
  readonly to: string;
  /** So many stay, this one among them; null: all. */
  readonly keep: number | null;
  /** Reads all of it once more, as `paceline check` does. */
  readonly verify: boolean;
  readonly now?: Date;
}

export interface MadeBackup extends Backup {
  /** Names of older ones that were removed. */
  readonly removed: readonly string[];
  /** What lies in the data folder and is no file: it is not in the backup. */
  readonly others: readonly string[];
}

/**
 * The database as it is at one moment, by SQLite's own backup in one step, and every file that it names. Nothing is there by its name before
 * all of it is on the disk. Throws BackupFault, and what the disk says.
 */
export async function makeBackup(options: BackupOptions): Promise<MadeBackup> {
  const { dataDir, to } = options;
  if (!existsSync(databaseOf(dataDir))) throw new BackupFault(`there is no ${databaseOf(dataDir)} to make a backup of`);
  mkdirSync(to, { recursive: true, mode: 0o700 });
  const inside = await foldersOf(dataDir);
  if (inside.some((folder) => `${realpathSync(to)}${sep}`.startsWith(`${folder}${sep}`)))
    throw new BackupFault(`${to} lies in the data folder itself: what happens to that happens to its backups`);
  const lock = lockDataDir(join(to, 'lock.db'));
  if (lock === null) throw new BackupFault(`another backup into ${to} is being made`);
  try {
    for (const name of readdirSync(to)) if (isPartial(name)) rmSync(join(to, name), { recursive: true });
    return await make(options, backupsIn(to));
  } finally {
    lock.release();
  }
}

async function make(options: BackupOptions, before: readonly Backup[]): Promise<MadeBackup> {
  const { dataDir, to, keep, verify, now = new Date() } = options;
  const name = backupName(now);
  const path = join(to, name);
  const partial = `${path}${PARTIAL}`;
  await roomFor(databaseOf(dataDir), to);
  mkdirSync(partial, { mode: 0o700 });
  try {
    // Files are there before the database names them, and go after it has forgotten them: those of before its moment, and those that it
    // names, are all.
    const copy = new FolderCopy(dataDir, partial, before.findLast(({ record }) => record.faults?.length === 0) ?? null);
    const { others } = await copy.bring(() => true);
    const { schema, ids } = await copyDatabase(databaseOf(dataDir), databaseOf(partial));
    await copy.bring((id) => ids.has(id));
    await copy.dropUnnamed(ids, idsIn(databaseOf(dataDir)));
    const database = await stat(databaseOf(partial));
    const faults = verify ? await faultsOf(partial, copy) : null;
    const record: BackupRecord = {
      format: 1,
      version: VERSION,
      schema,
      made_at: now.toISOString(),
      files: copy.files + 1,
      bytes: copy.bytes + database.size,
      shared_bytes: copy.sharedBytes,
      faults: faults === null ? null : [...faults],
    };
    await writeFile(join(partial, RECORD), `${JSON.stringify(record, null, 2)}\n`);
    await flushed(join(partial, RECORD));
    await flushed(partial);
    await rename(partial, path);
    await flushed(to);
    await noteBackup(dataDir, record);
    // What is not whole takes the place of nothing, and what was not read of no whole one that is the last.
    const surplus = surplusOf(before, record, keep);
    for (const old of surplus) {
      // Cut off here, it is none.
      await rename(old.path, `${old.path}${PARTIAL}`);
      await rm(`${old.path}${PARTIAL}`, { recursive: true });
    }
    return { path, name, record, others, removed: surplus.map((old) => old.name) };
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
}

function surplusOf(before: readonly Backup[], { faults }: BackupRecord, keep: number | null): readonly Backup[] {
  if (keep === null || (faults?.length ?? 0) > 0) return [];
  const lastWhole = before.findLast(({ record }) => record.faults?.length === 0);
  const surplus = before.slice(0, Math.max(0, before.length + 1 - keep));
  return faults === null ? surplus.filter((old) => old !== lastWhole) : surplus;
}

/** What is shared and not whole any more in the backup before is copied anew, and all is read again. */
async function faultsOf(partial: string, copy: FolderCopy): Promise<readonly string[]> {
  const read = async (): Promise<readonly string[]> =>
    (await checkAll(databaseOf(partial), join(partial, 'traces'))).faults;
  const faults = await read();
  return faults.length > 0 && (await copy.mendShared()) ? read() : faults;
}

function readable(database: string): Database.Database {
  try {
    const db = new Database(database, { readonly: true, fileMustExist: true });
    // SQLite looks at it only now.
    db.pragma('user_version');
    return db;
  } catch (error) {
    throw new BackupFault(`${database} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function roomFor(database: string, to: string): Promise<void> {
  // Its file may be without what was written last.
  const db = readable(database);
  const size = Number(db.pragma('page_count', { simple: true })) * Number(db.pragma('page_size', { simple: true }));
  db.close();
  const { bavail, bsize } = await statfs(to);
  if (size > bavail * bsize)
    throw new BackupFault(`the database has ${sizeText(size)}, and ${to} has room for ${sizeText(bavail * bsize)}`);
}

/** More than any database has: all that is left is copied in one step, in which nobody writes into what is read. */
const ALL_PAGES = 2 ** 31 - 1;

const IDS = 'SELECT id FROM traces UNION SELECT id FROM weights';
const idsOf = (db: Database.Database): ReadonlySet<string> =>
  new Set(z.array(z.string()).parse(db.prepare(IDS).pluck().all()));

function idsIn(database: string): ReadonlySet<string> {
  const db = readable(database);
  try {
    return idsOf(db);
  } finally {
    db.close();
  }
}

/** The copy is one file, with nothing beside it that belongs to it. */
async function copyDatabase(
  from: string,
  to: string,
): Promise<{ readonly schema: number; readonly ids: ReadonlySet<string> }> {
  const source = readable(from);
  try {
    await source.backup(to, { progress: () => ALL_PAGES });
  } finally {
    source.close();
  }
  const copy = new Database(to, { fileMustExist: true });
  try {
    copy.pragma('journal_mode = DELETE');
    return { schema: z.int().parse(copy.pragma('user_version', { simple: true })), ids: idsOf(copy) };
  } finally {
    copy.close();
    await flushed(to);
  }
}

interface Brought {
  readonly bytes: number;
  readonly shared: boolean;
  /** When it was written, where it may be written on. */
  readonly changedMs: number | null;
}

/** Brings the files of one folder into another; those of the backup before are shared with it. */
class FolderCopy {
  files = 0;
  bytes = 0;
  sharedBytes = 0;
  readonly #from: string;
  readonly #to: string;
  readonly #before: Backup | null;
  readonly #brought = new Map<string, Brought>();

  constructor(from: string, to: string, before: Backup | null) {
    this.#from = from;
    this.#to = to;
    this.#before = before;
  }

  /** Those that are not there yet or have been written on; of what is called by its hash, `wanted` says which. */
  async bring(wanted: (id: string) => boolean): Promise<{ readonly others: readonly string[] }> {
    const { names, others } = await filesOf(this.#from, true);
    for (const name of names) {
      const id = hashIn(name);
      const known = this.#brought.get(name);
      if (id === null || (known === undefined && wanted(id))) await this.#bringOne(name, id !== null, known);
    }
    return { others };
  }

  async #bringOne(name: string, byHash: boolean, known: Brought | undefined): Promise<void> {
    const from = join(this.#from, name);
    const to = join(this.#to, name);
    const found = await stat(from).catch(() => null);
    if (found === null) return;
    const { size: bytes, mtimeMs } = found;
    const changedMs = byHash ? null : mtimeMs;
    if (known?.bytes === bytes && known.changedMs === changedMs) return;
    const shared = this.#before !== null && byHash && (await linked(join(this.#before.path, name), to, bytes));
    if (!shared && !(await copied(from, to))) return;
    if (known !== undefined) this.#count(name, known, -1);
    this.#count(name, { bytes, shared, changedMs }, 1);
  }

  /** What was deleted or came while we looked; what no database knows is told by the check. */
  async dropUnnamed(ids: ReadonlySet<string>, later: ReadonlySet<string>): Promise<void> {
    const still = new Set((await filesOf(this.#from, true)).names);
    for (const [name, one] of [...this.#brought]) {
      const id = hashIn(name);
      if (id === null || ids.has(id) || (still.has(name) && !later.has(id))) continue;
      await rm(join(this.#to, name));
      this.#count(name, one, -1);
    }
  }

  /** Takes those of the data folder in place of shared ones that are damaged. False: there were none. */
  async mendShared(): Promise<boolean> {
    let mended = false;
    for (const [name, one] of [...this.#brought]) {
      const to = join(this.#to, name);
      if (!one.shared || (await damageOf(to, hashIn(name) ?? '')) === null) continue;
      // The other one that has it is left as it is.
      await rm(to);
      await copied(join(this.#from, name), to);
      this.#count(name, one, -1);
      this.#count(name, { ...one, shared: false }, 1);
      mended = true;
    }
    return mended;
  }

  #count(name: string, one: Brought, sign: 1 | -1): void {
    if (sign === 1) this.#brought.set(name, one);
    else this.#brought.delete(name);
    this.files += sign;
    this.bytes += sign * one.bytes;
    if (one.shared) this.sharedBytes += sign * one.bytes;
  }
}
