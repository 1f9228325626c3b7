import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RunTables } from '../../server/src/experiments/run-table.ts';
import { Slices } from '../../server/src/slices.ts';
import { Store } from '../../server/src/store/store.ts';
import { addExperiment, addRun } from '../../server/src/testing/runs.ts';
import type { Bench } from './bench.ts';

const RUNS = 100_000;
const EXPERIMENTS = 40;
const AIM_MS = 100;
const ROUNDS = 5;

const QUERIES = [
  { q: '' },
  { q: '', sort: { field: 'util', down: false } },
  { q: 'cca:bbr util<0.8' },
  { q: 'cca:bbr tag:thesis trace:walk p95>100', sort: { field: 'p95', down: true } },
  { q: '-state:failed walk', sort: { field: 'trace', down: false } },
  { q: 'experiment:7 -cca:cubic buffer:5bdp,1bdp' },
  { q: 'util:0.4..0.41', sort: { field: 'util', down: true }, after: 400 },
  { q: '', group: ['cca', 'buffer'], limit: 0 },
  { q: 'util>0.2', group: ['cca'], limit: 0 },
] as const;

/** Every query that a table of a hundred thousand runs is asked, as the server answers it. */
export const bench: Bench = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'paceline-bench-'));
  const store = new Store(join(folder, 'paceline.db'));
  try {
    for (let e = 0; e < EXPERIMENTS; e++)
      addExperiment(
        store,
        `Experiment ${e}`,
        Array.from({ length: RUNS / EXPERIMENTS }, (_, i) => addRun(store, e * RUNS + i + 1)),
      );
    const begin = performance.now();
    const tables = new RunTables(store, new Slices(), Infinity);
    const usual = { q: '', sort: { field: 'made', down: true }, group: [], after: 0, limit: 100 };
    await tables.find(usual);
    const read = performance.now() - begin;
    store.db
      .exec(`UPDATE run_facts SET ccas = CASE abs(random()) % 4 WHEN 0 THEN ' bbr ' WHEN 1 THEN ' cubic ' WHEN 2 THEN ' copa ' ELSE ' bbr cubic ' END,
      trace = CASE abs(random()) % 3 WHEN 0 THEN 'LTE walk' WHEN 1 THEN '5G drive' ELSE '3G home' END,
      buffer = CASE abs(random()) % 3 WHEN 0 THEN '1bdp' WHEN 1 THEN '5bdp' ELSE 'inf' END, state = CASE abs(random()) % 20 WHEN 0 THEN 'failed' ELSE 'done' END,
      f_utilisation = abs(random()) % 10000 / 10000.0, f_queueing_p95 = abs(random()) % 3000 / 10.0;
      UPDATE run_facts SET words = lower(trace) || ccas;
      INSERT INTO tags VALUES ('experiment', 'Experiment 3', 'thesis')`);
    const times: number[] = [];
    let worst = { q: '', ms: 0 };
    for (let round = 0; round < ROUNDS; round++)
      for (const query of QUERIES) {
        const start = performance.now();
        await tables.find({ ...usual, ...query });
        const ms = performance.now() - start;
        times.push(ms);
        if (round > 0 && ms > worst.ms) worst = { q: JSON.stringify(query), ms };
      }
    times.sort((a, b) => a - b);
    const median = times[Math.floor(times.length / 2)] ?? NaN;
    return [
      {
        what: `the table of ${RUNS} runs: ${QUERIES.length} queries`,
        measured: `${median.toFixed(0)} ms median, ${worst.ms.toFixed(0)} ms the slowest (${worst.q}); read into it first in ${(read / 1000).toFixed(1)} s`,
        aim: { text: `the slowest <= ${AIM_MS} ms`, met: worst.ms <= AIM_MS },
      },
    ];
  } finally {
    store.close();
    rmSync(folder, { recursive: true, force: true });
  }
};
