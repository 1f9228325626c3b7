// What came of expectations as JUnit's XML, which every CI shows.
import { safe } from '#analysis/report-page';
import { count, foundOf, type AssertReport } from './assert-report.ts';

/** What XML 1.0 cannot hold at all is marked as such by `safe`; line ends in attributes would become blanks. */
const attribute = (text: string): string =>
  safe(text).replaceAll('\t', '&#9;').replaceAll('\n', '&#10;').replaceAll('\r', '&#13;');

export function junitXml(report: AssertReport, undecided: 'fail' | 'pass'): string {
  const { name, file, lines, verdicts, failed } = report;
  const errors = failed.length > 0 ? 1 : 0;
  const [broken, open] = [count(report, 'broken'), count(report, 'undecided')];
  const fails = broken + (undecided === 'fail' ? open : 0);
  const skipped = undecided === 'fail' ? 0 : open;
  const counts = `tests="${verdicts.length + errors}" failures="${fails}" errors="${errors}" skipped="${skipped}"`;
  const cases = verdicts.map((one, i) => {
    const head = `<testcase classname="${attribute(name)}" name="${attribute(one.name)}" file="${attribute(file)}" line="${lines[i] ?? 1}">`;
    const said = `${one.verdict}: expected ${one.expected}, found ${one.found}`;
    const body = safe(`${one.expected}\n${foundOf(one)}`);
    const inner =
      one.verdict === 'ok'
        ? `<system-out>${body}</system-out>`
        : one.verdict === 'undecided' && undecided === 'pass'
          ? `<skipped message="${attribute(said)}"/>`
          : `<failure type="${one.verdict}" message="${attribute(said)}">${body}</failure>`;
    return `    ${head}${inner}</testcase>\n`;
  });
  const broke =
    errors === 0
      ? ''
      : `    <testcase classname="${attribute(name)}" name="every run has a result"><error type="run" message="${failed.length} have none">${safe(
          failed.map(({ id, state, reason }) => `run ${id} is ${state}: ${reason ?? 'no reason given'}`).join('\n'),
        )}</error></testcase>\n`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${counts}>\n  <testsuite name="${attribute(name)}" ${counts}>\n${cases.join('')}${broke}  </testsuite>\n</testsuites>\n`;
}
