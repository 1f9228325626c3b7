import { sqliteAddon } from './addon.mjs';
import { nodeModules } from './dependencies.mjs';
import { nativeBuild } from './native.mjs';
import { systemPackages } from './packages.mjs';
import { quicHelper } from './quic.mjs';
import { traceLibrary } from './traces.mjs';
import { webPage } from './web.mjs';

/**
 * @typedef {'packages' | 'npm' | 'addon' | 'native' | 'traces' | 'quic' | 'web'} StepName
 * @typedef {{ title: string, work: (withTests: boolean) => Promise<string> }} Step
 * @type {Readonly<Record<StepName, Step>>} in the order in which they depend on each other
 */
const STEPS = {
  packages: { title: 'System packages', work: (withTests) => systemPackages(withTests ? ['run', 'test'] : ['run']) },
  npm: { title: 'npm packages', work: nodeModules },
  addon: { title: 'SQLite addon', work: sqliteAddon },
  native: { title: 'C++ programs', work: (withTests) => nativeBuild({ target: withTests ? 'all' : 'programs' }) },
  traces: { title: 'Shipped traces', work: traceLibrary },
  quic: { title: 'QUIC helper', work: quicHelper },
  web: { title: 'Web page', work: webPage },
};

export const STEP_NAMES = /** @type {readonly StepName[]} */ (Object.keys(STEPS));

/**
 * Does one step and prints one line about it.
 * @param {StepName} name
 * @param {boolean} withTests also what only the tests need
 * @throws when it fails; the message says what to do or shows the end of the failed command's output
 */
export async function setupStep(name, withTests) {
  const { title, work } = STEPS[name];
  const start = performance.now();
  process.stdout.write(`${title}: `);
  try {
    const done = await work(withTests);
    process.stdout.write(`${done} (${((performance.now() - start) / 1000).toFixed(1)} s)\n`);
  } catch (error) {
    process.stdout.write('failed\n');
    throw error;
  }
}

/**
 * Installs and builds whatever is missing, and stops at the first step that fails.
 * @param {{ withTests?: boolean, only?: readonly StepName[] }} [choice]
 */
export async function setup({ withTests = false, only = STEP_NAMES } = {}) {
  for (const name of STEP_NAMES.filter((candidate) => only.includes(candidate))) await setupStep(name, withTests);
}
