import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { sweepTemporary } from '#bridge/temporary';
import { figureVerdict } from '#analysis/study-outcome';
import { studyReport } from '#analysis/study-report';
import type { StudyListItem, StudyRecord, Verdict } from '#protocol/study';
import { checked, parseWords, UsageError } from '../config.ts';
import { checkDatabase, openLab, type Lab } from '../lab.ts';
import { createLog } from '../log.ts';
import { importLibrary } from '../traces/library.ts';
import { EXIT } from './exit.ts';
import { duration } from './progress.ts';
import { table } from './table.ts';
import { INTERRUPTED, interruption, isInterrupted } from './waiting.ts';

const HELP = `Usage: paceline study list
       paceline study run ID… | --all [options]
       paceline study report ID… | --all [--out DIR]

A study holds what a paper says against our own runs. What is done of one is kept and not done again, so a run that was cut off goes on.

  --data-dir DIR   where runs are kept (default: $PACELINE_DATA_DIR, else ./data: the server's)
  --workers N      cores that runs may use together (default: all)
  --out DIR        report: where ID.html and ID.json go (default: .)
  --json           list, run: print what came out as JSON
`;

const Options = z.object({
  out: z.string().min(1).default('.'),
  workers: z.coerce.number().int().min(1).max(1024).default(availableParallelism()),
  dataDir: z.string().optional(),
  json: z.boolean().default(false),
  all: z.boolean().default(false),
});
type Options = z.infer<typeof Options>;

const VERDICTS: readonly (readonly [Verdict, string])[] = [
  ['holds', 'hold'],
  ['direction', 'direction only'],
  ['fails', 'fail'],
  ['untestable', 'cannot be tested here'],
  ['open', 'not run'],
];

/** Of what is measured. */
const MOST_TRIES = 3;

const MARKS: Readonly<Record<Verdict, string>> = { holds: '✓', direction: '~', fails: '✗', untestable: '–', open: '?' };

const counted = (verdicts: StudyListItem['verdicts']): string =>
  VERDICTS.filter(([id]) => verdicts[id] > 0)
    .map(([id, word]) => `${verdicts[id]} ${word}`)
    .join(', ');

const timeText = ({ low, high }: StudyListItem['estimate_s']): string =>
  high === 0 ? 'done' : low === high ? duration(high) : `${duration(low)} to ${duration(high)}`;

function listText(studies: readonly StudyListItem[]): string {
  return table(
    studies.map(({ id, title, runs_done, runs_total, estimate_s, verdicts }) => [
      id,
      title,
      `${runs_done} of ${runs_total} runs`,
      timeText(estimate_s),
      counted(verdicts),
    ]),
  );
}

function outcomeText({ title, answers, figures, verdicts }: StudyRecord): string {
  const told = answers.flatMap(({ title: name, answers: own }) => [
    `\n  ${name}\n`,
    ...own
      .filter(({ network }) => network === own[0]?.network)
      .map(({ text, change }) => `    ${text}${change === null ? '' : ` What would change it: ${change}`}\n`),
  ]);
  const lines = figures.flatMap(({ title: figure, claims }) => [
    `\n  ${MARKS[figureVerdict(claims)]} ${figure}\n`,
    ...claims.flatMap(({ text, outcome, variants, reason }) => [
      `    ${MARKS[outcome.verdict]} ${text}: ${outcome.text}\n`,
      ...variants
        .filter((variant) => variant.outcome.verdict !== 'open')
        .map(
          (variant) =>
            `        ${MARKS[variant.outcome.verdict]} ${variant.title}: ${variant.outcome.text}${variant.nearer === true ? ', nearer' : ''}\n`,
        ),
      ...(reason === null
        ? []
        : [`        why: ${reason.text}${reason.shown === false ? ' (the variant does not show it)' : ''}\n`]),
    ]),
  ]);
  return `\n${title}: ${counted(verdicts)}\n${told.join('')}${lines.join('')}`;
}

