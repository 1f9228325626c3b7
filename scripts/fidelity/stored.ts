// The report as it was last written: what the page shows.
import { readFileSync, writeFileSync } from 'node:fs';
import { listCcas } from '#bridge/ccas';
import { FidelityReport, type Finding } from '#protocol/fidelity';

const FILE = new URL('../../docs/fidelity.json', import.meta.url);

export const readStored = (): FidelityReport => FidelityReport.parse(JSON.parse(readFileSync(FILE, 'utf8')));

/** C++ tests are left out: they are run with every change, and have no figures. */
export async function writeStored(findings: readonly Finding[]): Promise<void> {
  const { engine_version } = await listCcas();
  const lines = findings
    .filter(({ id }) => !id.startsWith('behaviour/native'))
    .map((finding) => `    ${JSON.stringify(finding)}`);
  writeFileSync(
    FILE,
    `{\n  "engine_version": ${JSON.stringify(engine_version)},\n  "findings": [\n${lines.join(',\n')}\n  ]\n}\n`,
  );
}
