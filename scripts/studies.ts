/**
 * `npm run studies [-- ID… --data-dir DIR]`: runs every study that is shipped and writes what came out to docs/studies.json, from which
 * `npm run generate` makes the tables of the README and of docs/studies.md. With a data folder what is done there is not done again. With ids
 * these alone are run, and the others stay as the same engine had them.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { StoredStudies } from '#protocol/study';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values, positionals: ids } = parseArgs({
  options: { 'data-dir': { type: 'string' } },
  allowPositionals: true,
});
const FILE = `${root}docs/studies.json`;

/** Those that are not run now. */
function others(engine_version: string): StoredStudies['studies'] {
  if (ids.length === 0) return [];
  const before = StoredStudies.parse(JSON.parse(readFileSync(FILE, 'utf8')));
  if (before.engine_version !== engine_version)
    throw new Error(`docs/studies.json is of another engine (${before.engine_version}): run all studies`);
  return before.studies.filter(({ id }) => !ids.includes(id));
}

const folder = values['data-dir'] ?? mkdtempSync(join(tmpdir(), 'paceline-studies-'));
try {
  const words = [
    'bin/paceline.mjs',
    'study',
    'run',
    ...(ids.length === 0 ? ['--all'] : ids),
    '--json',
    '--data-dir',
    folder,
  ];
  const { status, stdout } = spawnSync(process.execPath, words, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status === 0) {
    const { studies } = JSON.parse(stdout) as {
      studies: readonly { readonly id: string; readonly engine_version: string }[];
    };
    const engine_version = studies[0]?.engine_version ?? '';
    // In the order of their ids, as `--all` has them.
    const all = [...studies, ...others(engine_version)].toSorted((a, b) => (a.id < b.id ? -1 : 1));
    // Only what the tables say: the points are in the study's report.
    const stored = StoredStudies.parse({ engine_version, studies: all });
    writeFileSync(FILE, `${JSON.stringify(stored, null, 2)}\n`);
    console.log('wrote docs/studies.json; `npm run generate` makes the tables of it');
  }
  process.exitCode = status ?? 1;
} finally {
  if (values['data-dir'] === undefined) rmSync(folder, { recursive: true, force: true });
}
