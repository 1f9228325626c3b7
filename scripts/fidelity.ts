/**
 * `npm run fidelity [-- --ccas copa,verus] [--only behaviour,kernel,prototypes,orderings,fairness] [--seconds 60] [--json FILE] [--write]`: what
 * each algorithm was checked against, and the result. Recordings that are not shipped are used where they are there (lib/recordings.mjs).
 * --write keeps the report as docs/fidelity.json, which the page shows. Exits 1 when something is out of its bounds without a documented reason.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { SECTIONS, type Section } from '#protocol/fidelity';
import { counted, sectionText } from './fidelity/print.ts';
import { kernel } from './fidelity/kernel.ts';
import { RECORDINGS_OF_5G } from './fidelity/orderings.ts';
import { fidelityReport } from './fidelity/report.ts';
import { writeStored } from './fidelity/stored.ts';
import { recording } from './lib/recordings.mjs';

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

const wanted = new Set([...kernel.over_traces.traces.map(({ trace }) => trace), ...RECORDINGS_OF_5G]);
const missing = [...wanted].filter((file) => recording(file) === undefined);
if (values.write === true && (values.only !== undefined || values.ccas !== undefined || missing.length > 0)) {
  const absent = missing.length === 0 ? '' : ` Missing here: ${missing.join(', ')}.`;
  console.error(`--write keeps whole reports only: no --only, no --ccas, and all recordings.${absent}`);
  process.exit(2);
}

const dir = mkdtempSync(join(tmpdir(), 'paceline-fidelity-'));
try {
  const findings = await fidelityReport({
    sections: new Set(only),
    ccas: values.ccas === undefined ? null : new Set(values.ccas.split(',')),
    seconds: Number(values.seconds),
    shipped: join(root, 'traces/made'),
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
