import { expect, it } from 'vitest';
import {
  closingLine,
  NOTHING,
  sum,
  tallyOfCargo,
  tallyOfCtest,
  tallyOfPlaywright,
  tallyOfPytest,
  tallyOfVitest,
} from './tally.mjs';

const testcase = (status: string, output: string): string =>
  `<testcase name="a" classname="a" time="0.1" status="${status}"><system-out>${output}</system-out></testcase>`;

it('counts the test cases inside doctest programs', () => {
  const xml = `<testsuite tests="2">${testcase('run', '[doctest] test cases: 12 | 12 passed | 0 failed | 3 skipped')}
    ${testcase('fail', '[doctest] test cases:  5 |  3 passed | 2 failed |')}</testsuite>`;
  expect(tallyOfCtest(xml)).toMatchObject({ passed: 15, failed: 2, skipped: 0 });
});

it('counts a program once when it says nothing of its test cases', () => {
  const xml = `${testcase('run', '')}${testcase('fail', 'Segmentation fault')}${testcase('notrun', '')}`;
  expect(tallyOfCtest(`<testsuite>${xml}</testsuite>`)).toMatchObject({ passed: 1, failed: 1, skipped: 1 });
});

it('counts a failure when all test cases passed but the program did not', () => {
  const xml = testcase('fail', '[doctest] test cases: 4 | 4 passed | 0 failed | 0 skipped\nLeakSanitizer');
  expect(tallyOfCtest(xml)).toMatchObject({ passed: 4, failed: 1, skipped: 0 });
});

it('counts a Vitest file that could not be loaded as a failure', () => {
  const report = {
    numPassedTests: 3,
    numFailedTests: 1,
    numPendingTests: 2,
    numTodoTests: 0,
    testResults: [
      { status: 'failed', assertionResults: [] },
      { status: 'failed', assertionResults: [{}] },
    ],
  };
  expect(tallyOfVitest(JSON.stringify(report))).toMatchObject({ passed: 3, failed: 2, skipped: 2 });
});

it('adds up what the test programs of cargo print', () => {
  const output = `running 2 tests
test result: ok. 24 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s
test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s\n`;
  expect(tallyOfCargo(output)).toMatchObject({ passed: 27, failed: 2, skipped: 1 });
});

it('counts what pytest reports, with what failed and why', () => {
  const xml = `<testsuite tests="4"><testcase classname="tests.test_a" name="test_one" time="0.1" />
    <testcase classname="tests.test_a" name="test_two[a &lt; b]" time="0.1"><failure message="assert 1 &lt; 0">E  assert</failure></testcase>
    <testcase classname="tests.test_a" name="test_three" time="0"><error message="failed on setup">E  no</error></testcase>
    <testcase classname="tests.test_a" name="test_four" time="0"><skipped type="pytest.skip" message="no server">x</skipped></testcase>
    </testsuite>`;
  const { failures, ...counts } = tallyOfPytest(xml);
  expect(counts).toEqual({ passed: 1, failed: 2, skipped: 1 });
  expect(failures.map(({ name }) => name)).toEqual(['tests.test_a: test_two[a < b]', 'tests.test_a: test_three']);
  expect(failures[0]?.message.join('\n')).toContain('assert 1 < 0');
});

it('counts an error outside every Playwright test as a failure', () => {
  const stats = { expected: 0, flaky: 0, unexpected: 0, skipped: 0 };
  expect(tallyOfPlaywright(JSON.stringify({ stats, errors: [{ message: 'x' }] })).failed).toBe(1);
});

it('adds up and prints the closing line', () => {
  const total = sum({ ...NOTHING, passed: 1, skipped: 2 }, { ...NOTHING, passed: 4, failed: 1 });
  expect(closingLine(total)).toBe('5 passed, 1 failed, 2 skipped');
});
