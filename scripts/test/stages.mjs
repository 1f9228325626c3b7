import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { filesBelow, findProgram } from '../lib/find.mjs';
import { NATIVE_BUILD, ROOT } from '../lib/paths.mjs';
import { CommandFailed, run } from '../lib/run.mjs';
import { buildFuzzer, fuzz, fuzzerUnavailable } from '../fuzz/run.mjs';
import { nativeBuild } from '../setup/native.mjs';
import { cargo, quicUnavailable } from '../setup/quic.mjs';
import { failure } from './failures.mjs';
import { NOTHING, sum, tallyOfCargo, tallyOfCtest, tallyOfPlaywright, tallyOfVitest } from './tally.mjs';

/**
 * @typedef {import('../setup/steps.mjs').StepName} StepName
 * @typedef {import('./tally.mjs').Tally} Tally
 * @typedef {{ title: string, needs: readonly StepName[], ahead?: () => Promise<unknown>,
 *   work: (extra: readonly string[]) => Promise<Tally> }} Stage `ahead` can be done in the background of the stages before, which
 *   it must not disturb; `work` does it itself where it was not done
 */

const REPORTS = `${ROOT}/build/test-results`;

/** @param {string} name the script inside a package under node_modules */
const tool = (name) => `${ROOT}/node_modules/${name}`;

/** @param {readonly string[]} args */
const node = (...args) => run(process.execPath, args, { echo: true });

/**
 * A stage that failed without naming a test, told by the end of what the command printed.
 * @param {unknown} error
 * @returns {Tally}
 */
export function failedBy(error) {
  const output = error instanceof CommandFailed ? error.output : '';
  const end = output.trimEnd().split('\n').slice(-5).join('\n');
  return { ...NOTHING, failed: 1, failures: [failure('the command itself', end || String(error))] };
}

/**
 * Runs a command that writes a report; counts from the report, and as one failure if there is none.
 * @param {string} file
 * @param {(text: string) => Tally} tally
 * @param {(report: string) => Promise<unknown>} command
 * @returns {Promise<Tally>}
 */
async function counted(file, tally, command) {
  const report = `${REPORTS}/${file}`;
  mkdirSync(REPORTS, { recursive: true });
  rmSync(report, { force: true });
  /** @type {unknown} */
  let error = null;
  try {
    await command(report);
  } catch (thrown) {
    error = thrown; // its output was shown as it came
  }
  let count = NOTHING;
  try {
    count = tally(readFileSync(report, 'utf8'));
  } catch (thrown) {
    error ??= thrown;
  }
  return error !== null && count.failed === 0 ? sum(count, failedBy(error)) : count;
}

/**
 * A check that says yes or no; only a no is counted.
 * @param {() => Promise<unknown>} command
 * @returns {() => Promise<Tally>}
 */
const check = (command) => async () => {
  try {
    await command();
    return NOTHING;
  } catch (error) {
    // A linter's first lines name the first file that has to change.
    const text = error instanceof CommandFailed ? error.output : String(error);
    return { ...NOTHING, failed: 1, failures: [failure('what it says first', text)] };
  }
};

/**
 * @param {string} folder a build folder
 * @param {string} name of the report
 * @param {readonly string[]} [extra]
 */
const ctest = (folder, name, extra = []) =>
  counted(`${name}.xml`, tallyOfCtest, (report) => {
    const output = ['--output-on-failure', '--test-output-size-passed', '65536', '--output-junit', report];
    const jobs = ['-j', String(availableParallelism()), '--no-tests=error'];
    return run('ctest', ['--test-dir', folder, ...jobs, ...output, ...extra], { echo: true });
  });

/** @type {Readonly<Record<'address' | 'thread', { folder: string, target: string, tests: readonly string[] }>>} */
const SANITIZERS = {
  address: { folder: `${ROOT}/build/asan`, target: 'all', tests: ['-LE', 'figures'] },
  thread: { folder: `${ROOT}/build/tsan`, target: 'threads_tests', tests: ['-L', 'threads'] },
};

/**
 * Builds with a sanitizer, in a folder of its own.
 * @param {'address' | 'thread'} name
 * @param {{ idle?: boolean }} [choice] see `nativeBuild`
 */
function buildSanitized(name, choice = {}) {
  const { folder, target } = SANITIZERS[name];
  return nativeBuild({ folder, options: [`-DPACELINE_SANITIZE=${name}`], target, ...choice });
}

/** The thread sanitizer's build, in the background: it has until the address sanitizer's tests are over.
 * @type {Promise<unknown> | undefined} */
let threadBuild;

/** Both builds one after the other, with nothing but idle time; done when the first one is. */
function buildSanitizedAhead() {
  const address = buildSanitized('address', { idle: true });
  threadBuild = address.then(() => buildSanitized('thread', { idle: true })).catch(() => undefined);
  return address;
}

/** @param {readonly string[]} extra */
async function testSanitized(extra) {
  await buildSanitized('address');
  // The tests in real time, one at a time, leave most of the processor idle.
  threadBuild ??= buildSanitized('thread', { idle: true }).catch(() => undefined);
  /** @param {'address' | 'thread'} name */
  const test = (name) => ctest(SANITIZERS[name].folder, `ctest-${name}`, [...SANITIZERS[name].tests, ...extra]);
  const first = await test('address');
  await threadBuild;
  await buildSanitized('thread'); // what went wrong in the background is told here
  return sum(first, await test('thread'));
}

