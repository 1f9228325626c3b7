/**
 * Which tests failed and what they said, from the reports that are left by the test runners.
 * @typedef {{ name: string, message: readonly string[] }} Failure
 */

/** The first lines of a message say what went wrong; the whole of it was shown as it came. */
const MESSAGE_LINES = 5;
const LINE_LENGTH = 200;

// eslint-disable-next-line no-control-regex -- colours
const COLOUR = /\u001b\[[0-9;]*m/g;

/**
 * @param {string} name
 * @param {string} text
 * @returns {Failure}
 */
export function failure(name, text) {
  const lines = text.replace(COLOUR, '').split('\n');
  const message = lines.map((line) => line.trimEnd().slice(0, LINE_LENGTH)).filter((line) => line !== '');
  return { name, message: message.slice(0, MESSAGE_LINES) };
}

/** @param {string} text of an XML report */
const unescapeXml = (text) =>
  text
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&apos;/g, "'")
    .replace(/&amp;/g, '&');

/** Where a program that died says why: a sanitizer's report, an abort, an exception. */
const DEATH = /Sanitizer|runtime error:|terminate called|Assertion|SIG[A-Z]+/;

/**
 * One failed ctest entry: doctest's failed test cases by name, or the program itself if it failed outside them.
 * @param {string} testcase of ctest's JUnit file
 * @returns {readonly Failure[]}
 */
export function failuresOfCtest(testcase) {
  const entry = unescapeXml(/name="([^"]*)"/.exec(testcase)?.[1] ?? '');
  const output = unescapeXml(/<system-out>([\s\S]*?)<\/system-out>/.exec(testcase)?.[1] ?? '');
  const named = new Map(
    output
      .split(/^={20,}$/m)
      .filter((block) => block.includes('ERROR: '))
      .flatMap((block) => {
        const found = /^TEST CASE: +(.*)$/m.exec(block);
        const name = `${entry}: ${found?.[1] ?? ''}`;
        return found === null ? [] : [[name, failure(name, block.slice(found.index + found[0].length))]];
      }),
  );
  if (named.size > 0) return [...named.values()];
  const lines = output.trimEnd().split('\n');
  const death = lines.findIndex((line) => DEATH.test(line));
  const reason = /<failure message="([^"]*)"/.exec(testcase)?.[1] ?? '';
  const told = death < 0 ? lines.slice(1 - MESSAGE_LINES) : lines.slice(death);
  return [failure(entry, [unescapeXml(reason), ...told].join('\n'))];
}

/**
 * @param {string} testcase from pytest's JUnit file
 * @returns {readonly Failure[]}
 */
export function failuresOfPytest(testcase) {
  const found = /<(?:failure|error) message="([^"]*)"[^>]*>([\s\S]*?)<\/(?:failure|error)>/.exec(testcase);
  if (found === null) return [];
  const told = (/** @type {string} */ attribute) =>
    unescapeXml(new RegExp(`\\b${attribute}="([^"]*)"`).exec(testcase)?.[1] ?? '');
  const [, message = '', text = ''] = found;
  return [failure(`${told('classname')}: ${told('name')}`, unescapeXml(`${message}\n${text}`))];
}

/** A frame of the package or of its tests, in a dump of Python's threads. */
const OWN_FRAME = /^ *File ".*\/(?:tests|paceline)\/(\w+\.py)", line (\d+) in (\w+)$/gm;

/**
 * The test that hung and was ended by pytest's fault handler, which leaves no report but where each thread was, the test's own last.
 * @param {string} output
 * @returns {Failure | undefined} where it stood, the innermost first
 */
export function failureOfHungPytest(output) {
  const found = /Timeout \([\d:.]+\)!$/m.exec(output);
  if (found === null) return undefined;
  const frames = [...output.slice(found.index).matchAll(OWN_FRAME)];
  const test = frames.findLast(([, , , name = '']) => name.startsWith('test_'));
  const told = frames.slice(-MESSAGE_LINES).map(([, file, line, name]) => `${name} (${file}:${line})`);
  return failure(`${test?.[3] ?? 'a test'} does not end`, told.join('\n'));
}

/**
 * @param {{ testResults: readonly VitestFile[] }} report Vitest's JSON report
 * @typedef {{ name?: string, status: string, message?: string, assertionResults: readonly VitestTest[] }} VitestFile
 * @typedef {{ status?: string, fullName?: string, failureMessages?: readonly string[] }} VitestTest
 * @returns {readonly Failure[]}
 */
export function failuresOfVitest({ testResults }) {
  return testResults.flatMap(({ name = '', status, message = '', assertionResults }) => {
    if (status === 'failed' && assertionResults.length === 0) return [failure(name, message)];
    return assertionResults
      .filter((test) => test.status === 'failed')
      .map((test) => failure(`${name}: ${test.fullName}`, test.failureMessages?.join('\n') ?? ''));
  });
}

/**
 * @param {PlaywrightReport} report Playwright's JSON report
 * @typedef {{ message?: string }} PlaywrightError
 * @typedef {{ title: string, ok: boolean, file: string, line: number,
 *   tests: readonly { results: readonly { errors: readonly PlaywrightError[] }[] }[] }} PlaywrightSpec
 * @typedef {{ specs?: readonly PlaywrightSpec[], suites?: readonly PlaywrightSuite[] }} PlaywrightSuite
 * @typedef {{ suites?: readonly PlaywrightSuite[], errors: readonly PlaywrightError[] }} PlaywrightReport
 * @returns {readonly Failure[]}
 */
export function failuresOfPlaywright({ suites = [], errors }) {
  /** @param {PlaywrightSuite} suite @returns {readonly PlaywrightSpec[]} */
  const specs = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specs)];
  /** @param {readonly PlaywrightError[]} list */
  const text = (list) => list.map((error) => error.message ?? '').join('\n');
  return [
    ...suites
      .flatMap(specs)
      .filter(({ ok }) => !ok)
      .map(({ file, line, title, tests }) =>
        failure(`${file}:${line}: ${title}`, text(tests.flatMap((test) => test.results.flatMap(({ errors: e }) => e)))),
      ),
    ...errors.map((error) => failure('outside every test', text([error]))),
  ];
}

/**
 * @param {string} output what cargo's test programs print
 * @returns {readonly Failure[]}
 */
export const failuresOfCargo = (output) =>
  [...output.matchAll(/^---- (\S+) stdout ----\n([\s\S]*?)(?=^----|^failures:)/gm)].map(([, name, text]) =>
    failure(name ?? '', text ?? ''),
  );
