/**
 * `npm run fidelity:live [-- --repetitions 3 --seconds 20 --traces 4 --limits 4 --ccas reno,cubic,bbr --parallel 1 --json FILE]`: runs this machine's own
 * kernel TCP over the link, in real time, and prints ours beside it. It takes as long as the link's time of all its runs (48 cells at
 * full size), and wants the machine for itself. With `--kernel LINUX` that kernel, user-mode Linux, in simulated time instead (docs/tun.md).
 * Exits 3 when a cell differs by more than the tolerance, 2 when it could not be looked at.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { agrees, compareLive } from './fidelity/live.ts';
import { programsUnder } from './fidelity/kernel-image.ts';
import { pairOf, USUAL } from './fidelity/pairs.ts';

const USAGE = 2;
const THRESHOLD_MISSED = 3;
const whole = { type: 'string' } as const;
const { values } = parseArgs({
  options: {
    repetitions: whole,
    seconds: whole,
    traces: whole,
    limits: whole,
    ccas: whole,
    parallel: whole,
    json: whole,
    kernel: whole,
  },
});

const tracesDir = mkdtempSync(join(tmpdir(), 'paceline-fidelity-'));
let programs: string | null = null;
try {
  const pairs = (values.ccas?.split(',') ?? USUAL).map(pairOf);
  if (values.kernel !== undefined) process.env['PACELINE_NATIVE_DIR'] = programs = programsUnder(values.kernel);
  const cells = await compareLive(tracesDir, {
    repetitions: Number(values.repetitions ?? 3),
    seconds: Number(values.seconds ?? 20),
    traces: Number(values.traces ?? 4),
    limits: Number(values.limits ?? 4),
    pairs,
    udp: programs === null,
    parallel: Number(values.parallel ?? 1),
  });
  if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(cells, null, 1));
  if (!cells.every(agrees)) process.exitCode = THRESHOLD_MISSED;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = USAGE;
} finally {
  for (const dir of [tracesDir, programs]) if (dir !== null) rmSync(dir, { recursive: true, force: true });
}
