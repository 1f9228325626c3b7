import { resolve } from 'node:path';
import { backupsIn, type Backup } from '../backup/record.ts';
import { makeBackup, type MadeBackup } from '../backup/make.ts';
import { backupAt, restoreBackup } from '../backup/restore.ts';
import { parseWords, UsageError } from '../config.ts';
import { EXIT } from './exit.ts';
import { table } from './table.ts';

const HELP = `Usage: paceline backup --to DIR [--data-dir DIR] [--keep N] [--no-check] [--json]
       paceline backup --to DIR --list [--json]
       paceline restore --from DIR [--data-dir DIR]

A backup is a folder in --to, called by its time: the database as it is at one moment, every trace and weights file, logs, and what else
lies in the data folder. The server may be running. Traces that the backup before has take no room again. All of it is read once more
at the end (--no-check: it is not); exit code 1 when anything is not whole. With --keep the N newest stay.

restore --from takes one of them, or the folder that they are in for the newest, and makes it a data folder where there is none yet.
`;

const KEEP = /^[1-9]\d{0,5}$/;
const dataDirOf = (given: string | undefined): string => resolve(given ?? process.env['PACELINE_DATA_DIR'] ?? 'data');
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(bytes < 1e7 ? 2 : 0)} MB`;

export async function backup(words: readonly string[]): Promise<number> {
  const { values } = parseWords({
    args: [...words],
    options: {
      to: { type: 'string' },
      'data-dir': { type: 'string' },
      keep: { type: 'string' },
      list: { type: 'boolean', default: false },
      'no-check': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) {
    process.stdout.write(HELP);
    return EXIT.ok;
  }
  if (values.to === undefined) throw new UsageError('backup: --to names the folder that backups are in');
  if (values.keep !== undefined && !KEEP.test(values.keep))
    throw new UsageError(`backup: --keep ${values.keep}: how many are to stay, one at least`);
  const to = resolve(values.to);
  if (values.list) return list(to, values.json);
  const made = await makeBackup({
    dataDir: dataDirOf(values['data-dir']),
    to,
    keep: values.keep === undefined ? null : Number(values.keep),
    verify: !values['no-check'],
  });
  if (values.json) process.stdout.write(`${JSON.stringify(made, null, 2)}\n`);
  else tell(made);
  return (made.record.faults?.length ?? 0) === 0 ? EXIT.ok : EXIT.failed;
}

function tell({ path, record, removed, others }: MadeBackup): void {
  const { files, bytes, shared_bytes, faults } = record;
  for (const fault of faults ?? []) process.stdout.write(`${fault}\n`);
  for (const other of others)
    process.stderr.write(`paceline: ${other} is neither a file nor a folder: it is not in the backup\n`);
  const shared = shared_bytes === 0 ? '' : `, ${megabytes(shared_bytes)} of it shared with the one before`;
  const whole =
    faults === null ? 'not checked' : faults.length === 0 ? 'everything is whole' : `${faults.length} faults`;
  const gone = removed.length === 0 ? '' : `; ${removed.length} older removed`;
  process.stdout.write(`${path}: ${files} files, ${megabytes(bytes)}${shared}: ${whole}${gone}\n`);
}

function list(to: string, json: boolean): number {
  const all = backupsIn(to);
  if (json) process.stdout.write(`${JSON.stringify({ backups: all }, null, 2)}\n`);
  else process.stdout.write(table([['name', 'made', 'files', 'size', 'state'], ...all.map(row)]));
  return EXIT.ok;
}

const row = ({ name, record: { made_at, files, bytes, faults } }: Backup): string[] => [
  name,
  made_at,
  String(files),
  megabytes(bytes),
  faults === null ? 'not checked' : faults.length === 0 ? 'whole' : `${faults.length} faults`,
];

export async function restoreFrom(words: readonly string[]): Promise<number> {
  const { values } = parseWords({
    args: [...words],
    options: { from: { type: 'string' }, 'data-dir': { type: 'string' } },
  });
  const dataDir = dataDirOf(values['data-dir']);
  const from = backupAt(resolve(values.from ?? ''));
  const { files, faults } = await restoreBackup(from, dataDir);
  for (const fault of faults) process.stdout.write(`${fault}\n`);
  const whole = faults.length === 0 ? 'everything is whole' : `${faults.length} faults`;
  process.stdout.write(`${dataDir} is as it was on ${from.record.made_at}: ${files} files, ${whole}\n`);
  return faults.length === 0 ? EXIT.ok : EXIT.failed;
}
