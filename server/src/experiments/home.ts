import { readFileSync } from 'node:fs';
import type { Logger } from 'pino';
import type { Home } from '#protocol/api';
import { ExperimentSpec } from '#protocol/spec';
import type { Lab } from '../lab.ts';
import { HOME_SETTING, homeExperiment } from './home-experiment.ts';

const SPEC = new URL('../../studies/home.json', import.meta.url);
const MOST_RUNS = 100;

/** Submits the sample experiment of the home page; what is done of it is not done again. */
export async function submitHome(lab: Lab, log: Logger): Promise<void> {
  try {
    const spec = ExperimentSpec.parse(JSON.parse(readFileSync(SPEC, 'utf8')));
    const { id } = await lab.experiments.submit(spec);
    lab.store.settings.set(HOME_SETTING, id);
  } catch (error) {
    // The home page does without; nothing else depends on it.
    log.warn({ err: error }, 'the sample experiment of the home page could not be started');
  }
}

/** One run per CCA, as the spec orders them. */
export function home({ store }: Lab): Home {
  const experiment = homeExperiment(store);
  if (experiment === null) return { experiment: null, run: null, runs: [] };
  const runs = store.experiments
    .refs(experiment, { from: 0, to: MOST_RUNS })
    .filter(({ ref }) => ref.role === 'solo' && ref.repetition === 0)
    .map(({ ref }) => ref.id);
  return { experiment, run: runs[0] ?? null, runs };
}
