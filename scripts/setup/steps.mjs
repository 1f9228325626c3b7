import { serverBundle } from '../lib/server-bundle.mjs';
import { sqliteAddon } from './addon.mjs';
import { nodeModules } from './dependencies.mjs';
import { nativeBuild } from './native.mjs';
import { systemPackages } from './packages.mjs';
import { quicHelper } from './quic.mjs';
import { traceLibrary } from './traces.mjs';
import { wasmEngine } from './wasm.mjs';
import { webPage } from './web.mjs';

/**
 * @typedef {'packages' | 'tools' | 'npm' | 'server' | 'addon' | 'native' | 'traces' | 'quic' | 'wasm' | 'web'} StepName
 * @typedef {{ title: string, after: readonly StepName[], later?: true, work: (told: Told) => Promise<string> }}
 * Step `after`: what must have been done before it; `later`: the server can begin without it
 * @typedef {(share: { done: number, of: number }) => void} Told how much of a step is done
 * @typedef {{ title: string, later: boolean, state: 'waiting' | 'working' | 'done' | 'failed', done?: number, of?: number,
 *   why?: string }} Progress as server/src/building/progress.ts reads it
 * @type {Readonly<Record<StepName, Step>>} in an order that respects that
 */
const STEPS = {
  packages: {
    title: 'System packages',
    after: [],
    work: () => systemPackages('run'),
  },
  // Nothing that is built waits for them.
  tools: { title: 'Packages of the tests', after: ['packages'], work: () => systemPackages('test') },
  npm: { title: 'npm packages', after: [], work: nodeModules },
  server: { title: 'Server', after: ['npm'], work: () => serverBundle() },
  addon: { title: 'SQLite addon', after: ['packages', 'npm'], work: sqliteAddon },
  native: {
    title: 'C++ programs',
    after: ['packages'],
    // It takes longest, and both cores: what the page waits for comes first.
    work: (told) => nativeBuild({ priority: 'low', told }),
  },
  traces: { title: 'Shipped traces', after: ['native'], work: traceLibrary },
  quic: { title: 'QUIC helper', after: ['native'], later: true, work: quicHelper },
  // Brings its compiler where it may; the QUIC helper is built in the same folder.
  wasm: { title: 'WebAssembly engine', after: ['tools', 'native', 'quic'], later: true, work: wasmEngine },
  web: { title: 'Web page', after: ['npm'], work: webPage },
};

export const STEP_NAMES = /** @type {readonly StepName[]} */ (Object.keys(STEPS));

/**
 * Does one step and prints one line about it.
 * @param {StepName} name
 * @param {(change: Partial<Progress>) => void} tell
 */
async function setupStep(name, tell) {
  const { title, work } = STEPS[name];
  const start = performance.now();
  const slow = setTimeout(() => console.log(`${title} …`), 3000);
  tell({ state: 'working' });
  try {
    const done = await work(tell);
    console.log(`${title}: ${done} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
    tell({ state: 'done' });
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
 * @typedef {{ withTests?: boolean, only?: readonly StepName[], told?: (steps: ReadonlyMap<StepName, Progress>) => void }} Choice
 * `withTests`: with the packages, those as well that only the tests need; `told`: hears of every change
 * @param {Choice} [choice]
 * @returns {Promise<ReadonlyMap<StepName, unknown>>} the steps that failed, with the error whose message says what to do
 */
export async function setupSteps({ withTests = false, only = STEP_NAMES, told = () => undefined } = {}) {
  const names = STEP_NAMES.filter((name) =>
    name === 'tools' ? withTests && only.includes('packages') : only.includes(name),
  );
  /** @type {Map<StepName, unknown>} */
  const failed = new Map();
  /** @type {Map<StepName, Promise<void>>} */
  const jobs = new Map();
  /** @type {Map<StepName, Progress>} */
  const progress = new Map(
    names.map((name) => [name, { title: STEPS[name].title, later: STEPS[name].later === true, state: 'waiting' }]),
  );
  for (const name of names) {
    const tell = (/** @type {Partial<Progress>} */ change) => {
      Object.assign(progress.get(name) ?? {}, change);
      told(progress);
    };
    const before = STEPS[name].after.map((step) => jobs.get(step));
    const job = Promise.all(before).then(() => {
      const lacking = STEPS[name].after.find((step) => failed.has(step));
      if (lacking !== undefined)
        throw new Error(`${STEPS[name].title}: not done, because ${STEPS[lacking].title} failed`);
      return setupStep(name, tell);
    });
    jobs.set(
      name,
      job.catch((error) => {
        failed.set(name, error);
        tell({ state: 'failed', why: error instanceof Error ? error.message : String(error) });
      }),
    );
  }
  await Promise.all(jobs.values());
  return failed;
}

/**
 * The same for those who need all of it.
 * @param {Choice} [choice]
 * @throws the first step's error
 */
export async function setup(choice = {}) {
  for (const error of (await setupSteps(choice)).values()) throw error;
}
