import {
  failuresOfCargo,
  failuresOfCtest,
  failuresOfPlaywright,
  failuresOfPytest,
  failuresOfVitest,
} from './failures.mjs';

/**
 * How many tests went how, and what is known of those that failed.
 * @typedef {import('./failures.mjs').Failure} Failure
 * @typedef {{ passed: number, failed: number, skipped: number, failures: readonly Failure[] }} Tally
 * @type {Readonly<Tally>}
 */
export const NOTHING = { passed: 0, failed: 0, skipped: 0, failures: [] };

/**
 * @param {Tally} a
 * @param {Tally} b
 * @returns {Tally}
 */
export const sum = (a, b) => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
  failures: [...a.failures, ...b.failures],
});

/** @param {Tally} tally */
export const closingLine = ({ passed, failed, skipped }) => `${passed} passed, ${failed} failed, ${skipped} skipped`;

/**
 * ctest's JUnit file: what every doctest program reported of its own test cases, and one for a program without such a line.
 * What doctest calls skipped is what ctest's entry did not ask for (another entry does), so it is not counted.
 * @param {string} xml
 * @returns {Tally}
 */
export function tallyOfCtest(xml) {
  return xml
    .split(/<testcase /)
    .slice(1)
    .map((testcase) => {
      const doctest = /\[doctest\] test cases:\s*\d+\s*\|\s*(\d+) passed\s*\|\s*(\d+) failed/.exec(testcase);
      const status = /status="(\w+)"/.exec(testcase)?.[1];
      const ok = status === 'run';
      if (status === 'disabled' || status === 'notrun') return { ...NOTHING, skipped: 1 };
      const failures = ok ? [] : failuresOfCtest(testcase);
      if (doctest === null) return { ...NOTHING, passed: ok ? 1 : 0, failed: ok ? 0 : 1, failures };
      const [, passed, failed] = doctest.map(Number);
      // A program can fail after its last test case, for instance when a sanitizer finds a leak.
      return { passed: passed ?? 0, failed: ok ? 0 : Math.max(1, failed ?? 0), skipped: 0, failures };
    })
    .reduce(sum, NOTHING);
}

/**
 * Vitest's JSON report.
 * @param {string} json
 * @returns {Tally}
 */
export function tallyOfVitest(json) {
  const report = JSON.parse(json);
  // A file that cannot be loaded has no tests to count, yet it failed.
  const broken = report.testResults.filter(
    (/** @type {{ status: string, assertionResults: unknown[] }} */ file) =>
      file.status === 'failed' && file.assertionResults.length === 0,
  ).length;
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken,
    skipped: report.numPendingTests + report.numTodoTests,
    failures: failuresOfVitest(report),
  };
}

/**
 * What cargo's test programs print.
 * @param {string} output
 * @returns {Tally}
 */
export function tallyOfCargo(output) {
  const counts = [...output.matchAll(/^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored/gm)]
    .map(([, passed, failed, skipped]) => ({
      ...NOTHING,
      passed: Number(passed),
      failed: Number(failed),
      skipped: Number(skipped),
    }))
    .reduce(sum, NOTHING);
  return { ...counts, failures: failuresOfCargo(output) };
}

/**
 * pytest's JUnit file.
 * @param {string} xml
 * @returns {Tally}
 */
export function tallyOfPytest(xml) {
  return xml
    .split(/<testcase /)
    .slice(1)
    .map((testcase) => {
      const failures = failuresOfPytest(testcase);
      if (failures.length > 0) return { ...NOTHING, failed: 1, failures };
      return testcase.includes('<skipped') ? { ...NOTHING, skipped: 1 } : { ...NOTHING, passed: 1 };
    })
    .reduce(sum, NOTHING);
}

/**
 * Playwright's JSON report.
 * @param {string} json
 * @returns {Tally}
 */
export function tallyOfPlaywright(json) {
  const report = JSON.parse(json);
  const { stats, errors } = report;
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + (stats.unexpected === 0 ? errors.length : 0),
    skipped: stats.skipped,
    failures: failuresOfPlaywright(report),
  };
}

/** With more failures than this in a stage the rest are named without their messages. */
const TOLD = 10;

/**
 * A stage's part of what closes a run of tests: every failed test by name, and the beginning of what it said.
 * @param {string} title of the stage
 * @param {Tally} tally
 * @returns {readonly string[]} nothing when nothing failed
 */
export const failureLines = (title, { failures }) =>
  failures.length === 0
    ? []
    : [
        `FAILED in ${title}`,
        ...failures.flatMap(({ name, message }, i) => [
          `- ${name}`,
          ...(i < TOLD ? message.map((line) => `    ${line}`) : []),
        ]),
      ];
