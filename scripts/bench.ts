/**
 * `npm run bench [-- NAME…]`: runs the files in scripts/bench and prints one table. Speed is judged here, not in the tests.
 * Exits 3 when an aim was missed.
 */
import { readdirSync } from 'node:fs';
import { cpus } from 'node:os';
import type { Bench, Measurement } from './bench/bench.ts';

const AIM_MISSED = 3;

const wanted = process.argv.slice(2);
const names = readdirSync(new URL('bench/', import.meta.url))
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.replace(/\.ts$/, ''))
  .filter((name) => name !== 'bench' && (wanted.length === 0 || wanted.includes(name)));

const rows: Measurement[] = [];
for (const name of names) {
  process.stderr.write(`${name} …\n`);
  const { bench } = (await import(`./bench/${name}.ts`)) as { bench: Bench };
  try {
    rows.push(...(await bench()));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    rows.push({ what: name, measured: `failed: ${reason}`, aim: { text: 'to run', met: false } });
  }
}

const cells = rows.map(({ what, measured, aim }) => [
  what,
  measured,
  aim === undefined ? '' : `${aim.met ? 'met' : 'MISSED'}: ${aim.text}`,
]);
const widths = [0, 1].map((column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
console.log(`${cpus()[0]?.model ?? 'unknown CPU'}, ${cpus().length} cores, Node ${process.versions.node}`);
for (const row of cells)
  console.log(
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
if (rows.some(({ aim }) => aim?.met === false)) process.exitCode = AIM_MISSED;
