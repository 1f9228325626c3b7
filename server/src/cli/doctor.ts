import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { examine } from '#bridge/doctor';
import { PROGRAMS } from '#bridge/programs';
import { bpfObjects, parseWords } from '../config.ts';
import { VERSION } from '../version.ts';
import { EXIT } from './exit.ts';

const HELP = `Usage: paceline doctor [--json] [--data-dir DIR]

Says what this machine can do and what would mend the rest. Exit code 1 when the native programs cannot be used.
`;

export async function doctor(words: readonly string[]): Promise<number> {
  const { values } = parseWords({
    args: [...words],
    options: { json: { type: 'boolean' }, 'data-dir': { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help === true) {
    process.stdout.write(HELP);
    return EXIT.ok;
  }
  const dataDir = resolve(values['data-dir'] ?? process.env['PACELINE_DATA_DIR'] ?? 'data');
  mkdirSync(dataDir, { recursive: true });
  const checks = await examine(dataDir, bpfObjects(process.env));
  if (values.json === true) process.stdout.write(`${JSON.stringify({ version: VERSION, checks }, null, 2)}\n`);
  else
    for (const { ok, label, detail, remedy } of checks) {
      process.stdout.write(`${ok ? 'ok ' : '–  '} ${label}: ${detail}\n`);
      if (remedy !== null) process.stdout.write(`      ${remedy}\n`);
    }
  const needed: readonly string[] = PROGRAMS;
  return checks.every(({ id, ok }) => ok || !needed.includes(id)) ? EXIT.ok : EXIT.failed;
}
