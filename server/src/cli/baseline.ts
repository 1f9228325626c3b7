import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { z } from 'zod';
import { baselineOf, sideOf, type Side } from '#analysis/baseline';
import { judgeNotWorse } from '#analysis/expected-not-worse';
import type { Verdict } from '#analysis/expectation-verdict';
import { plural } from '#analysis/format';
import type { MetricId } from '#analysis/metrics';
import { NotWorse } from '#protocol/expectations';
import { plainLine } from '#protocol/text';
import { checked, parseWords, UsageError } from '../config.ts';
import { foundOf } from './assert-report.ts';
import { notesOf } from './assert-judge.ts';
import { badFile } from './bounded-file.ts';
import { baselineSide, readBaseline, storedSide, writeBaseline } from './baseline-file.ts';
import { EXIT } from './exit.ts';
import { readAnySpec } from './expectations-file.ts';
import { withExperiment, type MakeOptions } from './made.ts';
import { INTERRUPTED } from './waiting.ts';

const HELP = `Usage: paceline baseline save NAME SPEC|EXPERIMENT --to FILE.json [--label TEXT] [options]
       paceline baseline compare FILE.json SPEC [--error-rate P] [--json] [options]

save     runs a spec, or takes an experiment of the data folder, and writes what it came to: small, sorted, to be committed
compare  runs the spec and says which figures are worse than the baseline's; exit code 3 when one is beyond chance
SPEC may be a file of expectations, too (docs/ci.md).

  --label TEXT      of the state of things: a revision, as $(git rev-parse --short HEAD)
  --error-rate P    how often any figure may be called worse where none is (default 0.05)
  --undecided fail|pass  what a figure counts as that nothing can be said of, for want of repetitions (default: fail)
  --data-dir DIR    work in this data folder and keep what is made; where EXPERIMENT is
  --workers N       cores that runs may use together (default: all)

Exit codes: 0 nothing is worse, 3 something is, 1 a run has no result or a figure is undecided, 2 bad input.
`;

const Options = z.object({
  to: z.string().min(1).optional(),
  label: z.string().min(1).max(200).optional(),
  errorRate: z.coerce.number().positive().max(0.5).default(0.05),
  undecided: z.enum(['fail', 'pass']).default('fail'),
  json: z.boolean().default(false),
  dataDir: z.string().min(1).optional(),
  workers: z.coerce.number().int().min(1).max(1024).default(availableParallelism()),
});
type Options = z.infer<typeof Options>;
const NAMES: Readonly<Record<string, string>> = { dataDir: '--data-dir', errorRate: '--error-rate' };