export async function study(words: readonly string[]): Promise<number> {
  const { values, positionals } = parseWords({
    args: [...words],
    allowPositionals: true,
    options: {
      out: { type: 'string' },
      workers: { type: 'string' },
      'data-dir': { type: 'string' },
      json: { type: 'boolean' },
      all: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) {
    process.stdout.write(HELP);
    return EXIT.ok;
  }
  const { 'data-dir': dataDir, help: _, ...given } = values;
  const options = checked(Options, { ...given, dataDir }, (key) => (key === 'dataDir' ? '--data-dir' : `--${key}`));
  const [what, ...ids] = positionals;
  if (what === undefined || !['list', 'run', 'report'].includes(what))
    throw new UsageError(`study: list, run or report, not ${JSON.stringify(what ?? '')}`);
  if (what === 'list' && ids.length > 0) throw new UsageError('study list: it takes no study');
  if (what !== 'list' && ids.length === 0 && !options.all)
    throw new UsageError(`study ${what}: which? --all is all of them`);
  const interrupted = interruption();
  await sweepTemporary();
  const lab = openLab({
    dataDir: resolve(options.dataDir ?? process.env['PACELINE_DATA_DIR'] ?? 'data'),
    workers: options.workers,
    log: createLog('warn'),
  });
  try {
    await checkDatabase(lab);
    await importLibrary(lab.traces, lab.store, createLog('warn'));
    const chosen: string[] = options.all ? (await lab.studies.all()).map(({ id }) => id) : [];
    for (const id of ids) if (!chosen.includes(id)) chosen.push((await lab.studies.study(id)).id);
    if (what === 'list') return await list(lab, options);
    return what === 'run' ? await runAll(lab, chosen, options, interrupted) : await reportAll(lab, chosen, options);
  } finally {
    await lab.close();
  }
}

async function list(lab: Lab, { json }: Options): Promise<number> {
  const studies = await lab.studies.list();
  process.stdout.write(json ? `${JSON.stringify({ studies }, null, 2)}\n` : listText(studies));
  return EXIT.ok;
}

async function runAll(
  lab: Lab,
  ids: readonly string[],
  { json }: Options,
  interrupted: Promise<void>,
): Promise<number> {
  const items = (await lab.studies.list()).filter(({ id }) => ids.includes(id));
  const sum = (bound: 'low' | 'high'): number => items.reduce((total, { estimate_s }) => total + estimate_s[bound], 0);
  const left = items.reduce((total, { runs_total, runs_done }) => total + runs_total - runs_done, 0);
  process.stderr.write(`${left} runs, about ${timeText({ low: sum('low'), high: sum('high') })}\n`);
  const started = performance.now();
  lab.scheduler.start();
  const records: StudyRecord[] = [];
  let sound = true;
  for (const id of ids) {
    for (const { title, spec } of Object.values((await lab.studies.study(id)).experiments)) {
      process.stderr.write(`${id}: ${title}\n`);
      for (let tries = 1; ; tries++) {
        const experiment = await lab.studies.submit(spec);
        if (await isInterrupted(lab, experiment, interrupted)) return INTERRUPTED;
        const { state, runs_total, runs_failed } = lab.experiments.item(experiment);
        const lacking = runs_total - lab.store.experiments.counting(experiment);
        if (state === 'done' && lacking === 0) break;
        const said = `${id}: ${title}: ${state}, ${lacking} of ${runs_total} runs failed or do not count`;
        // What this machine did not keep up with it may at another time.
        const isAgain = state === 'done' && runs_failed === 0 && tries < MOST_TRIES;
        process.stderr.write(`${said}; ${isAgain ? 'these again' : 'the same command runs them again'}\n`);
        if (isAgain) continue;
        sound = false;
        break;
      }
    }
    const record = await lab.studies.get(id);
    records.push(record);
    if (!json) process.stdout.write(outcomeText(record));
  }
  if (json) process.stdout.write(`${JSON.stringify({ studies: records }, null, 2)}\n`);
  process.stderr.write(`done after ${duration((performance.now() - started) / 1000)}\n`);
  return sound ? EXIT.ok : EXIT.failed;
}

async function reportAll(lab: Lab, ids: readonly string[], { out }: Options): Promise<number> {
  await mkdir(resolve(out), { recursive: true });
  const { ccas } = await lab.engine.listing();
  for (const id of ids) {
    const record = await lab.studies.get(id);
    const made = new Date().toISOString().slice(0, 10);
    await writeFile(join(resolve(out), `${id}.json`), `${JSON.stringify(record, null, 2)}\n`);
    await writeFile(join(resolve(out), `${id}.html`), studyReport(await lab.studies.study(id), record, made, ccas));
    process.stdout.write(`${join(out, `${id}.html`)}\n`);
  }
  return EXIT.ok;
}
