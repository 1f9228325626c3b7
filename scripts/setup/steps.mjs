import { sqliteAddon } from './addon.mjs';
import { nodeModules } from './dependencies.mjs';
import { nativeBuild } from './native.mjs';
import { systemPackages } from './packages.mjs';
import { quicHelper } from './quic.mjs';
import { traceLibrary } from './traces.mjs';
import { webPage } from './web.mjs';

/**
 * @typedef {'packages' | 'npm' | 'addon' | 'native' | 'traces' | 'quic' | 'web'} StepName
 * @typedef {{ title: string, after: readonly StepName[], work: (withTests: boolean) => Promise<string> }} Step `after`: what must
 * have been done before it
 * @type {Readonly<Record<StepName, Step>>} in an order that respects that
 */
const STEPS = {
  packages: {
    title: 'System packages',
    after: [],
    work: (withTests) => systemPackages(withTests ? ['run', 'test'] : ['run']),
  },
  npm: { title: 'npm packages', after: [], work: nodeModules },
  addon: { title: 'SQLite addon', after: ['packages', 'npm'], work: sqliteAddon },
  native: {
    title: 'C++ programs',
    after: ['packages'],
    work: (withTests) => nativeBuild({ target: withTests ? 'all' : 'programs' }),
  },
  traces: { title: 'Shipped traces', after: ['native'], work: traceLibrary },
  quic: { title: 'QUIC helper', after: ['native'], work: quicHelper },
  web: { title: 'Web page', after: ['npm'], work: webPage },
};

export const STEP_NAMES = /** @type {readonly StepName[]} */ (Object.keys(STEPS));

/**
 * Does one step and prints one line about it.
 * @param {StepName} name
 * @param {boolean} withTests also what only the tests need
 */
async function setupStep(name, withTests) {
  const { title, work } = STEPS[name];
  const start = performance.now();
  const slow = setTimeout(() => console.log(`${title} …`), 3000);
  try {
    const done = await work(withTests);
    console.log(`${title}: ${done} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
  } catch (error) {
    console.log(`${title}: failed`);
    throw error;
  } finally {
    clearTimeout(slow);
  }
}

/**
 * Installs and builds whatever is missing, at the same time what does not depend on each other: some steps keep only one core
 * busy or wait for the network.
 * @param {{ withTests?: boolean, only?: readonly StepName[] }} [choice]
 * @returns {Promise<ReadonlyMap<StepName, unknown>>} the steps that failed, with the error whose message says what to do
 */
export async function setupSteps({ withTests = false, only = STEP_NAMES } = {}) {
  /** @type {Map<StepName, unknown>} */
  const failed = new Map();
  /** @type {Map<StepName, Promise<void>>} */
  const jobs = new Map();
  for (const name of STEP_NAMES.filter((candidate) => only.includes(candidate))) {
    const before = STEPS[name].after.map((step) => jobs.get(step));
    const job = Promise.all(before).then(() => {
      const lacking = STEPS[name].after.find((step) => failed.has(step));
      if (lacking !== undefined)
        throw new Error(`${STEPS[name].title}: not done, because ${STEPS[lacking].title} failed`);
      return setupStep(name, withTests);
    });
    jobs.set(
      name,
      job.catch((error) => void failed.set(name, error)),
    );
  }
  await Promise.all(jobs.values());
  return failed;
}

/**
 * The same for those who need all of it.
 * @param {{ withTests?: boolean, only?: readonly StepName[] }} [choice]
 * @throws the first step's error
 */
export async function setup(choice = {}) {
  for (const error of (await setupSteps(choice)).values()) throw error;
}