/**
 * The helper's own tests; skipped where it could not be built.
 * @param {readonly string[]} extra
 * @returns {Promise<Tally>}
 */
async function cargoTests(extra) {
  const reason = quicUnavailable();
  if (reason !== null) {
    console.log(`skipped: ${reason}`);
    return { ...NOTHING, skipped: 1 };
  }
  try {
    return tallyOfCargo(await cargo(['test', '--offline', ...extra], true));
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    const count = tallyOfCargo(error.output);
    return count.failed === 0 ? sum(count, failedBy(error)) : count;
  }
}

const FUZZ_SECONDS = 60;
/** @type {Promise<Tally> | undefined} */
let fuzzing;

/**
 * A minute of random trace files; what was found is a failed test. Skipped where there is no libFuzzer.
 * @param {{ idle?: boolean }} [choice]
 * @returns {Promise<Tally>}
 */
async function fuzzReaders(choice) {
  const reason = await fuzzerUnavailable();
  if (reason !== null) {
    console.log(`Fuzzing skipped: ${reason}`);
    return { ...NOTHING, skipped: 1 };
  }
  await buildFuzzer(choice);
  const { inputs, failure: found } = await fuzz({ seconds: FUZZ_SECONDS });
  if (found !== null) return { ...NOTHING, failed: 1, failures: [failure('what libFuzzer found', found)] };
  console.log(`${inputs} files read: no crash, no leak, no hang`);
  return { ...NOTHING, passed: 1 };
}

/**
 * One of Playwright's projects; words that choose tests may choose none of it.
 * @param {string} project
 * @param {readonly string[]} extra
 */
const journeys = (project, extra) =>
  counted(`playwright-${project}.json`, tallyOfPlaywright, (report) => {
    const words = [
      '--reporter=list,json',
      `--project=${project}`,
      ...(extra.length > 0 ? ['--pass-with-no-tests'] : []),
    ];
    return run(process.execPath, [tool('@playwright/test/cli.js'), 'test', ...words, ...extra], {
      echo: true,
      env: { ...process.env, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
    });
  });

/** @param {readonly string[]} mode */
const clangFormat = (...mode) => {
  const sources = filesBelow(`${ROOT}/emulator-bridge/native`, (name) => /(?<!\.gen)\.(cc|hh)$/.test(name));
  return run(findProgram('clang-format') ?? 'clang-format', [...mode, ...sources], { echo: true });
};

/** Rewrites every source file in the project's formats. */
export async function format() {
  await node(tool('prettier/bin/prettier.cjs'), '--write', '--log-level', 'warn', '.');
  await clangFormat('-i');
}

/** @type {Readonly<Record<string, Stage>>} in the order in which `npm test` runs them: quick ones first */
export const STAGES = {
  rooms: {
    title: 'Engine rooms include nothing of the system',
    needs: [],
    work: check(() => node('scripts/check-rooms.mjs')),
  },
  generated: {
    title: 'Generated files',
    needs: ['npm'],
    work: check(() => node('--import', 'tsx', 'scripts/generate.ts', '--check')),
  },
  figures: {
    title: 'Figures of the algorithms',
    needs: ['packages', 'npm', 'native', 'traces'],
    work: check(() => node('--import', 'tsx', 'scripts/figures.ts', '--check')),
  },
  types: { title: 'Types', needs: ['npm'], work: check(() => node(tool('typescript/bin/tsc'), '-b')) },
  prettier: {
    title: 'Prettier',
    needs: ['npm'],
    work: check(() => node(tool('prettier/bin/prettier.cjs'), '--check', '--log-level', 'warn', '.')),
  },
  'clang-format': {
    title: 'clang-format',
    needs: ['packages'],
    work: check(() => clangFormat('--dry-run', '-Werror')),
  },
  eslint: {
    title: 'ESLint',
    needs: ['npm'],
    work: check(() => node(tool('eslint/bin/eslint.js'), '--max-warnings', '0', '.')),
  },
  native: {
    title: 'C++ tests',
    needs: ['packages', 'native'],
    work: (extra) => ctest(NATIVE_BUILD, 'ctest', extra),
  },
  rust: { title: 'Rust tests', needs: ['packages', 'native', 'quic'], work: cargoTests },
  unit: {
    title: 'TypeScript tests',
    needs: ['packages', 'npm', 'addon', 'native', 'traces', 'quic', 'web'],
    work: (extra) =>
      counted('vitest.json', tallyOfVitest, (report) =>
        node(
          tool('vitest/vitest.mjs'),
          'run',
          '--reporter=default',
          '--reporter=json',
          `--outputFile.json=${report}`,
          ...extra,
        ),
      ),
  },
  e2e: {
    title: 'Journeys in Chromium',
    needs: ['packages', 'npm', 'addon', 'native', 'traces', 'quic', 'web'],
    work: async (extra) => sum(await journeys('journeys', extra), await journeys('timed', extra)),
  },
  fuzz: {
    title: 'Trace files at random',
    needs: ['packages'],
    // Beside the other stages, so that the minute is not one more.
    ahead: () => (fuzzing = fuzzReaders({ idle: true })),
    work: async () => await (fuzzing ?? fuzzReaders()),
  },
  sanitize: {
    title: 'C++ tests under sanitizers',
    needs: ['packages'],
    // The other stages leave the processor idle for most of the time that compiling takes.
    ahead: buildSanitizedAhead,
    work: testSanitized,
  },
};
