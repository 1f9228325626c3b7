import { hash } from 'node:crypto';
import { appendFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { z } from 'zod';
import { frontierFile } from '#analysis/frontier-file';
import { resultsOf } from '#analysis/results';
import { tracesOfSpec } from '#analysis/trace-owners';
import { ownCcaId } from '#protocol/own-id';
import { checked, parseWords, UsageError } from '../config.ts';
import { annotations, harmless } from './assert-github.ts';
import { junitXml } from './assert-junit.ts';
import { checkExpectations, judge } from './assert-judge.ts';
import { reportMarkdown } from './assert-markdown.ts';
import { BISECT, bisectCode, exitCode, reportJson, reportText, type AssertReport } from './assert-report.ts';
import { EXIT, explain } from './exit.ts';
import { readExpectations, type ReadExpectations } from './expectations-file.ts';
import { withExperiment, type Made } from './made.ts';
import type { OwnFiles } from './own-files.ts';
import { INTERRUPTED } from './waiting.ts';

const HELP = `Usage: paceline assert FILE.json [options]

Runs the experiment of a file of expectations and says of each whether it holds (docs/ci.md):
  {"spec": "SPEC.json", "expectations": [{"select": "cca:cubic", "metric": "utilisation", "at_least": 0.8},
                                         {"metric": "queueing_p95", "not_worse_than": "baseline.json"}]}

  --undecided fail|pass  what an expectation counts as that nothing can be said of (default: fail)
  --retries N            runs that were killed, or that this machine did not keep up with, are made again so often (default 0)
  --junit FILE.xml       what came out as JUnit's XML
  --markdown FILE        as a table, with the frontier as an image beside it
  --github               annotations of GitHub Actions, and a summary in $GITHUB_STEP_SUMMARY
  --json                 print it as JSON
  --bisect               exit codes for git bisect run: 0 good, 1 bad, 125 a revision that cannot be judged
  --data-dir DIR         work in this data folder and keep what is made
  --workers N            cores that runs may use together (default: all)

Exit codes: 0 all hold, 3 one is broken, 1 a run has no result or something is undecided, 2 bad input.
`;

const Options = z.object({
  undecided: z.enum(['fail', 'pass']).default('fail'),
  retries: z.coerce.number().int().min(0).max(20).default(0),
  junit: z.string().min(1).optional(),
  markdown: z.string().min(1).optional(),
  github: z.boolean().default(false),
  json: z.boolean().default(false),
  bisect: z.boolean().default(false),
  dataDir: z.string().min(1).optional(),
  workers: z.coerce.number().int().min(1).max(1024).default(availableParallelism()),
});
type Options = z.infer<typeof Options>;

function asked(words: readonly string[]): { readonly file: string; readonly options: Options } | null {
  const { values, positionals } = parseWords({
    args: [...words],
    allowPositionals: true,
    options: {
      undecided: { type: 'string' },
      retries: { type: 'string' },
      junit: { type: 'string' },
      markdown: { type: 'string' },
      github: { type: 'boolean' },
      json: { type: 'boolean' },
      bisect: { type: 'boolean' },
      'data-dir': { type: 'string' },
      workers: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) return null;
  const [file, ...more] = positionals;
  if (file === undefined) throw new UsageError('assert: which file of expectations?');
  if (more.length > 0) throw new UsageError(`assert: one file at a time: ${more.join(' ')}`);
  const { 'data-dir': dataDir, help: _, ...given } = values;
  return {
    file,
    options: checked(Options, { ...given, dataDir }, (key) => (key === 'dataDir' ? '--data-dir' : `--${key}`)),
  };
}

export async function assert(words: readonly string[]): Promise<number> {
  const bisect = words.includes('--bisect');
  let found: ReturnType<typeof asked>;
  try {
    found = asked(words);
  } catch (error) {
    // What is wrong with the command is so at every revision.
    if (!bisect) throw error;
    process.stderr.write(`paceline: ${explain(error).text}\n`);
    return BISECT.abort;
  }
  if (found === null) {
    process.stdout.write(HELP);
    return EXIT.ok;
  }
  if (!bisect) return asserted(found.file, found.options);
  try {
    return bisectCode(await asserted(found.file, found.options));
  } catch (error) {
    process.stderr.write(`paceline: ${explain(error).text}\n`);
    return BISECT.skip;
  }
}

/** Own algorithms' files by the ids that their texts have. */
const idsOf = (files: OwnFiles): ReadonlyMap<string, string> =>
  new Map([...files].map(([file, text]) => [ownCcaId(hash('sha256', text, 'hex')), file]));

async function asserted(file: string, options: Options): Promise<number> {
  const expectations = await readExpectations(file);
  checkExpectations(expectations);
  const code = await withExperiment(expectations.read, expectations.specFolder, options, async (made) => {
    const report = await reportOf(made, expectations);
    const figure = options.markdown === undefined ? null : await writeFigure(made, options.markdown);
    await writeOut(report, options, figure);
    return exitCode(report, options.undecided);
  });
  return code ?? INTERRUPTED;
}

async function reportOf(made: Made, expectations: ReadExpectations): Promise<AssertReport> {
  const { experiment, retried } = made;
  const judged = await judge(made, expectations, idsOf(expectations.read.files));
  const all = new Map([...experiment.runs].map((run) => [run.id, run]));
  const failed = [...all.values()].filter(({ state }) => state !== 'done');
  return {
    file: expectations.file,
    lines: expectations.lines,
    name: experiment.name,
    engine_version: experiment.engine_version,
    error_rate: expectations.expectations.error_rate,
    runs: all.size,
    retried,
    failed: failed.map(({ id, state, reason }) => ({ id, state, reason })),
    ...judged,
  };
}

/** The name of the image beside the Markdown; null: there is nothing to draw. */
async function writeFigure({ lab, experiment }: Made, markdown: string): Promise<string | null> {
  const { ccas } = await lab.engine.listing();
  const { spec } = experiment;
  const traces = tracesOfSpec(spec).flatMap((trace) => lab.store.traces.get(trace) ?? []);
  const svg = frontierFile({ results: resultsOf(experiment, ccas), ccas, spec, traces });
  if (svg === null) return null;
  const file = join(dirname(resolve(markdown)), `${basename(markdown).replace(/\.(md|markdown)$/, '')}-frontier.svg`);
  await writeFile(file, svg);
  return relative(dirname(resolve(markdown)), file);
}

async function writeOut(report: AssertReport, options: Options, figure: string | null): Promise<void> {
  const { undecided, junit, markdown, github, json } = options;
  if (junit !== undefined) await writeFile(resolve(junit), junitXml(report, undecided));
  if (markdown !== undefined) await writeFile(resolve(markdown), reportMarkdown(report, figure));
  const text = json ? reportJson(report) : reportText(report);
  process.stdout.write(github ? harmless(text) : text);
  if (!github) return;
  // Annotations are read from either stream; JSON on standard output stays JSON.
  (json ? process.stderr : process.stdout).write(annotations(report, undecided, process.env));
  const summary = process.env['GITHUB_STEP_SUMMARY'] ?? '';
  if (summary !== '') await appendFile(summary, reportMarkdown(report, null));
}
