import { access, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Logger } from 'pino';
import type { RunManifest } from '#protocol/manifest';
import { verdictOf } from '#analysis/validity';
import type { BpfObject } from '#bridge/bpf';
import type { ExternalProgram } from '#bridge/external';
import { run as runNative, type ChangeLink } from '#bridge/run';
import { AppError } from '../errors.ts';
import type { RunEnd } from '../store/runs.ts';
import type { RunFeed } from './feed.ts';
import type { QlogFolder } from './qlogs.ts';
import type { Recording } from './recording.ts';

export interface RunnerContext {
  readonly tracesDir: string;
  readonly qlogs: QlogFolder;
  readonly bpf: readonly BpfObject[];
  readonly external?: readonly ExternalProgram[];
  /** Version of the native programs; runs of another version are not theirs to make. */
  readonly engineVersion: () => string | null;
  readonly feed: RunFeed;
  readonly log: Logger;
}

/** It is a measurement of something else than its cell: worth a look, but no repetition of the others. */
const LINK_CHANGED = 'the link was changed by hand while it ran';

/** Runs one manifest to its end, recording what it says. Never rejects: whatever happens is how the run ended. */
export async function execute(
  manifest: RunManifest,
  recording: Recording,
  signal: AbortSignal,
  onChangeable: (change: ChangeLink) => void,
  { tracesDir, qlogs, bpf, external = [], engineVersion, feed, log }: RunnerContext,
): Promise<RunEnd> {
  const nothing = { stderr_tail: null, summary: null, cost: null, time_s: 0 };
  const refusal = refuse(manifest, engineVersion()) ?? (await missingTrace(manifest, tracesDir));
  if (refusal !== null) return { ...nothing, state: 'failed', reason: refusal };
  const link = { changed: false };
  const qlogFile = (flow: number): string => qlogs.file(recording.run, flow);
  if (manifest.qlog === true) await mkdir(dirname(qlogFile(0)), { recursive: true });
  const outcome = await runNative(manifest, {
    tracesDir,
    bpf,
    external,
    signal,
    onChangeable,
    ...(manifest.qlog === true ? { qlogFile } : {}),
    onFrame: (bytes, header, control) => {
      link.changed ||= control?.type === 'event' && control.event === 'link_change';
      recording.accept(bytes, header, control);
      feed.emit(recording.run, 'data');
    },
  });
  const { summary, cost, reason, stderrTail } = outcome;
  const figures = { summary, cost, time_s: recording.time_s, stderr_tail: stderrTail === '' ? null : stderrTail };
  try {
    recording.flush();
  } catch (error) {
    log.error({ err: error, run: recording.run }, 'a run’s last samples could not be stored');
    const detail =
      error instanceof AppError ? error.message : `the run’s samples could not be stored: ${String(error)}`;
    return { ...figures, state: 'failed', reason: reason ?? detail };
  }
  if (outcome.outcome !== 'done' || summary === null)
    return { ...figures, state: outcome.outcome === 'cancelled' ? 'cancelled' : 'failed', reason };
  const reasons = [...(link.changed ? [LINK_CHANGED] : []), ...verdictOf(summary, manifest).reasons];
  if (reasons.length === 0) return { ...figures, state: 'done', reason: null };
  return { ...figures, state: 'invalid', reason: reasons.join('; ') };
}

function refuse({ engine_version }: RunManifest, installed: string | null): string | null {
  if (installed === null) return 'the native programs cannot be used; see the doctor page';
  if (engine_version === installed) return null;
  return `the engine is now ${installed}, the run was planned for ${engine_version}: run the experiment again`;
}

async function missingTrace({ forward, reverse }: RunManifest, dir: string): Promise<string | null> {
  for (const { capacity } of [forward, reverse]) {
    if (capacity.kind !== 'trace') continue;
    try {
      await access(join(dir, `${capacity.sha256}.trace`));
    } catch {
      return `the trace ${capacity.name} is no longer in the data folder: upload it again`;
    }
  }
  return null;
}
