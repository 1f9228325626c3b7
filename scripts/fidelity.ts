/**
 * `npm run fidelity [-- --ccas copa,verus] [--only behaviour,kernel,prototypes,orderings,fairness] [--seconds 60] [--json FILE] [--write]`: what
 * each algorithm was checked against, and the result. Recordings of others are used where they are there; they are not part of the project.
 * --write keeps the report as docs/fidelity.json, which the page shows. Exits 1 when something is out of its bounds without a documented reason.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { SECTIONS, type Section } from '#protocol/fidelity';
import { counted, sectionText } from './fidelity/print.ts';
import { fidelityReport } from './fidelity/report.ts';
import { writeStored } from './fidelity/stored.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const text = { type: 'string' } as const;
const { values } = parseArgs({
  options: { ccas: text, only: text, seconds: { ...text, default: '60' }, json: text, write: { type: 'boolean' } },
});
const only = (values.only?.split(',') ?? SECTIONS) as Section[];
const wrong = only.filter((section) => !SECTIONS.includes(section));
if (wrong.length > 0) {
  console.error(`There is no section ${wrong.join(', ')}; there are ${SECTIONS.join(', ')}.`);
  process.exit(2);
}

const recordings = join(root, '../shared/traces');
if (values.write === true && (values.only !== undefined || values.ccas !== undefined || !existsSync(recordings))) {
  console.error(`--write keeps whole reports only: no --only, no --ccas, and the recordings in ${recordings}.`);
  process.exit(2);
}

const dir = mkdtempSync(join(tmpdir(), 'paceline-fidelity-'));
try {
  const findings = await fidelityReport({
    sections: new Set(only),
    ccas: values.ccas === undefined ? null : new Set(values.ccas.split(',')),
    seconds: Number(values.seconds),
    shipped: join(root, 'traces/made'),
    recordings,
    dir,
    onSection: (section, found) => console.log(sectionText(section, found)),
  });
  console.log(`\n${findings.length} checks: ${counted(findings)}.`);
  if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(findings, null, 1));
  if (values.write === true) await writeStored(findings);
  if (findings.some(({ verdict }) => verdict === 'FAILS')) process.exitCode = 1;
} finally {
  rmSync(dir, { recursive: true, force: true });
}
