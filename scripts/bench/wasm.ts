import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { listCcas } from '#bridge/ccas';
import { nativeDir } from '#bridge/programs';
import { createEngine, type Engine } from '#engine/engine';
import { median, type Bench } from './bench.ts';
import { engineRate, scenarioManifest, type Scenario } from './engine/rate.ts';

const REPEATS = 5;
const SCENARIO: Scenario = { cca: 'cubic', mbps: 1000, bdp: 5, flows: 1, duration_s: 30 };
/** What a slider asks for: ten seconds of a link of today. */
const SHORT: Scenario = { cca: 'cubic', mbps: 20, bdp: 1, flows: 1, duration_s: 10 };
const AIM_TIMES = 2;
const AIM_KB = 250;

/** Million packets per second of processor time, all threads of this process: those that compile are among them. */
async function wasmRate(engine: Engine): Promise<number> {
  const before = process.cpuUsage();
  const { outcome, reason, summary } = await engine.run(scenarioManifest(SCENARIO, engine.version), {});
  const { user, system } = process.cpuUsage(before);
  if (outcome !== 'done' || summary === null) throw new Error(`the run ended as ${outcome}: ${reason ?? ''}`);
  const packets = summary.senders.reduce((sum, { sent_packets }) => sum + sent_packets, 0);
  return packets / (user + system);
}

async function firstResultMs(module: Uint8Array<ArrayBuffer>): Promise<number> {
  const start = performance.now();
  const engine = await createEngine(module);
  await engine.run(scenarioManifest(SHORT, engine.version), {});
  return performance.now() - start;
}

/** In turns, so that what else the machine does meets both. */
export const bench: Bench = async () => {
  const file = join(nativeDir(), 'paceline.wasm');
  const module = new Uint8Array(readFileSync(file));
  const { engine_version } = await listCcas();
  const engine = await createEngine(module);
  await wasmRate(engine);
  const pairs: { readonly native: number; readonly wasm: number }[] = [];
  for (let i = 0; i < REPEATS; i++)
    pairs.push({ native: await engineRate(SCENARIO, engine_version), wasm: await wasmRate(engine) });
  const times = median(pairs.map(({ native, wasm }) => native / wasm));
  const rate = (of: 'native' | 'wasm'): string => median(pairs.map((pair) => pair[of])).toFixed(1);
  const first: number[] = [];
  for (let i = 0; i < REPEATS; i++) first.push(await firstResultMs(module));
  const kb = statSync(`${file}.br`).size / 1000;
  return [
    {
      what: 'WebAssembly in Node, Cubic, 1 Gbps, 20 ms, 5 BDP, 30 s',
      measured: `${rate('wasm')} million packets per CPU second, native ${rate('native')}: ${times.toFixed(2)} times its CPU (median of ${REPEATS} pairs)`,
      aim: { text: `<= ${AIM_TIMES} times`, met: times <= AIM_TIMES },
    },
    {
      what: 'WebAssembly: compiled, and 10 s of 20 Mbps run',
      measured: `${median(first).toFixed(0)} ms (median of ${REPEATS})`,
    },
    {
      what: 'WebAssembly: the module, packed with brotli',
      measured: `${kb.toFixed(0)} kB`,
      aim: { text: `<= ${AIM_KB} kB`, met: kb <= AIM_KB },
    },
  ];
};
