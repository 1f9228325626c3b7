/**
 * `npm run fidelity:live [-- --repetitions 3 --seconds 20 --traces 4 --limits 4 --ccas reno,cubic,bbr --parallel 1 --json FILE]`: runs this machine's own
 * kernel TCP over the link, in real time, and prints ours beside it. It takes as long as the link's time of all its runs (48 cells at
 * full size), and wants the machine for itself. Exits 3 when a cell differs by more than the tolerance.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { agrees, compareLive } from './fidelity/live.ts';
import { OURS } from './fidelity/scenario.ts';

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
  },
});

const tracesDir = mkdtempSync(join(tmpdir(), 'paceline-fidelity-'));
try {
  const cells = await compareLive(tracesDir, {
    repetitions: Number(values.repetitions ?? 3),
    seconds: Number(values.seconds ?? 20),
    traces: Number(values.traces ?? 4),
    limits: Number(values.limits ?? 4),
    ccas: values.ccas?.split(',') ?? [...OURS.keys()],
    parallel: Number(values.parallel ?? 1),
  });
  if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(cells, null, 1));
  if (!cells.every(agrees)) process.exitCode = THRESHOLD_MISSED;
} finally {
  rmSync(tracesDir, { recursive: true, force: true });
}
