import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cpuOfChildren, type Bench } from './bench.ts';

/** The solo matrix of the Zeus paper (its section 6): ten algorithms, five networks, four buffers, five repetitions of 60 s. */
const SPEC = {
  name: 'Zeus, solo',
  duration_s: 60,
  repetitions: 5,
  traces: ['city-drive', 'beachfront-walk', 'rural-macro', 'urban-macro', 'street-canyon'],
  ccas: ['newreno', 'cubic', 'bbr', 'ledbat', 'copa', 'vivace', 'allegro', 'proteus-p', 'proteus-s', 'verus'],
  buffers: [{ bdp: 1 }, { bdp: 5 }, { bdp: 10 }, { infinite: true }],
};
const WORKERS = 2;
const AIM_S = 75;

const root = fileURLToPath(new URL('../..', import.meta.url));
const titleOf = (recipe: string): string =>
  (JSON.parse(readFileSync(`${root}traces/recipes/${recipe}.json`, 'utf8')) as { name: string }).name;

/** With the product's own command: planning, queue, runs, analysis and the written summary are in the time. */
function runSpec(spec: string, out: string): Promise<void> {
  const words = ['run', spec, '--out', out, '--workers', String(WORKERS), '--series', 'none'];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [`${root}bin/paceline.mjs`, ...words], { stdio: 'ignore', cwd: root });
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`paceline run exited with ${code}`))));
  });
}

export const bench: Bench = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'paceline-zeus-'));
  try {
    const spec = join(folder, 'zeus.json');
    const traces = SPEC.traces.map((recipe) => ({ trace: titleOf(recipe) }));
    writeFileSync(spec, JSON.stringify({ ...SPEC, traces, ccas: SPEC.ccas.map((id) => ({ id })) }));
    const runs = SPEC.traces.length * SPEC.ccas.length * SPEC.buffers.length * SPEC.repetitions;
    const [cpuBefore, start] = [cpuOfChildren(), performance.now()];
    await runSpec(spec, join(folder, 'out'));
    const wall = (performance.now() - start) / 1000;
    const cpu = cpuOfChildren() - cpuBefore;
    return [
      {
        what: `the Zeus matrix: ${runs} runs of ${SPEC.duration_s} s on ${WORKERS} cores`,
        measured: `${wall.toFixed(0)} s, of processors ${cpu.toFixed(0)} s (${(cpu / WORKERS).toFixed(0)} s on two idle cores; load ${loadavg()[0]?.toFixed(1)})`,
        aim: { text: `<= ${AIM_S} s`, met: wall <= AIM_S },
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
