import { z } from 'zod';
import { TraceForm, TraceProblem, TraceReport, type SourceChoices } from '#protocol/trace';
import { oneShot, ProgramFailed, type OneShot } from './one-shot.ts';

/** A gigabyte of trace text is read at some 100 MB/s; a slow disk may take ten times as long. */
const TIMEOUT_MS = 180_000;

/** A file that is not a trace: what, where, why, what next. */
export class TraceRefused extends Error {
  override readonly name = 'TraceRefused';
  readonly problem: TraceProblem;

  constructor(problem: TraceProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** What files that others send may become. */
export interface FileLimits {
  readonly unpackedBytes: number;
  /** Times what was packed. */
  readonly unpackedRatio: number;
  /** Of the canonical text. */
  readonly storedBytes: number;
}

export interface TraceOptions {
  readonly signal?: AbortSignal;
  /** null: the file is one's own. */
  readonly limits?: FileLimits | null;
  /** Bins of the preview (the program's default: 1000). */
  readonly bins?: number;
  /** Part of the trace that the preview shows; the statistics are those of the whole. */
  readonly fromMs?: number;
  readonly toMs?: number;
  /** With autocorrelation, outages and falls. */
  readonly dynamics?: boolean;
  /** By a model: not searched for the faults of recordings. */
  readonly made?: boolean;
  /** What the file does not say of itself; absent: what it looks like. */
  readonly choices?: SourceChoices;
}

/** Statistics and a preview of a file of any known form, plain or packed. Throws TraceRefused. */
export async function inspectTrace(file: string, options: TraceOptions = {}): Promise<TraceReport> {
  return report(
    await trace(['info', file, ...previewOf(options), ...choicesOf(options), ...unpackingOf(options)], options),
  );
}

/** The same for a file that `importTrace` has written: its form is known, so however short it is there is nothing to guess. */
export async function inspectStoredTrace(file: string, options: TraceOptions = {}): Promise<TraceReport> {
  return report(
    await trace(['info', file, '--format', 'trace', '--set', 'columns=ms count', ...previewOf(options)], options),
  );
}

/** Checks the file, writes `<outDir>/<sha256>.trace` and gives what `inspectTrace` gives. Throws TraceRefused. */
export async function importTrace(file: string, outDir: string, options: TraceOptions = {}): Promise<TraceReport> {
  const args = ['import', file, '--out-dir', outDir, ...previewOf(options), ...choicesOf(options)];
  return report(await trace([...args, ...unpackingOf(options), ...storingOf(options.limits)], options));
}

/** The forms that are read, in the order in which a file is asked whether it is one. */
export async function traceForms(): Promise<TraceForm[]> {
  return z.array(TraceForm).parse(parseJson((await trace(['formats', '-'], {})).stdout));
}

function previewOf({ bins, fromMs, toMs, dynamics, made }: TraceOptions): string[] {
  const options: [string, number | undefined][] = [
    ['--bins', bins],
    ['--from-ms', fromMs],
    ['--to-ms', toMs],
  ];
  return [
    ...options.flatMap(([name, value]) => (value === undefined ? [] : [name, String(value)])),
    ...(dynamics === true ? ['--dynamics', 'yes'] : []),
    ...(made === true ? ['--origin', 'made'] : []),
  ];
}

function unpackingOf({ limits }: TraceOptions): string[] {
  if (limits === undefined || limits === null) return [];
  return ['--max-unpacked', String(limits.unpackedBytes), '--max-ratio', String(limits.unpackedRatio)];
}

export const storingOf = (limits: FileLimits | null | undefined): string[] =>
  limits === undefined || limits === null ? [] : ['--max-stored', String(limits.storedBytes)];

function choicesOf({ choices }: TraceOptions): string[] {
  if (choices === undefined) return [];
  const options = Object.entries(choices.options).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
  return choices.format === undefined ? options : ['--format', choices.format, ...options];
}

/** When an application wrote how much, as `paceline-trace` tells it. Throws TraceRefused. */
export async function packetsIn(file: string, options: TraceOptions = {}): Promise<unknown> {
  return parseJson((await trace(['packets', file, ...unpackingOf(options)], options)).stdout);
}

/**
 * What a report of iperf3 tells (protocol/iperf3.ts): of a file, packed or not, or of the text itself. Unchecked, as the program tells it.
 * Throws TraceRefused.
 */
export async function readIperf3(
  from: { readonly file: string } | { readonly text: string },
  options: TraceOptions = {},
): Promise<unknown> {
  const [file, input] = 'file' in from ? [from.file, ''] : ['-', from.text];
  return parseJson((await trace(['iperf3', file, ...unpackingOf(options)], options, input)).stdout);
}

async function trace(args: readonly string[], { signal }: TraceOptions, input = ''): Promise<OneShot> {
  const result = await oneShot('paceline-trace', args, { timeoutMs: TIMEOUT_MS, input, ...(signal && { signal }) });
  if (result.code === 0) return result;
  const problem = TraceProblem.safeParse(parseJson(result.stdout));
  if (problem.success) throw new TraceRefused(problem.data);
  throw new ProgramFailed(`paceline-trace: ${result.stderr}`);
}

const report = ({ stdout }: OneShot): TraceReport => TraceReport.parse(parseJson(stdout));

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
