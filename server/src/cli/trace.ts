import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runForeground } from '#bridge/foreground';
import { oneShot } from '#bridge/one-shot';
import { inspectTrace, TraceRefused } from '#bridge/traces';
import { refusedTrace } from '../errors.ts';
import type { TraceDynamics, TraceFlag, TraceInfo } from '#protocol/trace';
import { parseWords, UsageError } from '../config.ts';
import { createLog } from '../log.ts';
import { EXIT } from './exit.ts';
import { decimal } from './decimal.ts';
import { CHOICES, choicesFrom } from './source-choices.ts';
import { table } from './table.ts';
import { cutTrace, editTrace } from './trace-edit.ts';
import { listTraces } from './trace-list.ts';
import { marksFacts, marksOfFile, withTraceOf } from './trace-marks.ts';

const HELP = `Usage: paceline trace COMMAND FILE [options]        (FILE may be gzip or zstd)

  info FILE|NAME [--json] [--bins N] statistics, dynamics and what to mind, and of what a shipped recipe makes handovers
                                     and signal; NAME is such a recipe; --json adds a preview of the capacity
  validate FILE                      check a file
  validate [--seeds N]               make every shipped recipe N times (5) and hold it against its targets; 3 if one is missed
  list [WORD ...] [--sort KEY]       the traces of a data folder; paceline trace list --help tells the rest
  import FILE [--name NAME] [--licence LICENCE] [--source WHERE] [--technology T] [--place P] [--data-dir DIR]
                                     add it to the traces of a data folder; under which licence it may be
                                     passed on, where it comes from (an address, a citation), of which link it is
  convert FILE --to ms-count|mahimahi|csv|netem [--step-ms N] [--out FILE]
                                     write another form: csv is a table of rates, netem a script that runs tc
      --format FORMAT --set OPTION=VALUE ...
                                     what a table or a recording does not say of itself; info lists the options
  make RECIPE [--seed N] [--duration SECONDS] [--step-us N] [--out FILE]
                                     make a synthetic trace; RECIPE is a file or the name of a shipped one; the step is
                                     the time resolution of a radio model
  sketch RECIPE [--bins N]           what it would make, as JSON: statistics, a preview of the capacity, the plan
  edit FILE STEP ... [--out FILE]    cut, loop, scale, smooth, outages …; paceline trace edit --help lists the steps
  cut FILE 10s..40s [--out FILE]     only a part of it

paceline trace convert --help lists what else these can do.
`;

/** As the bridge gives it: a gigabyte of trace text from a slow disk. */
const INFO_TIMEOUT_MS = 180_000;

/** These are the native program's own commands: it answers on our stdout, stderr and exit code. */
const NATIVE = ['validate', 'convert'];
const RECIPES = fileURLToPath(new URL('../../../traces/recipes/', import.meta.url));

export async function trace([name, ...words]: readonly string[]): Promise<number> {
  if (name === undefined) throw new UsageError('trace: which command?');
  if (name === '--help' || name === '-h') {
    process.stdout.write(HELP);
    return EXIT.ok;
  }
  if (name === 'validate' && (words[0] === undefined || words[0] === '--seeds'))
    return native(['targets', RECIPES, ...words]);
  if (NATIVE.includes(name)) return native([name, ...words]);
  if (name === 'make' || name === 'sketch')
    return native([name, ...words.map((word, i) => (i === 0 ? recipeFile(word) : word))]);
  if (name === 'info') return infoOf(words);
  if (name === 'edit') return editTrace(words);
  if (name === 'cut') return cutTrace(words);
  if (name === 'import') return importFile(words);
  if (name === 'list') return listTraces(words);
  throw new UsageError(`trace: there is no command ${JSON.stringify(name)}`);
}

async function native(args: readonly string[]): Promise<number> {
  return (await runForeground('paceline-trace', args)) ?? EXIT.failed;
}

/** A shipped recipe can be given by its name. */
function recipeFile(word: string): string {
  const shipped = `${RECIPES}${word}.json`;
  return /^[\w-]+$/.test(word) && !word.startsWith('-') && !existsSync(word) && existsSync(shipped) ? shipped : word;
}

function onlyFile(positionals: readonly string[]): string {
  const [file, ...more] = positionals;
  if (file === undefined) throw new UsageError('trace: which file?');
  if (more.length > 0) throw new UsageError(`trace: one file at a time: ${more.join(' ')}`);
  return file;
}

/** What a person wants to know, in the order of the trace page. */
function facts(info: TraceInfo): string[][] {
  const mbps = (value: number): string => `${decimal(value)} Mbps`;
  return [
    ['format', [info.source?.label ?? info.format, info.source?.packing].filter(Boolean).join(', ')],
    ...(info.source?.options ?? []).map(({ name, value }) => [`  ${name}`, value]),
    ['sha256', info.sha256],
    ['period', `${decimal(info.period_ms / 1000)} s`],
    ['mean', mbps(info.mean_mbps)],
    ['standard deviation', `${mbps(info.std_10ms_mbps)} over 10 ms, ${mbps(info.std_1s_mbps)} over 1 s`],
    ['peak', `${mbps(info.peak_10ms_mbps)} over 10 ms, ${mbps(info.peak_1s_mbps)} over 1 s`],
    ['5 to 95 % of seconds', `${mbps(info.p5_1s_mbps)} to ${mbps(info.p95_1s_mbps)}`],
    ['longest gap', `${info.longest_gap_ms} ms (${info.wrap_gap_ms} ms when it repeats)`],
    ['seconds without any', String(info.empty_seconds)],
    ['below 5 Mbps', `${decimal(100 * info.share_below_5mbps_1s)} % of seconds`],
    ['resolution', `${info.resolution_ms} ms`],
  ];
}

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);
const perSecond = (value: number | null): string => (value === null ? '–' : `${decimal(value)} Mbps/s`);
const seconds = (value: number | null): string =>
  value === null ? 'longer than was looked for' : `${decimal(value)} s`;

