import { expect, it } from 'vitest';
import {
  failureOfHungPytest,
  failuresOfCargo,
  failuresOfCtest,
  failuresOfPlaywright,
  failuresOfVitest,
} from './failures.mjs';
import { failureLines, NOTHING } from './tally.mjs';

const line = '='.repeat(79);

const entry = (output: string, reason = ''): string =>
  `name="cca/cubic" classname="cca/cubic" time="1" status="fail"><failure message="${reason}"/>` +
  `<system-out>${output}</system-out></testcase>`;

it('names the failed test cases of a doctest program once each, with what was expected', () => {
  const output = `[doctest] run with "--help" for options
${line}
/src/cubic_test.cc:15:
TEST CASE:  grows after the published formula
  in the concave region

/src/cubic_test.cc:22: ERROR: CHECK( a == 1 ) is NOT correct!
  values: CHECK( 2 == 1 )

${line}
/src/cubic_test.cc:40:
TEST CASE:  keeps &lt; 2 packets

/src/cubic_test.cc:44: ERROR: CHECK( cwnd &lt; 2 ) is NOT correct!

${line}
[doctest] test cases:  5 |  3 passed | 2 failed |`;
  expect(failuresOfCtest(entry(output))).toEqual([
    {
      name: 'cca/cubic: grows after the published formula',
      message: [
        '  in the concave region',
        '/src/cubic_test.cc:22: ERROR: CHECK( a == 1 ) is NOT correct!',
        '  values: CHECK( 2 == 1 )',
      ],
    },
    {
      name: 'cca/cubic: keeps < 2 packets',
      message: ['/src/cubic_test.cc:44: ERROR: CHECK( cwnd < 2 ) is NOT correct!'],
    },
  ]);
});

it('tells why a program died, and that it ran out of time', () => {
  const output = `one line\n${line}\n==71==ERROR: AddressSanitizer: heap-use-after-free\nREAD of size 8`;
  expect(failuresOfCtest(entry(output))[0]).toEqual({
    name: 'cca/cubic',
    message: ['==71==ERROR: AddressSanitizer: heap-use-after-free', 'READ of size 8'],
  });
  expect(failuresOfCtest(entry('a\nb', 'Timeout'))[0]?.message).toEqual(['Timeout', 'a', 'b']);
});

it('names the failed tests of Vitest and the files that cannot be loaded', () => {
  const test = {
    status: 'failed',
    fullName: 'harm is 0 alone',
    failureMessages: ['\u001b[31mexpected 1\u001b[39m\n at x'],
  };
  const testResults = [
    { name: 'a.test.ts', status: 'failed', assertionResults: [test, { status: 'passed' }] },
    { name: 'b.test.ts', status: 'failed', message: 'no such module', assertionResults: [] },
  ];
  expect(failuresOfVitest({ testResults })).toEqual([
    { name: 'a.test.ts: harm is 0 alone', message: ['expected 1', ' at x'] },
    { name: 'b.test.ts', message: ['no such module'] },
  ]);
});

it('finds failed journeys in nested suites, and errors outside them', () => {
  const spec = (title: string, ok: boolean) => ({
    title,
    ok,
    file: 'run.spec.ts',
    line: 7,
    tests: [{ results: [{ errors: ok ? [] : [{ message: 'never seen' }] }] }],
  });
  const suites = [{ specs: [spec('good', true)], suites: [{ specs: [spec('bad', false)] }] }];
  expect(failuresOfPlaywright({ suites, errors: [{ message: 'no browser' }] })).toEqual([
    { name: 'run.spec.ts:7: bad', message: ['never seen'] },
    { name: 'outside every test', message: ['no browser'] },
  ]);
});

it('names the failed tests of cargo', () => {
  const output = `failures:

---- frames::tests::odd stdout ----
thread panicked at src/frames.rs:3:5
---- frames::tests::even stdout ----
left: 1

failures:
    frames::tests::odd
`;
  expect(failuresOfCargo(output)).toEqual([
    { name: 'frames::tests::odd', message: ['thread panicked at src/frames.rs:3:5'] },
    { name: 'frames::tests::even', message: ['left: 1'] },
  ]);
});

it('names the Python test that did not end, and where it stood', () => {
  const output = `.....Timeout (0:05:00)!
Thread 0x1 (most recent call first):
  File "/venv/lib/python3.11/site-packages/paceline/_engine.py", line 190 in run
  File "/lib/python3.11/threading.py", line 982 in run

Thread 0x2 (most recent call first):
  File "/lib/python3.11/threading.py", line 327 in wait
  File "/venv/lib/python3.11/site-packages/paceline/running.py", line 221 in _make
  File "/src/python/tests/test_running.py", line 204 in test_ctrl_c
  File "/venv/lib/python3.11/site-packages/_pytest/python.py", line 187 in pytest_pyfunc_call
`;
  expect(failureOfHungPytest(output)).toEqual({
    name: 'test_ctrl_c does not end',
    message: ['run (_engine.py:190)', '_make (running.py:221)', 'test_ctrl_c (test_running.py:204)'],
  });
  expect(failureOfHungPytest('121 passed in 39.35s')).toBeUndefined();
});

it('prints all names, and the messages of the first few', () => {
  const failures = Array.from({ length: 12 }, (_, i) => ({ name: `test ${i}`, message: ['why'] }));
  const printed = failureLines('C++ tests', { ...NOTHING, failed: 12, failures });
  expect(printed.slice(0, 3)).toEqual(['FAILED in C++ tests', '- test 0', '    why']);
  expect(printed.slice(-3)).toEqual(['    why', '- test 10', '- test 11']);
  expect(failureLines('C++ tests', NOTHING)).toEqual([]);
});
