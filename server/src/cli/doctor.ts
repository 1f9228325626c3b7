import { mkdirSync } from 'node:fs';
import { examine } from '#bridge/doctor';
import { PROGRAMS } from '#bridge/programs';
import { backupCheck } from '../backup/last.ts';
import { bpfObjects, checked, parseWords, whereConfigured } from '../config.ts';
import { dataFolder } from '../data-folder.ts';
import { offered } from '../external-programs.ts';
import { Size } from '../limits.ts';
import { Quota } from '../quota.ts';
import { VERSION } from '../version.ts';
import { EXIT } from './exit.ts';

const HELP = `Usage: paceline doctor [--json] [--data-dir DIR] [--endpoints FILE]

Says what this machine can do and what would mend the rest. Exit code 1 when the native programs cannot be used.
`;

export async function doctor(words: readonly string[]): Promise<number> {
  const { values } = parseWords({
    args: [...words],
    options: {
      json: { type: 'boolean' },
      'data-dir': { type: 'string' },
      endpoints: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) {
    process.stdout.write(HELP);
    return EXIT.ok;
  }
  const where = whereConfigured(values.endpoints, values['data-dir'], process.env);
  const { dataDir } = where;
  mkdirSync(dataDir, { recursive: true });
  const most = checked(Size.optional(), process.env['PACELINE_MAX_DATA'], () => 'PACELINE_MAX_DATA') ?? null;
  const checks = [
    ...(await examine(dataDir, offered(where, bpfObjects(process.env)).bpf)),
    await dataFolder(new Quota(dataDir, most)),
    backupCheck(dataDir),
  ];
  if (values.json === true) process.stdout.write(`${JSON.stringify({ version: VERSION, checks }, null, 2)}\n`);
  else
    for (const { ok, label, detail, remedy } of checks) {
      process.stdout.write(`${ok ? 'ok ' : '–  '} ${label}: ${detail}\n`);
      if (remedy !== null) process.stdout.write(`      ${remedy}\n`);
    }
  const needed: readonly string[] = PROGRAMS;
  return checks.every(({ id, ok }) => ok || !needed.includes(id)) ? EXIT.ok : EXIT.failed;
}
