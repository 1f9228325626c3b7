import { statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Logger } from 'pino';
import type { QueueHold } from '#protocol/api';
import type { RunManifest } from '#protocol/manifest';
import { verdictOf } from '#analysis/validity';
import type { BpfObject } from '#bridge/bpf';
import type { ExternalProgram } from '#bridge/external';
import { failureOf, type Failure } from '#bridge/failure';
import { run as runNative, type ChangeLink, type RunOptions, type RunOutcome } from '#bridge/run';
import type { OwnEngines } from '#bridge/own-engines';
import { SETUP_COMMAND } from '#bridge/programs';
import type { Simulators } from '#bridge/simulators';
import type { RunEnd } from '../store/runs.ts';
import { troubleOf, troubleOfCode } from '../store/trouble.ts';
import { traced } from '../tracing/spans.ts';
import type { RunFeed } from './feed.ts';
import type { ProgramLogFolder } from './program-logs.ts';
import type { QlogFolder } from './qlogs.ts';
import type { Recording } from './recording.ts';
import type { SetbackKind } from './setbacks.ts';

/** Makes a run somewhere else; null: it was not made, through no fault of its own. */
export type Elsewhere = (manifest: RunManifest, options: RunOptions) => Promise<RunOutcome | null>;

export interface RunnerContext {
  readonly tracesDir: string;
  readonly qlogs: QlogFolder;
  readonly programLogs: ProgramLogFolder;
  readonly bpf: readonly BpfObject[];
  readonly external?: readonly ExternalProgram[];
  /** Version of the native programs; runs of another version are not theirs to make. */
  readonly engineVersion: () => string | null;
  readonly simulators?: Simulators;
  readonly ownEngines?: OwnEngines;
  /** Texts of own algorithms, by their hash. */
  readonly program?: (sha256: string) => string | null;
  /** False: of runs in virtual time no samples are kept, and none are made. */
  readonly samples?: boolean;
  /** Absent: it is made here. */
  readonly elsewhere?: Elsewhere;
  readonly feed: RunFeed;
  readonly log: Logger;
}

/** What came of starting a run. */
export type Attempt =
  | {
      readonly kind: 'ended';
      readonly end: RunEnd;
      /** Seconds that it took where it was made, if that was elsewhere. */
      readonly wall_s?: number;
    }
  /** Something came between, and it may end well the next time; `end` is how it has ended if not. */
  | { readonly kind: 'setback'; readonly cause: SetbackKind; readonly reason: string; readonly end: RunEnd }
  /** No run could have ended well now. */
  | { readonly kind: 'held'; readonly hold: QueueHold }
  /** Whoever was to make it elsewhere did not. */
  | { readonly kind: 'returned' };

/** It is a measurement of something else than its cell: worth a look, but no repetition of the others. */
const LINK_CHANGED = 'the link was changed by hand while it ran';

const SETUP = `Run \`${SETUP_COMMAND}\`; the doctor page says more.`;

/** Runs one manifest to its end, recording what it says. Never rejects: whatever happens is what came of it. */
export function execute(
  manifest: RunManifest,
  recording: Recording,
  signal: AbortSignal,
  onChangeable: (change: ChangeLink) => void,
  context: RunnerContext,
): Promise<Attempt> {
  const { engine, path, duration_s } = manifest;
  const about = { 'paceline.run': recording.run, 'paceline.engine': engine, 'paceline.path': path };
  // Whoever asked for it has had their answer; and what starts one run may be the end of another.
  return traced(
    'run',
    { ...about, 'paceline.duration_s': duration_s },
    async (span) => {
      const came = await executed(manifest, recording, signal, onChangeable, context);
      span.setAttributes(toldOf(came));
      return came;
    },
    { root: true },
  );
}

function toldOf(came: Attempt): Record<string, string> {
  if (came.kind === 'held') return { 'paceline.state': 'held', 'paceline.reason': came.hold.reason };
  if (came.kind === 'returned') return { 'paceline.state': 'returned' };
  const { state, reason, cost } = came.end;
  return {
    'paceline.state': came.kind === 'setback' ? 'setback' : state,
    ...(reason === null ? {} : { 'paceline.reason': reason }),
    ...(cost?.worker === undefined ? {} : { 'paceline.worker': cost.worker }),
  };
}

async function executed(
  manifest: RunManifest,
  recording: Recording,
  signal: AbortSignal,
  onChangeable: (change: ChangeLink) => void,
  context: RunnerContext,
): Promise<Attempt> {
  try {
    return await attempt(manifest, recording, signal, onChangeable, context);
  } catch (error) {
    const trouble = troubleOf(error);
    if (trouble !== null) return { kind: 'held', hold: trouble };
    context.log.error({ err: error, run: recording.run }, 'a run could not be made');
    return failedBefore(failureOf(error).reason);
  }
}