/** How it moves. */
function dynamicsFacts({ memory, coherence_s, outages, falls, usual_ms }: TraceDynamics): string[][] {
  return [
    ['coherence time', `${seconds(coherence_s)} (autocorrelation of 10 ms below 1/e)`],
    ['memory', `${seconds(memory[1]?.below_1e_s ?? null)} (the same of 100 ms)`],
    ...outages.map(({ below_mbps, count, share, longest_ms, median_ms }) => [
      below_mbps === 0 ? 'silent for 100 ms' : `below ${decimal(below_mbps)} Mbps`,
      count === 0
        ? 'never'
        : `${times(count)}, ${decimal(100 * share)} % of the time, longest ${longest_ms} ms, median ${median_ms} ms`,
    ]),
    [
      'falls',
      falls.count === 0
        ? 'none from 80 to 20 % within 3 s'
        : `${times(falls.count)}, median ${perSecond(falls.median_mbps_per_s)}, steepest ${perSecond(falls.steepest_mbps_per_s)}`,
    ],
    ['largest fall in 3 s', `${decimal(falls.largest_3s_mbps)} Mbps`],
    ['usual millisecond', `${usual_ms.packets} packets (${decimal(100 * usual_ms.share)} % of the volume)`],
  ];
}

/** What it is, where, and what to do. */
function flagLines({ says, advice, places, at }: TraceFlag): string {
  const where = at.slice(0, 5).map(([from, to]) => `${decimal(from / 1000)}–${decimal(to / 1000)} s`);
  const more = places > where.length && where.length > 0 ? [`${places - where.length} more`] : [];
  const place = where.length === 0 ? '' : `  at ${[...where, ...more].join(', ')}\n`;
  return `! ${says}\n${place}  ${advice}\n`;
}

/** The name of a shipped recipe stands for what it makes. */
async function infoOf(words: readonly string[]): Promise<number> {
  const at = words.findIndex((word) => recipeFile(word) !== word);
  const show = (all: readonly string[]): Promise<number> =>
    all.includes('--json') ? infoJson(all, at >= 0) : info(all, at >= 0);
  return at < 0 ? show(words) : withTraceOf(recipeFile(words[at] ?? ''), (file) => show(words.with(at, file)));
}

/** `made`: by a model, so that nobody looks for the faults of recordings. */
async function infoJson(words: readonly string[], made: boolean): Promise<number> {
  const origin = made ? ['--origin', 'made'] : [];
  const args = ['info', ...words.filter((word) => word !== '--json'), '--dynamics', 'yes', ...origin];
  const [file = '-'] = args.slice(1);
  // Standard input is the program's own.
  if (!existsSync(file)) return native(args);
  const { code, stdout, stderr } = await oneShot('paceline-trace', args, { timeoutMs: INFO_TIMEOUT_MS });
  process.stderr.write(stderr);
  const report = code === 0 ? (JSON.parse(stdout) as { readonly info: TraceInfo }) : null;
  const marks = report === null ? null : await marksOfFile(file, report.info.sha256);
  process.stdout.write(marks === null ? stdout : `${JSON.stringify({ ...report, marks })}\n`);
  return code ?? EXIT.failed;
}

async function info(words: readonly string[], made: boolean): Promise<number> {
  const { values, positionals } = parseWords({
    args: [...words],
    allowPositionals: true,
    options: { ...CHOICES, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help === true) {
    process.stdout.write(HELP);
    return EXIT.ok;
  }
  const file = onlyFile(positionals);
  const report = await inspectTrace(file, { choices: choicesFrom(values), dynamics: true, made }).catch(
    (error: unknown) => {
      throw error instanceof TraceRefused ? refusedTrace(file, error.problem) : error;
    },
  );
  const moves = report.dynamics === undefined ? [] : dynamicsFacts(report.dynamics);
  const marks = await marksOfFile(file, report.info.sha256);
  process.stdout.write(table([...facts(report.info), ...moves, ...(marks === null ? [] : marksFacts(marks))]));
  for (const note of report.info.source?.notes ?? []) process.stdout.write(`- ${note}\n`);
  for (const flag of report.info.flags) process.stdout.write(flagLines(flag));
  return EXIT.ok;
}

async function importFile(words: readonly string[]): Promise<number> {
  const { values, positionals } = parseWords({
    args: [...words],
    allowPositionals: true,
    options: {
      ...CHOICES,
      name: { type: 'string' },
      licence: { type: 'string' },
      source: { type: 'string' },
      technology: { type: 'string' },
      place: { type: 'string' },
      'data-dir': { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) {
    process.stdout.write(HELP);
    return EXIT.ok;
  }
  const file = onlyFile(positionals);
  const dataDir = resolve(values['data-dir'] ?? process.env['PACELINE_DATA_DIR'] ?? 'data');
  const { openLab } = await import('../lab.ts');
  const lab = openLab({ dataDir, workers: 1, log: createLog('warn') });
  try {
    const name = values.name ?? basename(file);
    const { record, added } = await lab.traces.add(file, {
      name,
      origin: 'file',
      choices: choicesFrom(values),
      licence: values.licence,
      source: values.source,
      technology: values.technology,
      place: values.place,
    });
    for (const note of record.info.source?.notes ?? []) process.stderr.write(`${note}\n`);
    process.stdout.write(`${record.id}  ${record.name}${added ? '' : ' (was there already)'}\n`);
    return EXIT.ok;
  } finally {
    await lab.close();
  }
}
