import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ExperimentSpecInput } from '#protocol/spec';
import type { Bench } from './bench.ts';

const AIM_S = 10;
const CLI = fileURLToPath(new URL('../../bin/paceline.mjs', import.meta.url));

/** A 5G-like random walk of about 500 Mbps mean; the same bytes on every machine. */
const TRACE_RECIPE = {
  schema: 1,
  name: '5G-like walk',
  description: 'A random walk of about 500 Mbps mean for the benchmark.',
  cellular_walk: {
    seed: 5,
    duration_ms: 60_000,
    median_mbps: 355,
    min_mbps: 5,
    max_mbps: 2000,
    slow_sigma: 0.55,
    slow_tau_ms: 3000,
    fast_sigma: 0.3,
    fast_tau_ms: 15,
    share: 0.5,
    outages_per_s: 0.1,
    outage_mean_ms: 80,
  },
};

const spec: ExperimentSpecInput = {
  name: 'frontier benchmark',
  duration_s: 60,
  traces: [{ trace: '5g.trace' }],
  ccas: [{ id: 'newreno' }, { id: 'cubic' }, { id: 'bbr' }],
  buffers: [{ bdp: 1 }, { bdp: 5 }, { bdp: 10 }, { infinite: true }],
};

/** Runs the command line as a person would, from its start to its end. */
function paceline(folder: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`paceline ${args.join(' ')} ended with exit code ${status ?? '?'}: ${stderr}`);
  return stdout;
}

export const bench: Bench = () => {
  const folder = mkdtempSync(join(tmpdir(), 'paceline-bench-'));
  try {
    writeFileSync(join(folder, 'recipe.json'), JSON.stringify(TRACE_RECIPE));
    writeFileSync(join(folder, 'spec.json'), JSON.stringify(spec));
    paceline(folder, 'trace', 'make', 'recipe.json', '--out', '5g.trace');
    const { info } = JSON.parse(paceline(folder, 'trace', 'info', '--json', '5g.trace')) as {
      info: { mean_mbps: number };
    };
    const start = performance.now();
    paceline(folder, 'run', 'spec.json', '--out', 'out', '--series', 'none');
    const seconds = (performance.now() - start) / 1000;
    return Promise.resolve([
      {
        what: `12 virtual runs of 60 s, 5G-like trace of ${info.mean_mbps.toFixed(0)} Mbps mean, all cores`,
        measured: `${seconds.toFixed(1)} s, from the command to the files`,
        aim: { text: `< ${AIM_S} s`, met: seconds < AIM_S },
      },
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
