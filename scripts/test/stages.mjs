import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { filesBelow, findProgram } from '../lib/find.mjs';
import { ROOT } from '../lib/paths.mjs';
import { CommandFailed, hurry, run } from '../lib/run.mjs';
import { buildFuzzer, fuzz, fuzzerUnavailable } from '../fuzz/run.mjs';
import { nativeBuild } from '../setup/native.mjs';
import { cargo, quicUnavailable } from '../setup/quic.mjs';
import { PYTHON_SOURCE, pythonEnvironment, pythonUnavailable, pythonWheel } from '../setup/python.mjs';
import { sanitizerOptions } from '../setup/sanitizers.mjs';
import { failure, failureOfHungPytest } from './failures.mjs';
import { withQuietOnRequest } from './quiet.mjs';
import { NOTHING, sum, tallyOfCargo, tallyOfCtest, tallyOfPlaywright, tallyOfPytest, tallyOfVitest } from './tally.mjs';

/**
 * @typedef {import('../setup/steps.mjs').StepName} StepName
 * @typedef {import('./tally.mjs').Tally} Tally
 * @typedef {import('../lib/run.mjs').Priority} Priority
 * @typedef {{ title: string, needs: readonly StepName[], asked?: boolean, again?: keyof typeof import('./late.mjs').LATE_MIN, ahead?: Ahead,
 *   work: (extra: readonly string[]) => Promise<Tally> }} Stage
 *   `work` does itself what was not done ahead; `asked`: not without being named; `again`: what other stages do, done in another way, for which
 *   a machine can be too slow
 * @typedef {{ lane: 'compilers' | 'others', work: (extra: readonly string[]) => Promise<unknown> }} Ahead what can be done in the background of the stages
 *   before, which it must not disturb: with nothing but time that they leave over, one after the other in each lane
 */

const REPORTS = `${ROOT}/build/test-results`;
/** Where journeys ask for it. */
const QUIET = `${REPORTS}/quiet`;

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
  const found = failureOfHungPytest(output) ?? failure('the command itself', end || String(error));
  return { ...NOTHING, failed: 1, failures: [found] };
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
 * A check that needs no quiet and no turn: it is made ahead, and what it said is shown when its turn has come.
 * @param {string} title
 * @param {readonly StepName[]} needs
 * @param {(priority: Priority) => Promise<string>} command
 * @returns {Stage}
 */
function lint(title, needs, command) {
  /** @type {Promise<string> | undefined} */
  let made;
  const work = check(async () => {
    const said = await (made ?? command(undefined)).catch((error) => {
      process.stdout.write(error instanceof CommandFailed ? error.output : '');
      throw error;
    });
    process.stdout.write(said);
  });
  return { title, needs, ahead: { lane: 'others', work: () => (made = command('idle')) }, work };
}

/**
 * Words that choose tests may choose none of these.
 * @param {string} folder a build folder
 * @param {string} name of the report
 * @param {readonly string[]} which of its tests
 * @param {readonly string[]} extra
 * @param {{ atOnce?: number, priority?: Priority, heard?: (text: string) => void, seeksLeaks?: boolean }} [how] `heard`: instead of
 * showing what is printed
 */
function ctest(
  folder,
  name,
  which,
  extra,
  { atOnce = availableParallelism(), priority, heard, seeksLeaks = false } = {},
) {
  const none = `--no-tests=${extra.length > 0 ? 'ignore' : 'error'}`;
  return counted(`${name}.xml`, tallyOfCtest, (report) => {
    const output = ['--output-on-failure', '--test-output-size-passed', '65536', '--output-junit', report];
    // What has idle time only may stand still for as long as others are busy; what hangs is named before all of it is given up.
    const patience = priority === 'idle' ? ['--timeout', '2400'] : [];
    const words = ['--test-dir', folder, ...patience, '-j', String(atOnce), none, ...output, ...which, ...extra];
    const told = heard === undefined ? {} : { heard };
    return run('ctest', words, { echo: heard === undefined, priority, seeksLeaks, ...told });
  });
}

/** The labels of tests that know of the clock. */
const CLOCK = 'realtime|threads';

/**
 * A build of the C++ tests, made once, whichever of its stages comes first.
 * @param {string} name of the folder under build/
 * @param {{ sanitizer?: 'address' | 'thread', target?: string, without?: string, waitingPerCore?: number }} [choice] `without`: a label of
 * tests that are left out; `waitingPerCore`: how many of those that wait run at once
 */
