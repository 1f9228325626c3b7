// A backup becomes a data folder again.
import { existsSync, mkdirSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { checkAll } from '../store/check.ts';
import { lockDataDir, migrationFiles } from '../store/database.ts';
import { isEmptyFile } from '../store/integrity.ts';
import { DataDirBusy } from '../errors.ts';
import { BackupFault } from './fault.ts';
import { copied, databaseOf, filesOf, flushed } from './files.ts';
import { backupsIn, recordIn, RECORD, type Backup } from './record.ts';

/** The one that a path names: itself, or the newest in a folder of backups. Throws BackupFault. */
export function backupAt(path: string): Backup {
  if (!existsSync(path)) throw new BackupFault(`there is no ${path}`);
  const record = recordIn(path);
  if (record !== null) return { path, name: path, record };
  if (existsSync(join(path, RECORD)))
    throw new BackupFault(`${join(path, RECORD)} cannot be read, or is of a newer Paceline`);
  const newest = backupsIn(path).at(-1);
  if (newest === undefined) throw new BackupFault(`${path} is no backup, and none is in it`);
  return newest;
}

export interface Restored {
  readonly files: number;
  /** What is not whole in what was brought back. */
  readonly faults: readonly string[];
}

/** Into a folder that has no database. It has one when everything else is there, so that what was cut off can be done again. */
export async function restoreBackup({ path, record }: Backup, dataDir: string): Promise<Restored> {
  const known = migrationFiles().length;
  if (record.schema > known)
    throw new BackupFault(
      `${path} is of Paceline ${record.version}, which is newer than this one: bring it back with that`,
    );
  if (!isEmptyFile(databaseOf(dataDir)))
    throw new BackupFault(`${dataDir} has a database already: move that folder away, or name another with --data-dir`);
  mkdirSync(dataDir, { recursive: true });
  const lock = lockDataDir(join(dataDir, 'lock.db'));
  if (lock === null) throw new DataDirBusy(`${dataDir} is in use by a Paceline; stop it first`);
  try {
    const { names } = await filesOf(path, false);
    for (const name of names) await bring(path, name, join(dataDir, name));
    // Opening a data folder empties this one.
    const arriving = join(dataDir, 'tmp', 'restored.db');
    await bring(path, 'paceline.db', arriving);
    const { faults } = await checkAll(arriving, join(dataDir, 'traces'));
    // What a database that is gone has left: SQLite would write it into this one.
    for (const left of ['-wal', '-shm', '-journal']) await rm(`${databaseOf(dataDir)}${left}`, { force: true });
    await rename(arriving, databaseOf(dataDir));
    await flushed(dataDir);
    return { files: names.length + 1, faults };
  } finally {
    lock.release();
  }
}

async function bring(from: string, name: string, to: string): Promise<void> {
  if (!(await copied(join(from, name), to))) throw new BackupFault(`${join(from, name)} is gone`);
}
