// What came of all expectations, as text and as JSON; and the exit code that follows.
import type { Verdict } from '#analysis/expectation-verdict';
import { plural } from '#analysis/format';
import { METRICS } from '#analysis/metrics';
import type { RunRef } from '#protocol/api';
import { plainLine } from '#protocol/text';
import { EXIT } from './exit.ts';

export interface AssertReport {
  readonly file: string;
  readonly lines: readonly number[];
  readonly name: string;
  readonly engine_version: string | null;
  readonly error_rate: number;
  readonly runs: number;
  readonly retried: number;
  /** Runs without a result. */
  readonly failed: readonly Pick<RunRef, 'id' | 'state' | 'reason'>[];
  readonly verdicts: readonly Verdict[];
  readonly notes: readonly string[];
}

/** So many are named. */
const MOST_NAMED = 10;

export const count = (report: AssertReport, verdict: Verdict['verdict']): number =>
  report.verdicts.filter((one) => one.verdict === verdict).length;

export function sentenceOf(report: AssertReport): string {
  const [ok, broken, undecided] = [count(report, 'ok'), count(report, 'broken'), count(report, 'undecided')];
  const parts = [
    `${ok} of ${report.verdicts.length} expectations hold`,
    ...(broken > 0 ? [`${broken} broken`] : []),
    ...(undecided > 0 ? [`${undecided} undecided`] : []),
    ...(report.failed.length > 0 ? [`${plural(report.failed.length, 'run')} without a result`] : []),
  ];
  const again = report.retried === 0 ? '' : `; ${plural(report.retried, 'run')} made again for reasons of the machine`;
  return `${parts.join(', ')} (${plural(report.runs, 'run')}${again}, engine ${report.engine_version ?? 'unknown'})`;
}

/** Found, where, and how surely: one line. */
export function foundOf({ found, where, basis, reason }: Verdict): string {
  return [found, where, basis, reason ?? ''].filter((part) => part !== '').join('; ');
}

const MARKS = { ok: 'ok', broken: 'BROKEN', undecided: 'undecided' } as const;

export function reportText(report: AssertReport): string {
  const lines = report.verdicts.map((one) => {
    const name = one.name === one.expected ? one.expected : `${one.name}: ${one.expected}`;
    return plainLine(`${MARKS[one.verdict].padEnd(9)} ${name} | found ${foundOf(one)}`);
  });
  const failed = report.failed
    .slice(0, MOST_NAMED)
    .map(({ id, state, reason }) => plainLine(`run ${id} is ${state}: ${reason ?? 'no reason given'}`));
  const notes = report.notes.map(plainLine);
  return [...lines, ...failed, ...notes, sentenceOf(report)].map((line) => `${line}\n`).join('');
}

export const reportJson = (report: AssertReport): string =>
  `${JSON.stringify(
    {
      file: report.file,
      name: report.name,
      engine_version: report.engine_version,
      error_rate: report.error_rate,
      runs: report.runs,
      retried: report.retried,
      failed: report.failed,
      notes: report.notes,
      expectations: report.verdicts.map((one, i) => ({
        line: report.lines[i] ?? null,
        ...one,
        unit: METRICS[one.metric].unit,
      })),
    },
    null,
    2,
  )}\n`;

/** A broken one says the most; a run without a result is never passed over. */
export function exitCode(report: AssertReport, undecided: 'fail' | 'pass'): number {
  if (count(report, 'broken') > 0) return EXIT.missed;
  if (report.failed.length > 0) return EXIT.failed;
  return count(report, 'undecided') > 0 && undecided === 'fail' ? EXIT.failed : EXIT.ok;
}

/** As `git bisect run` reads them: good, bad, or a revision that says nothing. */
export const BISECT = { good: 0, bad: 1, skip: 125, abort: 128 } as const;
export const bisectCode = (code: number): number =>
  code === EXIT.ok ? BISECT.good : code === EXIT.missed ? BISECT.bad : code > 128 ? code : BISECT.skip;
