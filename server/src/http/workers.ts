// Where runs are made, how much there is to make, and what experiments cost.
import type { WorkerCard } from '#protocol/fleet';
import { WorkersRecord } from '#protocol/workers';
import type { Lab } from '../lab.ts';
import type { Eyes } from '../store/private.ts';
import { eyesOf } from './eyes.ts';
import { defineRoute, type Route } from './route.ts';

export const workerRoutes = (lab: Lab): Route[] => [
  defineRoute({
    method: 'get',
    path: '/workers',
    tag: 'server',
    summary: 'Where runs are made, and how much there is to make',
    description: 'Workers are machines that make runs over Redis (docs/workers.md).',
    answers: { 200: { description: 'As of now', schema: WorkersRecord } },
    errors: [],
    handle: (_input, _req, res) => workersOf(lab, eyesOf(res)),
  }),
];

/** More of what goes on are not told, and of what is over only so many that there are a few to see. */
const MOST_GOING = 10;
const FEW = 5;

function costsOf({ store, outlook }: Lab, eyes: Eyes): WorkersRecord['experiments'] {
  const unseen = store.private.unseen('experiment', eyes);
  const isSeen = (id: string): boolean => !unseen.has(id);
  const going = store.experiments.going().filter(isSeen).toReversed().slice(0, MOST_GOING);
  const newest = store.experiments
    .newest(FEW + unseen.size)
    .filter(isSeen)
    .slice(0, FEW);
  const ids = new Set([...going, ...newest.slice(0, Math.max(0, FEW - going.length))]);
  return [...ids].flatMap((id) => {
    const item = store.experiments.item(id);
    if (item === null) return [];
    const { name, runs_done, runs_total } = item;
    const { cpu_s, runs, elsewhere } = store.costs.of(id);
    return {
      id,
      name,
      runs_done,
      runs_total,
      goes_on: going.includes(id),
      cpu_s: runs === 0 ? null : cpu_s,
      by_workers: elsewhere,
      left_s: outlook.experimentSeconds(id),
    };
  });
}

/** `eyes`: of who asks. */
export function workersOf(lab: Lab, eyes: Eyes = 'all'): WorkersRecord {
  const { fleet, scheduler, store, outlook, pace, engine } = lab;
  const here = [...scheduler.active.values()].filter(({ elsewhere }) => elsewhere === null);
  return {
    queue: {
      waiting: store.jobs.count(),
      going: scheduler.active.size,
      ended_per_minute: pace.perMinute,
      left_s: outlook.allSeconds(),
      waits_for: scheduler.hold.current?.reason ?? null,
    },
    here: {
      cores: scheduler.workers,
      cores_busy: Math.min(
        scheduler.workers,
        here.reduce((sum, { job }) => sum + job.cores, 0),
      ),
      runs: here.length,
    },
    redis: fleet === null ? null : { place: fleet.place, trouble: fleet.trouble },
    workers: (fleet?.cards ?? []).map((card) => {
      const { id, name, engine_version, capabilities, cores, cores_busy, since, done, doing } = card;
      const shown = { id, name, engine_version, capabilities, cores, cores_busy, since, done };
      return { ...shown, runs: doing.length, ...stateOf(card, engine.version) };
    }),
    experiments: costsOf(lab, eyes),
  };
}

function stateOf(
  { engine_version, draining, trouble }: WorkerCard,
  engine: string | null,
): Pick<WorkersRecord['workers'][number], 'state' | 'reason'> {
  if (engine_version !== engine)
    return {
      state: 'other_engine',
      reason: `its engine is ${engine_version}, the server’s is ${engine ?? 'not there'}: give both the same Paceline`,
    };
  if (draining) return { state: 'draining', reason: 'it ends when what it has in hand is over' };
  if (trouble !== null) return { state: 'trouble', reason: trouble };
  return { state: 'ready', reason: null };
}
