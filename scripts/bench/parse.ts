import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programPath } from '#bridge/programs';
import { countLines, mahimahiLines, tableRows, writeLarge } from '../lib/large-traces.ts';
import { cpuOfChildren, median, type Bench, type Measurement } from './bench.ts';

const REPEATS = 7;
const AIM_MB_PER_S = 300;

/** Millions of bytes per second of processor time: what else the machine does is not in it. */
function rate(bytes: number, program: string, words: readonly string[]): number {
  const rates: number[] = [];
  for (let i = 0; i < REPEATS; i++) {
    const before = cpuOfChildren();
    execFileSync(program, words, { stdio: 'ignore' });
    rates.push(bytes / 1e6 / (cpuOfChildren() - before));
  }
  return median(rates);
}

/** Traces as text are read and checked by the program that the server and the command line use; `wc -l` reads the same file beside it. */
export const bench: Bench = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'paceline-parse-'));
  const file = join(folder, 'trace');
  const trace = programPath('paceline-trace');
  const measure = (form: string, pieces: Iterable<string>, aim: boolean): Measurement => {
    writeLarge(file, pieces);
    const bytes = statSync(file).size;
    const read = rate(bytes, trace, ['validate', file]);
    const counted = rate(bytes, 'wc', ['-l', file]);
    return {
      what: `${form}, ${(bytes / 1e6).toFixed(0)} MB: read on one core`,
      measured: `${read.toFixed(0)} MB/s (1/${(counted / read).toFixed(1)} of wc -l)`,
      ...(aim && { aim: { text: `>= ${AIM_MB_PER_S} MB/s`, met: read >= AIM_MB_PER_S } }),
    };
  };
  try {
    return await Promise.resolve([
      measure('Mahimahi', mahimahiLines(15_000_000), true),
      measure('ms count', countLines(10_000_000), false),
      measure('CSV table', tableRows(4_000_000), false),
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
