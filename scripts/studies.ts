/**
 * `npm run studies [-- --data-dir DIR]`: runs every study that is shipped and writes what came out to docs/studies.json, from which
 * `npm run generate` makes the tables of the README and of docs/studies.md. With a data folder what is done there is not done again.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { StoredStudies } from '#protocol/study';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({ options: { 'data-dir': { type: 'string' } } });
const folder = values['data-dir'] ?? mkdtempSync(join(tmpdir(), 'paceline-studies-'));
try {
  const words = ['bin/paceline.mjs', 'study', 'run', '--all', '--json', '--data-dir', folder];
  const { status, stdout } = spawnSync(process.execPath, words, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status === 0) {
    const { studies } = JSON.parse(stdout) as { studies: readonly { readonly engine_version: string }[] };
    // Only what the tables say: the points are in the study's report.
    const stored = StoredStudies.parse({ engine_version: studies[0]?.engine_version, studies });
    writeFileSync(`${root}docs/studies.json`, `${JSON.stringify(stored, null, 2)}\n`);
    console.log('wrote docs/studies.json; `npm run generate` makes the tables of it');
  }
  process.exitCode = status ?? 1;
} finally {
  if (values['data-dir'] === undefined) rmSync(folder, { recursive: true, force: true });
}
