// The report as it was last written: what the page shows, and what the tests hold against a few checks made afresh.
import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { Finding } from './finding.ts';

const FILE = new URL('../../docs/fidelity.json', import.meta.url);

export const readStored = (): Finding[] => z.array(Finding).parse(JSON.parse(readFileSync(FILE, 'utf8')));

/** C++ tests are left out: they are run with every change, and have no figures. */
export function writeStored(findings: readonly Finding[]): void {
  const kept = findings.filter(({ id }) => !id.startsWith('behaviour/native'));
  writeFileSync(FILE, `[\n${kept.map((finding) => JSON.stringify(finding)).join(',\n')}\n]\n`);
}