function nativeTests(name, { sanitizer, target = 'all', without, waitingPerCore = 1 } = {}) {
  const folder = `${ROOT}/build/${name}`;
  const seeksLeaks = sanitizer === 'address';
  /** @type {Promise<string> | undefined} */
  let made;
  /** @param {Priority} [priority] */
  const build = (priority) => (made ??= start(priority));
  /** @param {Priority} [priority] */
  const start = async (priority) => {
    const options = sanitizer === undefined ? [] : await sanitizerOptions(sanitizer);
    return await nativeBuild({ folder, options, target, priority });
  };
  const built = async () => {
    hurry(true);
    await build().finally(() => hurry(false));
  };
  const report = `ctest-${name}`;
  return {
    /**
     * Those that wait for the clock or look at it: many at once, and beside them nothing but what has idle time only.
     * @param {string} title
     * @param {readonly StepName[]} needs
     * @returns {Stage}
     */
    waiting: (title, needs) => ({
      title,
      needs,
      ahead: { lane: 'compilers', work: () => build('idle') },
      work: async (extra) => {
        await built();
        const which = ['-L', CLOCK, ...(without === undefined ? [] : ['-LE', without])];
        return ctest(folder, `${report}-realtime`, which, extra, {
          atOnce: waitingPerCore * availableParallelism(),
        });
      },
    }),
    /**
     * Those that compute: nothing of them needs quiet, so they are run ahead, and told when their turn has come.
     * @param {string} title
     * @param {readonly StepName[]} needs
     * @returns {Stage}
     */
    computing: (title, needs) => {
      const which = ['-LE', [CLOCK, ...(without === undefined ? [] : [without])].join('|')];
      /** @type {Promise<Tally> | undefined} */
      let ran;
      /** @type {string[]} */
      const said = [];
      return {
        title,
        needs,
        ahead: {
          lane: 'compilers',
          work: async (extra) => {
            await build('idle');
            ran = ctest(folder, report, which, extra, {
              priority: 'idle',
              heard: (text) => said.push(text),
              seeksLeaks,
            });
            await ran;
          },
        },
        work: async (extra) => {
          await built();
          const tally = await (ran ?? ctest(folder, report, which, extra));
          process.stdout.write(said.join(''));
          return tally;
        },
      };
    },
    /**
     * Those that bear a label, whatever they do.
     * @param {string} title
     * @param {readonly StepName[]} needs
     * @param {string} label
     * @returns {Stage}
     */
    labelled: (title, needs, label) => ({
      title,
      needs,
      ahead: { lane: 'compilers', work: () => build('idle') },
      work: async (extra) => {
        await built();
        return ctest(folder, report, ['-L', label], extra);
      },
    }),
  };
}

// They compute a tenth of the time that they take, one with another; instrumented, several times as much, most of it when they begin.
const plain = nativeTests('native', { waitingPerCore: 2 });
const addresses = nativeTests('asan', { sanitizer: 'address', without: 'figures' });
const threads = nativeTests('tsan', { sanitizer: 'thread', target: 'threads_tests' });

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

/**
 * The Python package, installed from its wheel; skipped where there is no Python for it.
 * @param {readonly string[]} extra
 * @returns {Promise<Tally>}
 */
async function pythonTests(extra) {
  const reason = await pythonUnavailable();
  if (reason !== null) {
    console.log(`skipped: ${reason}`);
    return { ...NOTHING, skipped: 1 };
  }
  const python = await pythonEnvironment(await pythonWheel());
  return await counted('pytest.xml', tallyOfPytest, (report) => {
    const words = [
      '-m',
      'pytest',
      '--quiet',
      `--junit-xml=${report}`,
      ...(extra.length > 0 ? ['-k', extra.join(' ')] : []),
    ];
    return run(python, words, { echo: true, cwd: PYTHON_SOURCE }).catch((error) => {
      // Words that choose tests may choose none of these, which pytest calls a failure.
      if (!(error instanceof CommandFailed) || extra.length === 0 || !/^\d+ deselected in /m.test(error.output))
        throw error;
    });
  });
}

/** A minute's. */
const FUZZED_FILES = 150_000;
/** @type {Promise<Tally> | undefined} */
let fuzzing;

/**
 * Random trace files; what was found is a failed test. Skipped where there is no libFuzzer.
 * @param {Priority} [priority]
 * @returns {Promise<Tally>}
 */
async function fuzzReaders(priority) {
  const reason = await fuzzerUnavailable();
  if (reason !== null) {
    console.log(`Fuzzing skipped: ${reason}`);
    return { ...NOTHING, skipped: 1 };
  }
  await buildFuzzer(priority);
  const { inputs, failure: found } = await fuzz({ runs: FUZZED_FILES, priority });
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
      env: { ...process.env, PLAYWRIGHT_JSON_OUTPUT_NAME: report, PACELINE_QUIET: QUIET },
    });
  });

