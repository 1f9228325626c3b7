// What the data folder knows of its last backup: when it was made and whether it was whole, not where it is.
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DoctorCheck } from '#protocol/api';
import { sizeText } from '../quota.ts';
import { LAST } from './files.ts';
import { recordIn, type BackupRecord } from './record.ts';

/** Whoever makes backups may read the folder and not write to it: then it is not told. */
export async function noteBackup(dataDir: string, record: BackupRecord): Promise<void> {
  const file = join(dataDir, LAST);
  const unfinished = `${file}.${process.pid}`;
  await writeFile(unfinished, `${JSON.stringify(record, null, 2)}\n`)
    .then(() => rename(unfinished, file))
    .catch(() => undefined);
}

const DAY_MS = 86_400_000;
const OLD_DAYS = 7;
const MAKE = 'paceline backup --to DIR makes one while the server runs.';

/** For the doctor. A folder without any is no fault: not everybody's is dear. */
export function backupCheck(dataDir: string, now = Date.now()): DoctorCheck {
  const last = recordIn(dataDir, LAST);
  const said = (ok: boolean, detail: string, remedy: string | null): DoctorCheck => ({
    id: 'backup',
    label: 'Backup',
    ok,
    detail,
    remedy,
    command: null,
  });
  if (last === null) return said(true, 'none has been made of this folder', MAKE);
  const { made_at, bytes, faults } = last;
  const days = Math.floor((now - Date.parse(made_at)) / DAY_MS);
  const made = `${sizeText(bytes)}, made ${made_at.slice(0, 16).replace('T', ' ')} UTC`;
  if (faults !== null && faults.length > 0)
    return said(
      false,
      `${made}: ${faults.length} faults were found in it`,
      'paceline check says what is not whole here.',
    );
  if (days >= OLD_DAYS) return said(false, `${made}: ${days} days ago`, MAKE);
  return said(true, `${made}, ${faults === null ? 'not checked' : 'everything whole'}`, null);
}
