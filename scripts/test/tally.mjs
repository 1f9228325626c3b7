/**
 * @typedef {{ passed: number, failed: number, skipped: number }} Tally
 * @type {Readonly<Tally>}
 */
export const NOTHING = { passed: 0, failed: 0, skipped: 0 };

/**
 * @param {Tally} a
 * @param {Tally} b
 * @returns {Tally}
 */
export const sum = (a, b) => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
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
      if (doctest === null) return { ...NOTHING, passed: ok ? 1 : 0, failed: ok ? 0 : 1 };
      const [, passed, failed] = doctest.map(Number);
      // A program can fail after its last test case, for instance when a sanitizer finds a leak.
      return { passed: passed ?? 0, failed: ok ? 0 : Math.max(1, failed ?? 0), skipped: 0 };
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
  };
}

/**
 * What cargo's test programs print.
 * @param {string} output
 * @returns {Tally}
 */
export function tallyOfCargo(output) {
  return [...output.matchAll(/^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored/gm)]
    .map(([, passed, failed, skipped]) => ({
      passed: Number(passed),
      failed: Number(failed),
      skipped: Number(skipped),
    }))
    .reduce(sum, NOTHING);
}

/**
 * Playwright's JSON report.
 * @param {string} json
 * @returns {Tally}
 */
export function tallyOfPlaywright(json) {
  const { stats, errors } = JSON.parse(json);
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + (stats.unexpected === 0 ? errors.length : 0),
    skipped: stats.skipped,
  };
}
