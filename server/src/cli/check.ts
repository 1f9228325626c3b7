import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseWords } from '../config.ts';
import { DataDirUnusable } from '../errors.ts';
import { DATABASE } from '../lab.ts';
import { checkAll, type CheckReport } from '../store/check.ts';
import { lockDataDir } from '../store/database.ts';
import { copyDatabase, repair } from '../store/repair.ts';
import { EXIT } from './exit.ts';

const HELP = `Usage: paceline check [--repair] [--data-dir DIR] [--json]

Reads everything that is kept in a data folder and says what is not whole: every page and reference of the database, every
stored sample, every trace and weights file against its hash, and what belongs to nothing. Nothing is changed; a server may be running.
Exit code 1 when anything was found.

  --repair   mends what can be, after a copy of the database was put beside it; no server may be running. Exit code 1 when something is left
`;

export async function check(words: readonly string[]): Promise<number> {
  const { values } = parseWords({
    args: [...words],
    options: {
      'data-dir': { type: 'string' },
      repair: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) {
    process.stdout.write(HELP);
    return EXIT.ok;
  }
  const dataDir = resolve(values['data-dir'] ?? process.env['PACELINE_DATA_DIR'] ?? 'data');
  if (!existsSync(join(dataDir, DATABASE)))
    throw new DataDirUnusable(`there is no ${DATABASE} in ${dataDir}; --data-dir names another folder`);
  return values.repair ? repaired(dataDir, values.json) : checked(dataDir, values.json);
}

const read = (dataDir: string): Promise<CheckReport> => checkAll(join(dataDir, DATABASE), join(dataDir, 'traces'));

async function checked(dataDir: string, json: boolean): Promise<number> {
  const report = await read(dataDir);
  const { faults, counts } = report;
  process.stdout.write(json ? `${JSON.stringify({ counts, faults }, null, 2)}\n` : textOf(report));
  return faults.length === 0 ? EXIT.ok : EXIT.failed;
}

function textOf({ faults, counts }: CheckReport): string {
  const made = `${counts.runs} runs, ${counts.blobs} blocks of samples, ${counts.files} files`;
  const told = `${made}: ${faults.length === 0 ? 'everything is whole' : `${faults.length} faults`}`;
  return [...faults, told].map((line) => `${line}\n`).join('');
}

async function repaired(dataDir: string, json: boolean): Promise<number> {
  const lock = lockDataDir(join(dataDir, 'lock.db'));
  if (lock === null) throw new DataDirUnusable(`${dataDir} is in use: stop its server, then repair it`);
  try {
    const before = await read(dataDir);
    if (before.faults.length === 0) return await checked(dataDir, json);
    const at = new Date().toISOString();
    const copy = join(dataDir, `${DATABASE}.before-${at.replaceAll(/[:.]/g, '-')}`);
    const { pages } = before.damage;
    if (pages !== 'damaged') await copyDatabase(join(dataDir, DATABASE), copy);
    const did = repair(join(dataDir, DATABASE), before.damage, at);
    const after = await read(dataDir);
    const { faults, counts } = after;
    if (json) process.stdout.write(`${JSON.stringify({ found: before.faults, did, counts, faults }, null, 2)}\n`);
    else {
      const say = (lines: readonly string[]): boolean =>
        process.stdout.write(lines.map((line) => `${line}\n`).join(''));
      say(before.faults.map((fault) => `found: ${fault}`));
      if (pages === 'damaged')
        say([
          'The pages of the database are damaged, and nothing was changed: `paceline restore` brings a backup back.',
        ]);
      else say([...did.map((line) => `mended: ${line}`), `As it was, the database is ${copy}.`]);
      process.stdout.write(`\n${textOf(after)}`);
    }
    return faults.length === 0 ? EXIT.ok : EXIT.failed;
  } finally {
    lock.release();
  }
}
