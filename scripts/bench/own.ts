import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { nativeDir } from '#bridge/programs';
import type { Engine, Shelf } from '#engine/engine';
import { engineOf } from '#engine/from-bytes';
import type { RunManifest } from '#protocol/manifest';
import { ownCcaId } from '#protocol/own-algorithm';
import { median, type Bench } from './bench.ts';
import { scenarioManifest, type Scenario } from './engine/rate.ts';

const REPEATS = 5;
const SCENARIO: Scenario = { cca: 'newreno', mbps: 500, bdp: 1, flows: 1, duration_s: 20 };
const AIM_MILLION = 1;

const bytesOf = (file: string): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(file));
const INTERPRETER = createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm');
/** What the editor begins with. */
const TEXT = bytesOf(join(import.meta.dirname, '../../emulator-bridge/engine/own/examples/aimd.ts'));
interface Cost {
  readonly acks: number;
  readonly cpuS: number;
}

async function costOf(engine: Engine, manifest: RunManifest, shelf: Shelf): Promise<Cost> {
  const before = process.cpuUsage();
  const { outcome, reason, summary } = await engine.run(manifest, shelf, { samples: false });
  const { user, system } = process.cpuUsage(before);
  if (outcome !== 'done' || summary === null) throw new Error(`the run ended as ${outcome}: ${reason ?? ''}`);
  // Every packet is acknowledged by itself.
  const acks = summary.senders.reduce((sum, { delivered_packets }) => sum + delivered_packets, 0);
  return { acks, cpuS: (user + system) / 1e6 };
}

/** In turns, so that what else the machine does meets both. */
export const bench: Bench = async () => {
  const engine = await engineOf(bytesOf(join(nativeDir(), 'paceline.wasm')), () => bytesOf(INTERPRETER));
  const program = createHash('sha256').update(TEXT).digest('hex');
  const described = await engine.describe(new TextDecoder().decode(TEXT));
  if (!described.ok) throw new Error(described.problem.message);
  const params = Object.fromEntries(described.declaration.params.map(({ name, default: usual }) => [name, usual]));
  const built = scenarioManifest(SCENARIO, engine.version);
  const flows = built.flows.map((flow) => ({ ...flow, ack_every: 1 }));
  const native = { ...built, flows };
  const own = { ...built, flows: flows.map((flow) => ({ ...flow, cca: { id: ownCcaId(program), params, program } })) };
  const shelf: Shelf = { programs: new Map([[program, TEXT]]) };
  await costOf(engine, own, shelf);
  await costOf(engine, native, {});
  const runs: { readonly alone: number; readonly whole: number; readonly beside: number }[] = [];
  for (let i = 0; i < REPEATS; i++) {
    const with_ = await costOf(engine, own, shelf);
    const without = await costOf(engine, native, {});
    const engineS = (without.cpuS / without.acks) * with_.acks;
    runs.push({
      alone: with_.acks / (with_.cpuS - engineS) / 1e6,
      whole: with_.acks / with_.cpuS / 1e6,
      beside: without.acks / without.cpuS / 1e6,
    });
  }
  const of = (what: 'alone' | 'whole' | 'beside'): number => median(runs.map((run) => run[what]));
  return [
    {
      what: 'An own algorithm (AIMD in TypeScript), 500 Mbps, 1 BDP, 20 s, every packet acknowledged',
      measured: `${of('alone').toFixed(2)} million ACKs per CPU second beyond the engine's own work; ${of('whole').toFixed(2)} with it, NewReno of ours ${of('beside').toFixed(2)} (medians of ${REPEATS})`,
      aim: { text: `>= ${AIM_MILLION} million a second`, met: of('alone') >= AIM_MILLION },
    },
  ];
};