export async function baseline(words: readonly string[]): Promise<number> {
  const { values, positionals } = parseWords({
    args: [...words],
    allowPositionals: true,
    options: {
      to: { type: 'string' },
      label: { type: 'string' },
      'error-rate': { type: 'string' },
      undecided: { type: 'string' },
      json: { type: 'boolean' },
      'data-dir': { type: 'string' },
      workers: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) {
    process.stdout.write(HELP);
    return EXIT.ok;
  }
  const { 'data-dir': dataDir, 'error-rate': errorRate, help: _, ...given } = values;
  const options = checked(Options, { ...given, dataDir, errorRate }, (key) => NAMES[key] ?? `--${key}`);
  const [what, first, second, ...more] = positionals;
  if (what !== 'save' && what !== 'compare')
    throw new UsageError(`baseline: save or compare, not ${JSON.stringify(what ?? '')}`);
  if (first === undefined || second === undefined || more.length > 0)
    throw new UsageError(
      what === 'save'
        ? 'baseline save: wants a name and a spec or an experiment'
        : 'baseline compare: wants a baseline and a spec',
    );
  return what === 'save' ? save(first, second, options) : compare(first, second, options);
}

const making = ({ dataDir, workers }: Options): MakeOptions => ({ dataDir, workers, retries: 0 });

/** What a spec comes to here and now; a number: the exit code, when it came to nothing. */
async function made(file: string, options: Options): Promise<Side | number> {
  const { read, folder } = await readAnySpec(file);
  const side = await withExperiment(read, folder, making(options), ({ experiment, names }): Promise<Side | number> => {
    const bad = [...experiment.runs].find(({ state }) => state !== 'done');
    if (bad === undefined) return Promise.resolve(sideOf(experiment, names, experiment.name));
    const why = plainLine(`run ${bad.id} is ${bad.state}: ${bad.reason ?? 'no reason given'}`);
    process.stderr.write(`paceline: ${why}: what lacks runs is no baseline, and is held against none\n`);
    return Promise.resolve(EXIT.failed);
  });
  return side ?? INTERRUPTED;
}

async function save(name: string, of: string, options: Options): Promise<number> {
  const { to, label, dataDir } = options;
  if (to === undefined) throw new UsageError('--to: is needed: which file does it go to?');
  const folder = resolve(dataDir ?? process.env['PACELINE_DATA_DIR'] ?? 'data');
  const side = existsSync(of) ? await made(of, options) : await storedSide({ dataDir: folder, experiment: of });
  if (typeof side === 'number') return side;
  if (side.places.size === 0) throw badFile(of, 'none of its runs has a result');
  await writeBaseline(to, baselineOf(side, name, label));
  const runs = [...side.places.values()].reduce((total, place) => total + place.runs.length, 0);
  process.stdout.write(
    `${to}: ${plural(runs, 'run')} in ${plural(side.places.size, 'cell')}, engine ${side.engine_version ?? 'unknown'}\n`,
  );
  return EXIT.ok;
}

/** What is looked at without having been asked for: each where it is measured. */
const METRICS: readonly MetricId[] = [
  'utilisation',
  'throughput',
  'queueing_mean',
  'queueing_p95',
  'loss',
  'rtt_p95',
  'jain',
];

function compared(before: Side, now: Side, errorRate: number): Verdict[] {
  const places = [...now.places.values()];
  const known = METRICS.filter((metric) =>
    places.some(({ key, runs }) =>
      [runs, before.places.get(key)?.runs ?? []].every((own) =>
        own.some(({ figures }) => figures[metric] !== undefined),
      ),
    ),
  );
  const comparisons = known.map((metric) => ({
    expectation: NotWorse.parse({ metric, not_worse_than: 'the baseline', of: 'cells' }),
    before,
    now: places,
    lacking: null,
  }));
  return judgeNotWorse(comparisons, errorRate, now.seed);
}

const WORDS = { ok: 'ok', broken: 'WORSE', undecided: 'undecided' } as const;

function closing(broken: number, undecided: number, all: number, errorRate: number): string {
  const found = broken === 0 ? 'Nothing is found worse' : `${plural(broken, 'figure')} of ${all} worse`;
  const open = undecided === 0 ? '' : `; of ${plural(undecided, 'figure')} nothing can be said with so few repetitions`;
  return `${found} beyond chance, at an error rate of ${errorRate} for all together${open}`;
}

async function compare(file: string, spec: string, options: Options): Promise<number> {
  // What cannot be read is told before anything runs.
  await readBaseline(file);
  const now = await made(spec, options);
  if (typeof now === 'number') return now;
  const before = await baselineSide(file, process.cwd(), now);
  const verdicts = compared(before, now, options.errorRate);
  const notes = notesOf(before, now);
  const count = (wanted: Verdict['verdict']): number => verdicts.filter(({ verdict }) => verdict === wanted).length;
  const [broken, undecided] = [count('broken'), count('undecided')];
  if (options.json)
    process.stdout.write(`${JSON.stringify({ baseline: before.called, notes, figures: verdicts }, null, 2)}\n`);
  else {
    for (const one of verdicts)
      process.stdout.write(`${plainLine(`${WORDS[one.verdict].padEnd(9)} ${one.expected} | found ${foundOf(one)}`)}\n`);
    for (const note of notes) process.stdout.write(`${plainLine(note)}\n`);
    process.stdout.write(`${closing(broken, undecided, verdicts.length, options.errorRate)}\n`);
  }
  if (broken > 0) return EXIT.missed;
  return undecided > 0 && options.undecided === 'fail' ? EXIT.failed : EXIT.ok;
}
