import { resolve } from 'node:path';
import { AppError } from '../errors.ts';
import { checked, parseWords, UsageError } from '../config.ts';
import { inPieces } from '../experiments/enter.ts';
import { openLab, type Lab } from '../lab.ts';
import { Size } from '../limits.ts';
import { createLog } from '../log.ts';
import { sizeText } from '../quota.ts';
import { EXIT, explain } from './exit.ts';

const HELP = `Usage: paceline retention
       paceline retention to SIZE [--dry-run] [--shrink]
       paceline retention again ID …

What results take in a data folder, and of how many runs the samples were let go. What runs came to always stays. A server lets go by
itself with --retain SIZE (docs/retention.md).

  to SIZE          let the samples of the runs that ended longest ago go until the database takes no more, as 20G: those of runs that can
                   be made again exactly first, none of what is starred or shared
  --dry-run        only say which these would be
  --shrink         give the room back to the disk, too, which needs as much once more while it works
  again ID …       make the samples again of a run, or of all runs of an experiment
  --data-dir DIR   (default: $PACELINE_DATA_DIR, else ./data); no server may be using it
  --json           what happened as JSON
`;

interface Asked {
  readonly words: readonly string[];
  readonly dryRun: boolean;
  readonly shrink: boolean;
  readonly json: boolean;
}

export async function retention(words: readonly string[]): Promise<number> {
  const { values, positionals } = parseWords({
    args: [...words],
    allowPositionals: true,
    options: {
      'dry-run': { type: 'boolean', default: false },
      shrink: { type: 'boolean', default: false },
      'data-dir': { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) {
    process.stdout.write(HELP);
    return EXIT.ok;
  }
  const [what = 'state', ...rest] = positionals;
  const work = workOf(what, { words: rest, dryRun: values['dry-run'], shrink: values.shrink, json: values.json });
  const lab = openLab({
    dataDir: resolve(values['data-dir'] ?? process.env['PACELINE_DATA_DIR'] ?? 'data'),
    workers: 1,
    log: createLog('warn'),
  });
  try {
    return await work(lab);
  } finally {
    await lab.close();
  }
}

/** What is wrong with the words is said before a folder is opened. */
function workOf(what: string, asked: Asked): (lab: Lab) => Promise<number> {
  if (what !== 'to' && (asked.dryRun || asked.shrink))
    throw new UsageError('retention: --dry-run and --shrink go with to SIZE');
  switch (what) {
    case 'state':
      return state(asked);
    case 'to':
      return letGo(asked);
    case 'again':
      return makeAgain(asked);
    default:
      throw new UsageError(`retention: ${what} is none of to and again`);
  }
}

const runs = (count: number): string => (count === 1 ? '1 run' : `${count} runs`);
const say = (asked: Asked, told: object, line: string): void => {
  process.stdout.write(asked.json ? `${JSON.stringify(told, null, 2)}\n` : line);
};

const state =
  (asked: Asked) =>
  ({ store }: Lab): Promise<number> => {
    const told = { used_bytes: store.usedBytes(), free_bytes: store.freeBytes(), runs_gone: store.samplesGone.count() };
    const free =
      told.free_bytes === 0 ? '' : ` and has room for ${sizeText(told.free_bytes)} more before its file grows`;
    const gone = told.runs_gone === 0 ? 'no samples were let go' : `the samples of ${runs(told.runs_gone)} were let go`;
    say(asked, told, `The database takes ${sizeText(told.used_bytes)}${free}; ${gone}\n`);
    return Promise.resolve(EXIT.ok);
  };

function letGo(asked: Asked): (lab: Lab) => Promise<number> {
  const [size, ...more] = asked.words;
  if (size === undefined || more.length > 0) throw new UsageError('retention: to wants one size, as 20G');
  const bytes = checked(Size, size, () => 'retention to');
  return async ({ engine, retention: retained, store }) => {
    // Whose runs can be made again; none can where it is missing.
    await engine.listing().catch(() => undefined);
    const fault = (error: unknown): void => {
      process.stderr.write(`paceline: ${explain(error).text}\n`);
    };
    const gone = asked.dryRun ? await retained.plan(bytes) : await retained.sweep(bytes, fault);
    const took = gone.reduce((sum, going) => sum + going.bytes, 0);
    if (asked.shrink && !asked.dryRun) store.shrink();
    const used = store.usedBytes();
    const left = asked.dryRun ? used - took : used;
    const never = gone.filter(({ exact }) => !exact).length;
    const lost = never === 0 ? '' : `, ${never} of which cannot be made again exactly`;
    if (!asked.json)
      for (const { run, bytes: took_bytes } of gone) process.stdout.write(`${run}  ${sizeText(took_bytes)}\n`);
    say(
      asked,
      { runs: gone, used_bytes: used, dry_run: asked.dryRun },
      `${asked.dryRun ? 'would let go' : 'let go'} the samples of ${runs(gone.length)}${lost}: ${sizeText(took)}; ` +
        `the database ${asked.dryRun ? 'would take' : 'takes'} ${sizeText(left)}\n`,
    );
    if (left <= bytes) return EXIT.ok;
    process.stderr.write('paceline: nothing else may go: the rest is starred or shared, or holds no samples\n');
    return EXIT.failed;
  };
}

function makeAgain(asked: Asked): (lab: Lab) => Promise<number> {
  if (asked.words.length === 0) throw new UsageError('retention: again wants runs or experiments');
  return async (lab) => {
    const wanted = [...new Set(asked.words.flatMap((id) => runsOf(lab, id)))];
    const refused: { run: string; reason: string }[] = [];
    let made = 0;
    for (const run of wanted)
      try {
        if (lab.reader.heads(run).size > 0) continue;
        await lab.samplesAgain.make(run);
        made++;
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        refused.push({ run, reason: error.message });
        process.stderr.write(`paceline: ${run}: ${error.message}\n`);
      }
    say(asked, { made, refused }, `the samples of ${runs(made)} were made again\n`);
    return refused.length === 0 ? EXIT.ok : EXIT.failed;
  };
}

/** Itself, or those of the experiment that it is. */
function runsOf({ store }: Lab, id: string): string[] {
  if (store.runs.state(id) !== null) return [id];
  if (store.experiments.spec(id) === null) throw new UsageError(`retention: there is no run and no experiment ${id}`);
  return [...inPieces(store.experiments.places(id))].flatMap((places) =>
    store.experiments.storedRefs(id, places).map((ref) => ref.id),
  );
}
