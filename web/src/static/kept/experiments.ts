// Experiments of this browser: planned, entered, stopped, asked for again. The same spec is the same experiment, as on a server.
import { experimentId } from '#analysis/identity';
import { planSteps } from '#analysis/plan';
import { finish } from '#analysis/steps';
import type { Plan, RunState } from '#protocol/api';
import { NOTHING_SAID } from '#protocol/labels';
import { lanes } from '../../engine/engines';
import { invalid, needsServer, Refused } from '../refusals';
import { expanded, hashOf, runId, type Planned } from './expand';
import { runOfSite } from './site-runs';
import type { KeptExperiment, KeptRun } from './database';
import { desk, type Desk } from './desk';
import { cancelRun, pump } from './queue';

/** A page is no machine room: what is larger belongs on a server. */
const MOST_RUNS = 2000;
/** What one core of a reader's machine carries in WebAssembly, to begin with (docs/wasm.md). */
const PACKETS_PER_S = 2e6;
const OVERHEAD_S = 0.1;

const AGAIN: readonly RunState[] = ['failed', 'cancelled'];

export async function planned(asked: unknown): Promise<Plan> {
  const plan = await expanded(asked);
  const known = await desk();
  const ofSite = await runOfSite();
  const isKnown = (id: string): boolean =>
    known.runs.has(id) ? known.runs.get(id)?.state === 'done' : ofSite(id) !== undefined;
  const pace = {
    packets_per_s: PACKETS_PER_S,
    overhead_s: OVERHEAD_S,
    virtual_workers: lanes(),
    realtime_workers: 1,
  };
  const know = (canonical: string) => {
    const id = runId(canonical);
    return { id, stored: isKnown(id) };
  };
  return finish(planSteps(plan.expansion, plan.engine, plan.find, pace, know));
}

/** What the site has run already, with the same manifest, is taken as it stands. */
async function newRun(id: string, manifest: KeptRun['manifest'], at: string): Promise<KeptRun> {
  const site = (await runOfSite())(id);
  const queued = { id, manifest, state: 'queued', reason: null, time_s: 0, summary: null } as const;
  if (site === undefined) return { ...queued, created_at: at, started_at: null, finished_at: null, ofSite: false };
  const { state, reason, time_s, summary, created_at, started_at, finished_at } = await site();
  return { id, manifest, state, reason, time_s, summary, created_at, started_at, finished_at, ofSite: true };
}

async function entered(id: string, { expansion }: Planned, known: Desk): Promise<void> {
  const at = new Date().toISOString();
  const places: KeptExperiment['places'][number][] = [];
  const fresh = new Map<string, KeptRun>();
  for (const { manifest, canonical, cell, role, repetition } of expansion.runs) {
    if (manifest.engine !== 'virtual')
      throw new Refused(needsServer('Runs in real time are made by programs on a machine of their own.'));
    const run = runId(canonical);
    places.push({ run, cell, role, repetition });
    if (places.length > MOST_RUNS)
      throw new Refused(invalid(`this makes more than ${MOST_RUNS} runs, which is for a server`));
    if (!known.runs.has(run) && !fresh.has(run)) fresh.set(run, await newRun(run, manifest, at));
  }
  const again = places.flatMap(({ run }) => {
    const old = known.runs.get(run);
    return old !== undefined && AGAIN.includes(old.state) ? [requeued(old)] : [];
  });
  const { spec, cells } = expansion;
  const labels = { ...NOTHING_SAID, ...known.experiments.get(id)?.labels, deleted: null };
  const created_at = known.experiments.get(id)?.created_at ?? at;
  await known.enter({ id, created_at, spec, cells, places, labels }, [...fresh.values(), ...again]);
}

const requeued = (run: KeptRun): KeptRun => ({
  ...run,
  state: 'queued',
  reason: null,
  time_s: 0,
  summary: null,
  started_at: null,
  finished_at: null,
});

export async function submitted(asked: unknown): Promise<KeptExperiment> {
  const plan = await expanded(asked);
  const id = experimentId(plan.expansion.spec, plan.engine.engine_version, hashOf);
  const known = await desk();
  await entered(id, plan, known);
  pump();
  const found = known.experiments.get(id);
  if (found === undefined) throw new Error(`experiment ${id} was entered and is not there`);
  return found;
}

/** Ends what is going on and takes the rest out of the queue. Another experiment with some of the same runs can ask for them again. */
export async function stopped(experiment: KeptExperiment): Promise<void> {
  for (const { run } of experiment.places) await cancelRun(run);
}

export async function retried(runs: readonly string[]): Promise<void> {
  const known = await desk();
  for (const id of new Set(runs)) {
    const run = known.runs.get(id);
    if (run !== undefined && AGAIN.includes(run.state)) await known.put(requeued(run));
  }
  pump();
}
