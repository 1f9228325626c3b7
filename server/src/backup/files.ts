// The files of a data folder beside its database, and how they get from one folder into another.
import { constants, type Dirent } from 'node:fs';
import { copyFile, link, mkdir, open, readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DATABASE } from '../lab.ts';
import { RECORD } from './record.ts';

/** What the folder knows of its last backup (last.ts). */
export const LAST = 'last-backup.json';

/** The database is copied by itself; locks and what is on its way in are of the moment. */
const LEFT_OUT = /^(paceline\.db(-wal|-shm|-journal)?|lock\.db(-journal|-wal|-shm)?|tmp|last-backup\.json(\.\d+)?)$/;

export interface FolderFiles {
  /** Paths from the folder, in order. */
  readonly names: readonly string[];
  /** What is neither a file nor a folder: links, sockets. */
  readonly others: readonly string[];
}

/** `follows`: what is at the top may be a link, as an operator lays traces on another disk. */
export async function filesOf(folder: string, follows: boolean): Promise<FolderFiles> {
  const names: string[] = [];
  const others: string[] = [];
  const walk = async (at: string): Promise<void> => {
    for (const entry of await entriesOf(join(folder, at))) {
      const name = join(at, entry.name);
      if (at === '' && (LEFT_OUT.test(name) || name === RECORD)) continue;
      const found =
        follows && at === '' && entry.isSymbolicLink() ? await stat(join(folder, name)).catch(() => entry) : entry;
      if (found.isDirectory()) await walk(name);
      else (found.isFile() ? names : others).push(name);
    }
  };
  await walk('');
  return { names: names.sort(), others: others.sort() };
}

/** A folder that went while we looked has nothing. */
const entriesOf = (path: string): Promise<Dirent[]> =>
  readdir(path, { withFileTypes: true }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  });

/** Of files that are called by the hash of what is in them: the same name is the same file. null: it is called otherwise. */
export const hashIn = (name: string): string | null =>
  /(?:^|\/)([0-9a-f]{64})\.(?:trace|weights\.json)$/.exec(name)?.[1] ?? null;

/** A data folder as it really lies, and the folders that links at its top lead to. */
export async function foldersOf(folder: string): Promise<string[]> {
  const links = (await entriesOf(folder)).filter((entry) => entry.isSymbolicLink());
  const places = await Promise.all(links.map((link) => realpath(join(folder, link.name)).catch(() => null)));
  return [await realpath(folder), ...places.filter((place) => place !== null)];
}

/** On the disk when it resolves. False: there is no such file any more. */
export async function copied(from: string, to: string): Promise<boolean> {
  await mkdir(dirname(to), { recursive: true });
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
  await flushed(to);
  return true;
}

export async function flushed(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The file of another backup once more, which takes no room. False: it must be copied. */
export async function linked(from: string, to: string, bytes: number): Promise<boolean> {
  await mkdir(dirname(to), { recursive: true });
  try {
    if ((await stat(from)).size !== bytes) return false;
    await link(from, to);
    return true;
  } catch {
    // None there, or a file system without links.
    return false;
  }
}

export const databaseOf = (folder: string): string => join(folder, DATABASE);