/**
 * @param {readonly string[]} mode
 * @param {Priority} [priority]
 */
const clangFormat = (mode, priority) => {
  const sources = filesBelow(`${ROOT}/emulator-bridge/native`, (name) => /(?<!\.gen)\.(cc|hh)$/.test(name));
  return run(findProgram('clang-format') ?? 'clang-format', [...mode, ...sources], { priority });
};

/** Rewrites every source file in the project's formats. */
export async function format() {
  await node(tool('prettier/bin/prettier.cjs'), '--write', '--log-level', 'warn', '.');
  await clangFormat(['-i']);
}

/** @type {Readonly<Record<string, Stage>>} in the order in which `npm test` runs them: first what is quick, then what
 * needs the programs only and waits a lot, while the tests of C++ are compiled and run and the linters are at work */
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
    needs: ['packages', 'tools', 'npm', 'native', 'traces'],
    work: check(() => node('--import', 'tsx', 'scripts/figures.ts', '--check')),
  },
  rust: { title: 'Rust tests', needs: ['packages', 'tools', 'native', 'quic'], work: cargoTests },
  unit: {
    title: 'TypeScript tests',
    needs: ['packages', 'tools', 'npm', 'server', 'addon', 'native', 'traces', 'quic', 'wasm', 'web'],
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
    needs: ['packages', 'tools', 'npm', 'server', 'addon', 'native', 'traces', 'quic', 'wasm', 'web'],
    work: async (extra) => {
      const together = await journeys('journeys', extra);
      return sum(together, await withQuietOnRequest(QUIET, () => journeys('timed', extra)));
    },
  },
  keyboard: {
    title: 'All journeys by keyboard alone',
    needs: ['packages', 'tools', 'npm', 'server', 'addon', 'native', 'traces', 'quic', 'wasm', 'web'],
    asked: true,
    work: (extra) => withQuietOnRequest(QUIET, () => journeys('keyboard', extra)),
  },
  python: {
    title: 'Python package',
    needs: ['packages', 'npm', 'server', 'addon', 'native', 'traces'],
    work: pythonTests,
  },
  realtime: plain.waiting('C++ tests in real time', ['packages', 'tools', 'native']),
  'sanitize-realtime': {
    ...addresses.waiting('C++ tests in real time under the address and undefined-behaviour sanitizers', [
      'packages',
      'tools',
    ]),
    again: 'otherwise',
  },
  native: plain.computing('C++ tests', ['packages', 'tools', 'native']),
  // Several threads would each come to know the same types.
  types: lint('Types', ['npm'], (priority) =>
    run(process.execPath, [tool('typescript-native/bin/tsc'), '-b', '--singleThreaded'], { priority }),
  ),
  oxlint: lint('Oxlint', ['npm'], (priority) =>
    run(process.execPath, [tool('oxlint/bin/oxlint'), '--type-aware', '--deny-warnings', '.'], { priority }),
  ),
  eslint: lint('ESLint', ['npm'], (priority) =>
    run(process.execPath, [tool('eslint/bin/eslint.js'), '--max-warnings', '0', '.'], { priority }),
  ),
  prettier: lint('Prettier', ['npm'], (priority) =>
    run(process.execPath, [tool('prettier/bin/prettier.cjs'), '--check', '--log-level', 'warn', '.'], { priority }),
  ),
  'clang-format': lint('clang-format', ['packages', 'tools'], (priority) =>
    clangFormat(['--dry-run', '-Werror'], priority),
  ),
  sanitize: {
    ...addresses.computing('C++ tests under the address and undefined-behaviour sanitizers', ['packages', 'tools']),
    again: 'watched',
  },
  threads: {
    ...threads.labelled('C++ tests of threads under the thread sanitizer', ['packages', 'tools'], 'threads'),
    again: 'watched',
  },
  fuzz: {
    title: 'Trace files at random',
    needs: ['packages', 'tools'],
    ahead: { lane: 'others', work: () => (fuzzing = fuzzReaders('idle')) },
    work: async () => await (fuzzing ?? fuzzReaders()),
  },
  'keyboard-chosen': {
    title: 'Some of the journeys by keyboard alone',
    needs: ['packages', 'tools', 'npm', 'server', 'addon', 'native', 'traces', 'quic', 'wasm', 'web'],
    again: 'otherwise',
    work: (extra) => journeys('keyboard-chosen', extra),
  },
};
