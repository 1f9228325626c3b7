/**
 * `npm run fidelity`: runs our algorithms where a real Linux kernel was measured and prints ours beside the kernel's.
 * The traces are others' recordings and not part of the project; without them only the constant link is compared.
 * Exits 3 when a cell differs by more than the tolerance.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compareConstantLink } from './fidelity/constant-link.ts';
import { compareOverTraces } from './fidelity/over-traces.ts';
import { print, printCount, type Row } from './fidelity/table.ts';
import { kernel, repeats } from './fidelity/kernel.ts';

const THRESHOLD_MISSED = 3;
const recordings = resolve(dirname(fileURLToPath(import.meta.url)), '../../shared/traces');

console.log(`Compared with: ${kernel.source}.`);
console.log(`Repeats: ${repeats.source}.`);
console.log(
  "Each figure: ours (the kernel's; its repeats). Agreement: utilisation within 5 points, mean delay within 20 % or 3 ms.\n",
);

const tracesDir = mkdtempSync(join(tmpdir(), 'paceline-fidelity-'));
try {
  const rows: Row[] = await compareConstantLink(tracesDir);
  if (existsSync(recordings)) rows.push(...(await compareOverTraces(recordings, tracesDir)));
  else console.log(`No recordings in ${recordings}: the comparison over real traces is skipped.\n`);
  print(rows);
  printCount(rows);
  console.log('\nWhy a single run of a kernel may lie apart:');
  for (const cause of repeats.causes) console.log(`- ${cause}`);
  if (rows.some((row) => row.verdict === 'DIFF')) process.exitCode = THRESHOLD_MISSED;
} finally {
  rmSync(tracesDir, { recursive: true, force: true });
}
