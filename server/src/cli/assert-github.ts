// Workflow commands of GitHub Actions: a note at the line of each expectation that does not hold.
import { relative, resolve, sep } from 'node:path';
import { foundOf, type AssertReport } from './assert-report.ts';

/** As actions/toolkit writes them (packages/core/src/command.ts). */
const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

export function annotation(
  kind: 'error' | 'warning',
  at: { file: string; line: number; title: string },
  text: string,
): string {
  const properties = Object.entries(at).map(([key, value]) => `${key}=${property(String(value))}`);
  return `::${kind} ${properties.join(',')}::${data(text)}\n`;
}

/** What is printed beside them begins no command: the runner finds `##[` anywhere in a line, `::` at its beginning. */
export const harmless = (text: string): string => text.replaceAll('##[', '## [').replaceAll(/^(\s*)::/gm, '$1: :');

/** As the repository has it. */
const pathOf = (file: string, workspace: string | undefined): string =>
  relative(workspace ?? process.cwd(), resolve(file))
    .split(sep)
    .join('/');

export function annotations(report: AssertReport, undecided: 'fail' | 'pass', env: NodeJS.ProcessEnv): string {
  const file = pathOf(report.file, env['GITHUB_WORKSPACE']);
  return report.verdicts
    .map((one, i) => {
      if (one.verdict === 'ok') return '';
      const kind = one.verdict === 'broken' || undecided === 'fail' ? 'error' : 'warning';
      const at = { file, line: report.lines[i] ?? 1, title: `${one.verdict}: ${one.name}` };
      return annotation(kind, at, `expected ${one.expected}\nfound ${foundOf(one)}`);
    })
    .join('');
}
