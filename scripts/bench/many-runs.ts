import { readdirSync, readFileSync, statSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { PacelineServer } from '../../e2e/server.ts';
import { over, submit } from './campaign/campaign.ts';
import { cpuOfChildren, type Bench, type Measurement } from './bench.ts';

/** Few, for a quick look; `MANY_RUNS=10000 npm run bench -- many-runs` for what is aimed at. */
const RUNS = Number(process.env['MANY_RUNS'] ?? 300);
const DURATION_S = 60;
const WORKERS = 2;
/** A row every 10 s: figures from every packet, and next to no samples. */
const SCARCE_MS = 10_000;
const USUAL_MS = 10;
/** Of 10 000 runs on two cores, and bytes that are stored of a run with its samples. */
const AIM_RUNS = 10_000;
const AIM_S = { scarce: 120, usual: 240 };
const AIM_BYTES = 300_000;
const TICKS_PER_S = 100;

/** Processor time of a process, of its children that have ended and of those that go on, seconds. */
function cpuWithChildren(pid: number): number {
  let ticks = 0;
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
      const fields = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number);
      if (Number(entry) === pid || fields[1] === pid)
        ticks += fields.slice(11, 15).reduce((sum, value) => sum + value, 0);
    } catch {
      // It ended while we looked.
    }
  }
  return ticks / TICKS_PER_S;
}

const bytesIn = (folder: string): number =>
  ['paceline.db', 'paceline.db-wal']
    .map((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, size) => sum + size, 0);

async function measure(what: string, period_ms: number, aimS: number): Promise<Measurement[]> {
  const server = await PacelineServer.start({ flags: ['--workers', String(WORKERS)] });
  const before = cpuOfChildren();
  try {
    // The sample experiment of the home page is no part of it.
    await over(server.url, 100);
    const [young, empty] = [cpuWithChildren(server.pid), bytesIn(server.dataDir)];
    const start = performance.now();
    await submit(server.url, { runs: RUNS, duration_s: DURATION_S, sample_period_ms: period_ms });
    await over(server.url, 500);
    const wall = (performance.now() - start) / 1000;
    await server.stop();
    const stored = (bytesIn(server.dataDir) - empty) / RUNS;
    const cpu = cpuOfChildren() - before - young;
    // As long as it takes where nobody else wants the processors, whatever goes on here now.
    const alone = ((cpu / WORKERS) * AIM_RUNS) / RUNS;
    const rows: Measurement[] = [
      {
        what: `${RUNS} runs of ${DURATION_S} s over an LTE trace, ${what}`,
        measured: `${wall.toFixed(1)} s; ${((1000 * cpu) / RUNS).toFixed(1)} ms of processors a run, ${AIM_RUNS} in ${alone.toFixed(0)} s on two idle cores (load ${loadavg()[0]?.toFixed(1)})`,
        aim: { text: `<= ${aimS} s for ${AIM_RUNS}`, met: Math.max(alone, RUNS >= AIM_RUNS ? wall : 0) <= aimS },
      },
    ];
    if (period_ms === USUAL_MS)
      rows.push({
        what: 'stored of such a run',
        measured: `${(stored / 1e6).toFixed(2)} MB`,
        aim: { text: `<= ${AIM_BYTES / 1e6} MB`, met: stored <= AIM_BYTES },
      });
    return rows;
  } finally {
    await server.dispose();
  }
}

export const bench: Bench = async () => [
  ...(await measure('a sample every 10 s', SCARCE_MS, AIM_S.scarce)),
  ...(await measure('a sample every 10 ms', USUAL_MS, AIM_S.usual)),
];
