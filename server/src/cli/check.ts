import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseWords } from '../config.ts';
import { DataDirUnusable } from '../errors.ts';
import { DATABASE } from '../lab.ts';
import { checkAll } from '../store/check.ts';
import { EXIT } from './exit.ts';

const HELP = `Usage: paceline check [--data-dir DIR] [--json]

Reads everything that is kept in a data folder and says what is not whole: every page and reference of the database, every
stored sample, every trace and weights file against its hash, and what belongs to nothing. Nothing is changed; a server may be running.
Exit code 1 when anything was found.
`;

export async function check(words: readonly string[]): Promise<number> {
  const { values } = parseWords({
    args: [...words],
    options: { 'data-dir': { type: 'string' }, json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help === true) {
    process.stdout.write(HELP);
    return EXIT.ok;
  }
  const dataDir = resolve(values['data-dir'] ?? process.env['PACELINE_DATA_DIR'] ?? 'data');
  if (!existsSync(join(dataDir, DATABASE)))
    throw new DataDirUnusable(`there is no ${DATABASE} in ${dataDir}; --data-dir names another folder`);
  const { faults, counts } = await checkAll(join(dataDir, DATABASE), join(dataDir, 'traces'));
  if (values.json === true) process.stdout.write(`${JSON.stringify({ counts, faults }, null, 2)}\n`);
  else {
    for (const fault of faults) process.stdout.write(`${fault}\n`);
    const read = `${counts.runs} runs, ${counts.blobs} blocks of samples, ${counts.files} files`;
    process.stdout.write(`${read}: ${faults.length === 0 ? 'everything is whole' : `${faults.length} faults`}\n`);
  }
  return faults.length === 0 ? EXIT.ok : EXIT.failed;
}
