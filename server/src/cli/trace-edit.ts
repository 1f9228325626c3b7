// `paceline trace edit` and `trace cut`: steps as options, in the order in which they are given, or from a file.
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { EditRefused, sketchEdit } from '#bridge/edits';
import { runForeground } from '#bridge/foreground';
import { importTrace, TraceRefused } from '#bridge/traces';
import { EditSteps, type EditStep, type TraceEdit } from '#protocol/edit';
import type { SourceChoices } from '#protocol/trace';
import { checked, parseWords, UsageError } from '../config.ts';
import { refusedTrace } from '../errors.ts';
import { STEP_WORDS, TO_THE_END } from './edit-words.ts';
import { EXIT } from './exit.ts';
import { CHOICES, choicesFrom } from './source-choices.ts';

export const EDIT_HELP = `Usage: paceline trace edit FILE STEP ... [--out FILE]        (steps are made in the order in which they are given)
       paceline trace cut FILE 10s..40s [--out FILE]

  --cut 10s..40s              keep only this part; 10s.. and ..40s go to the end and from the beginning
  --remove 10s..40s           take this part out
  --loop 5min                 repeat the trace up to this length
  --concatenate FILE          append another trace: a file, or the hash of one in the data folder
  --scale 0.5                 every rate times this (or 50%)
  --smooth 200ms              moving average
  --outage 5s+2s[:insert]     nothing for 2 s from 5 s on: what was there is lost, or with :insert the rest moves back
  --handover 5s[+30ms[+0ms]]  an interruption, then a ramp up to all of the capacity
  --reverse                   backwards
  --shift 20s                 begin here; what was before comes at the end
  --steps EDIT.json           the steps of an edit (docs/traces.md), or a list of steps

  --out FILE                  where to (default: standard output), as ms count
  --data-dir DIR              where traces named by their hash are (default ./data, or $PACELINE_DATA_DIR)
  --format FORMAT --set OPTION=VALUE ...
                              what FILE does not say of itself (paceline trace info)
`;

const OPTIONS = {
  ...Object.fromEntries(Object.keys(STEP_WORDS).map((name) => [name, { type: 'string', multiple: true } as const])),
  concatenate: { type: 'string', multiple: true },
  steps: { type: 'string', multiple: true },
  reverse: { type: 'boolean', multiple: true },
  out: { type: 'string' },
  'data-dir': { type: 'string' },
  ...CHOICES,
  help: { type: 'boolean', short: 'h' },
} as const;

const PART = /^[\w.]*\.\.[\w.]*$/;

/** `cut FILE PART` is `edit FILE --cut PART`. */
export function cutTrace(words: readonly string[]): Promise<number> {
  const place = words.findIndex((word) => PART.test(word) && !existsSync(word));
  if (place >= 0) return editTrace(words.toSpliced(place, 0, '--cut'));
  if (words.includes('--help') || words.includes('-h')) return editTrace(['--help']);
  throw new UsageError('trace cut: which part? Write 10s..40s, 10s.. or ..40s');
}

export async function editTrace(words: readonly string[]): Promise<number> {
  const { values, positionals, tokens } = parseWords({
    args: [...words],
    allowPositionals: true,
    tokens: true,
    options: OPTIONS,
  });
  if (values.help === true) {
    process.stdout.write(EDIT_HELP);
    return EXIT.ok;
  }
  const [file, ...more] = positionals;
  if (file === undefined) throw new UsageError('trace: which file?');
  if (more.length > 0) throw new UsageError(`trace: one file at a time: ${more.join(' ')}`);
  const dataDir = resolve(values['data-dir'] ?? process.env['PACELINE_DATA_DIR'] ?? 'data');
  const folder = await mkdtemp(join(tmpdir(), 'paceline-edit-'));
  try {
    const known = new Traces(folder, join(dataDir, 'traces'));
    const source = await known.fromFile(file, choicesFrom(values));
    const steps: EditStep[] = [];
    for (const token of tokens) {
      if (token.kind !== 'option') continue;
      for (const step of await stepsOf(token.name, token.value ?? '', known))
        steps.push(await toTheEnd(step, { schema: 1, source, steps }, folder));
    }
    if (steps.length === 0) throw new UsageError('trace edit: which steps? paceline trace edit --help lists them');
    const edit = join(folder, 'edit.json');
    await writeFile(edit, JSON.stringify({ schema: 1, source, steps } satisfies TraceEdit));
    const out = values.out === undefined ? [] : ['--out', values.out];
    return (await runForeground('paceline-trace', ['edit', edit, '--traces', folder, ...out])) ?? EXIT.failed;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The traces that an edit names, in a folder of its own. */
class Traces {
  readonly #folder: string;
  readonly #stored: string;

  constructor(folder: string, stored: string) {
    this.#folder = folder;
    this.#stored = stored;
  }

  async fromFile(file: string, choices: SourceChoices): Promise<string> {
    const { info } = await importTrace(file, this.#folder, { bins: 1, choices }).catch((error: unknown) => {
      throw error instanceof TraceRefused ? refusedTrace(file, error.problem) : error;
    });
    return info.sha256;
  }

  /** A trace of the data folder; one that is nowhere is refused when the edit is made. */
  async stored(hash: string): Promise<string> {
    const [from, to] = [join(this.#stored, `${hash}.trace`), join(this.#folder, `${hash}.trace`)];
    if (existsSync(from) && !existsSync(to)) await symlink(from, to);
    return hash;
  }
}

async function stepsOf(option: string, word: string, traces: Traces): Promise<readonly EditStep[]> {
  const make = STEP_WORDS[option];
  if (make !== undefined) return [make(word)];
  if (option === 'reverse') return [{ op: 'reverse' }];
  if (option === 'concatenate') {
    const isHash = /^[0-9a-f]{64}$/.test(word) && !existsSync(word);
    return [
      { op: 'concatenate', trace: await (isHash ? traces.stored(word) : traces.fromFile(word, { options: {} })) },
    ];
  }
  if (option !== 'steps') return [];
  const file = parsed(await readFile(word, 'utf8'), word);
  const list = file !== null && typeof file === 'object' && 'steps' in file ? file.steps : file;
  const steps = checked(EditSteps, list, (where) => (where === '' ? `${word}: steps` : `${word}: ${where}`));
  for (const step of steps) if (step.op === 'concatenate') await traces.stored(step.trace);
  return steps;
}

function parsed(text: string, file: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new UsageError(`${file} is not JSON`);
  }
}

async function toTheEnd(step: EditStep, before: TraceEdit, folder: string): Promise<EditStep> {
  if ((step.op !== 'cut' && step.op !== 'remove') || step.to_ms !== TO_THE_END) return step;
  const sketch = await sketchEdit(before, folder, 1).catch((error: unknown) => {
    throw error instanceof EditRefused ? new UsageError(`${error.where}: ${error.message}`) : error;
  });
  return { ...step, to_ms: sketch.period_ms };
}
