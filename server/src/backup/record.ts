// What a backup says of itself, and how backups are called: each is a folder, a data folder with this file in it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

export const RECORD = 'backup.json';

export const BackupRecord = z.object({
  format: z.literal(1),
  version: z.string().describe('of the Paceline that made it'),
  schema: z.int().describe('of its database'),
  made_at: z.iso.datetime(),
  files: z.int().describe('of the database and everything beside it'),
  bytes: z.number(),
  shared_bytes: z.number().describe('of these in files that the backup before has, too: they take no room'),
  faults: z.array(z.string()).nullable().describe('what was not whole when all of it was read; null: it was not read'),
});
export type BackupRecord = z.infer<typeof BackupRecord>;

export interface Backup {
  readonly path: string;
  readonly name: string;
  readonly record: BackupRecord;
}

const NAME = /^paceline-\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}-\d{3}Z$/;

/** Names in their order are backups in theirs. */
export const backupName = (at: Date): string => `paceline-${at.toISOString().replaceAll(/[:.]/g, '-')}`;

/** One that is still being made, or never was. */
export const PARTIAL = '.partial';
export const isPartial = (name: string): boolean => name.endsWith(PARTIAL) && NAME.test(name.slice(0, -PARTIAL.length));

/** null: what lies there is no backup. */
export function recordIn(folder: string, name = RECORD): BackupRecord | null {
  const file = join(folder, name);
  if (!existsSync(file)) return null;
  try {
    return BackupRecord.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}

/** Those in a folder, the newest last; what else lies there is left alone. */
export const backupsIn = (folder: string): Backup[] =>
  readdirSync(folder)
    .filter((name) => NAME.test(name))
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      const record = recordIn(path);
      return record === null ? [] : [{ path, name, record }];
    });