async function attempt(
  manifest: RunManifest,
  recording: Recording,
  signal: AbortSignal,
  onChangeable: (change: ChangeLink) => void,
  {
    tracesDir,
    qlogs,
    programLogs,
    bpf,
    external = [],
    engineVersion,
    simulators,
    ownEngines,
    program,
    samples = true,
    elsewhere: make = runNative,
    feed,
    log,
  }: RunnerContext,
): Promise<Attempt> {
  const installed = engineVersion();
  if (installed === null) return held({ cause: 'machine', reason: 'the native programs cannot be used' });
  const refusal = refuse(manifest, installed) ?? missingTrace(manifest, tracesDir);
  if (refusal !== null) return failedBefore(refusal);
  const link = { changed: false };
  const stored: { trouble: Error | null } = { trouble: null };
  const qlogFile = (flow: number): string => qlogs.file(recording.run, flow);
  if (manifest.qlog === true) await mkdir(dirname(qlogFile(0)), { recursive: true });
  const options: RunOptions = {
    tracesDir,
    bpf,
    external,
    ...(simulators && { simulators }),
    ...(ownEngines && { ownEngines }),
    ...(program && { program }),
    samples,
    signal,
    onChangeable,
    ...(manifest.qlog === true ? { qlogFile } : {}),
    logs: {
      folder: programLogs.folder(recording.run),
      lost: (error) => log.warn({ err: error, run: recording.run }, 'what its programs wrote could not be kept'),
    },
    onFrame: async (bytes, header, control) => {
      link.changed ||= control?.type === 'event' && control.event === 'link_change';
      try {
        const stores = recording.accept(bytes, header, control);
        feed.emit(recording.run, 'data');
        await stores;
      } catch (error) {
        stored.trouble = error instanceof Error ? error : new Error(String(error));
        throw error;
      }
    },
  };
  const outcome = await traced('make', { 'paceline.run': recording.run }, () => make(manifest, options));
  if (outcome === null) return { kind: 'returned' };
  try {
    // What it said is not all there: whatever became of the program, it was not what failed.
    if (stored.trouble !== null) throw stored.trouble;
    await traced('store', { 'paceline.run': recording.run }, () => recording.flush());
  } catch (error) {
    // Whoever stopped it does not want it made again.
    if (outcome.outcome !== 'cancelled') throw error;
    log.error({ err: error, run: recording.run }, 'a stopped run’s last samples could not be stored');
  }
  const { summary, reason, cause, stderrTail, elsewhere: { worker } = {} } = outcome;
  const cost = outcome.cost === null || worker === undefined ? outcome.cost : { ...outcome.cost, worker };
  const figures = { summary, cost, time_s: recording.time_s, stderr_tail: stderrTail === '' ? null : stderrTail };
  if (outcome.outcome === 'cancelled') return ended({ ...figures, state: 'cancelled', reason });
  if (outcome.outcome === 'failed' || summary === null) {
    const end = { ...figures, state: 'failed' as const, reason };
    if (cause === null || cause === 'own') return ended(end);
    const failure = { cause, reason: reason ?? '', ...(outcome.code === undefined ? {} : { code: outcome.code }) };
    return cause === 'machine' ? held(failure) : { kind: 'setback', cause, reason: failure.reason, end };
  }
  const reasons = [...(link.changed ? [LINK_CHANGED] : []), ...verdictOf(summary, manifest).reasons];
  const wall_s = outcome.elsewhere?.wall_s;
  if (reasons.length === 0)
    return { ...ended({ ...figures, state: 'done', reason: null }), ...(wall_s !== undefined && { wall_s }) };
  return ended({ ...figures, state: 'invalid', reason: reasons.join('; ') });
}

const ended = (end: RunEnd): Attempt => ({ kind: 'ended', end });

const failedBefore = (reason: string): Attempt =>
  ended({ stderr_tail: null, summary: null, cost: null, time_s: 0, state: 'failed', reason });

/** A program that could not be started: for want of something that the machine has too little of, or there is none. */
const held = ({ reason, code = '' }: Failure): Attempt => ({
  kind: 'held',
  hold: (/^E(MFILE|NFILE|NOMEM|AGAIN|NOSPC|DQUOT|ROFS)$/.test(code) ? troubleOfCode(code, reason) : null) ?? {
    cause: 'engine',
    reason,
    hint: SETUP,
  },
});

function refuse({ engine_version }: RunManifest, installed: string): string | null {
  if (engine_version === installed) return null;
  return `the engine is now ${installed}, the run was planned for ${engine_version}: run the experiment again`;
}

function missingTrace({ forward, reverse }: RunManifest, dir: string): string | null {
  const capacities = [forward, reverse].flatMap(({ capacity, path = [] }) => [
    capacity,
    ...path.map((element) => element.capacity),
  ]);
  for (const capacity of capacities) {
    if (capacity?.kind !== 'trace') continue;
    // Asked here and now: to wait for a thread's answer takes longer.
    if (statSync(join(dir, `${capacity.sha256}.trace`), { throwIfNoEntry: false }) === undefined)
      return `the trace ${capacity.name} is no longer in the data folder: upload it again`;
  }
  return null;
}
