/**
 * `npm run fidelity [-- --ccas copa,verus] [--only behaviour,kernel,prototypes,orderings,fairness] [--traces city-drive] [--seconds 60]
 * [--switch vegas.alpha=4 --switch run.seed=2] [--json FILE] [--write]`: what each algorithm was checked against, and the result. Recordings that are
 * not shipped are used where they are there (lib/recordings.mjs). A switch changes a parameter of every flow of an algorithm, or every run.
 * --write keeps the report as docs/fidelity.json, which the page shows. Exits 1 when something FAILS: out of its bounds and not as documented.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { SECTIONS, type Section } from '#protocol/fidelity';
import { unknownIds } from './fidelity/deviations.ts';
import { counted, sectionText } from './fidelity/print.ts';
import { kernel } from './fidelity/kernel.ts';
import { RECORDINGS_OF_5G } from './fidelity/orderings.ts';
import { fidelityReport } from './fidelity/report.ts';
import { writeStored } from './fidelity/stored.ts';
import { recording } from './lib/recordings.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const text = { type: 'string' } as const;
const { values } = parseArgs({
  options: {
    ccas: text,
    only: text,
    traces: text,
    seconds: text,
    switch: { ...text, multiple: true, default: [] },
    json: text,
    write: { type: 'boolean' },
  },
});
const only = (values.only?.split(',') ?? SECTIONS) as Section[];
const wrong = only.filter((section) => !SECTIONS.includes(section));
if (wrong.length > 0) {
  console.error(`There is no section ${wrong.join(', ')}; there are ${SECTIONS.join(', ')}.`);
  process.exit(2);
}

const wanted = new Set([...kernel.over_traces.traces.map(({ trace }) => trace), ...RECORDINGS_OF_5G]);
const missing = [...wanted].filter((file) => recording(file) === undefined);
const narrowed = [values.only, values.ccas, values.traces, values.seconds, values.switch[0]].some(
  (value) => value !== undefined,
);
const whole = !narrowed && missing.length === 0;
if (values.write === true && !whole) {
  const absent = missing.length === 0 ? '' : ` Missing here: ${missing.join(', ')}.`;
  console.error(`--write keeps whole reports only, as the checks are written and with all recordings.${absent}`);
  process.exit(2);
}

const seconds = values.seconds === undefined ? null : Number(values.seconds);
if (seconds !== null && !(seconds > 0)) {
  console.error(`--seconds ${values.seconds}: wants a number above 0`);
  process.exit(2);
}

const dir = mkdtempSync(join(tmpdir(), 'paceline-fidelity-'));
try {
  const findings = await fidelityReport({
    sections: new Set(only),
    ccas: values.ccas === undefined ? null : new Set(values.ccas.split(',')),
    traces: values.traces === undefined ? null : new Set(values.traces.split(',')),
    seconds,
    switches: values.switch,
    shipped: join(root, 'traces/made'),
    dir,
    onSection: (section, found) => console.log(sectionText(section, found)),
  });
  console.log(`\n${findings.length} checks: ${counted(findings)}.`);
  if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(findings, null, 1));
  if (values.write === true) await writeStored(findings);
  const unknown = whole ? unknownIds(findings) : [];
  for (const id of unknown) console.log(`FAILS    deviations.json has an entry for ${id}, which is no check`);
  if (unknown.length > 0 || findings.some(({ verdict }) => verdict === 'FAILS')) process.exitCode = 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
} finally {
  rmSync(dir, { recursive: true, force: true });
}
