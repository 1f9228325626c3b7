import type { Readable } from 'node:stream';
import type { ControlFrame, Hello } from '#protocol/control';
import { causeOfReport, causeOfSignal, failureOf, own, type Failure } from './failure.ts';
import { FrameDecoder, type Frame } from './frame-decoder.ts';
import type { Exit, ProcessGroup } from './group.ts';
import { TelemetryRules } from './telemetry-rules.ts';

export type FrameSink = (frame: Frame, control: ControlFrame | null) => void | Promise<void>;

export interface Watched {
  /** Why the child failed; null when it kept every rule to the end. */
  readonly failure: Failure | null;
  readonly exit: Exit;
  readonly hello: Hello | null;
}

/** What a stream of telemetry came to. */
export interface Told {
  /** Why it is not whole. */
  readonly failure: Failure | null;
  /** It said itself that it failed. */
  readonly failed: boolean;
  /** It was we who stopped reading: what it said broke the rules, or nothing came, or the sink failed. */
  readonly cut: boolean;
  readonly hello: Hello | null;
}

class Silence extends Error {}

/**
 * Reads telemetry to its end. The next chunk is read only when the sink has taken the last one, so a slow sink pauses the writer and
 * nothing piles up here.
 */
export async function readTelemetry(stream: Readable, label: string, hangMs: number, sink: FrameSink): Promise<Told> {
  const decoder = new FrameDecoder();
  const rules = new TelemetryRules();
  let failure: Failure | null = null;
  const outcome = (cut: boolean): Told => ({ failure, failed, cut, hello: rules.hello });
  let failed = false;
  try {
    for await (const chunk of chunksOf(stream, label, hangMs)) {
      for (const frame of decoder.push(chunk)) {
        const control = rules.check(frame);
        if (control?.type === 'error') {
          failure ??= { cause: causeOfReport(control.message), reason: explain(control) };
          failed = true;
        }
        await sink(frame, control);
      }
    }
  } catch (error) {
    const { cause, reason } = failureOf(error);
    const rubbish = error instanceof Error && error.name === 'FrameError';
    if (error instanceof Silence) failure ??= { cause: 'hung', reason };
    else failure ??= rubbish ? own(`${label} printed something that is not telemetry: ${reason}`) : { cause, reason };
    return outcome(true);
  }
  if (failure === null && decoder.pendingBytes > 0) failure = own(`${label} ended in the middle of a frame`);
  if (failure === null && !rules.ended) failure = own(`${label} ended without its last frame`);
  return outcome(false);
}

/** Reads a child's telemetry to its end. A child that breaks the rules, says nothing for `hangMs` or makes the sink fail is stopped. */
export async function watch(group: ProcessGroup, label: string, hangMs: number, sink: FrameSink): Promise<Watched> {
  const told = await readTelemetry(group.stdout, label, hangMs, sink);
  if (told.cut) await group.stop().catch(() => undefined);
  const exit = await lastWords(group);
  // How it ended tells more than that its telemetry was not whole.
  const said = told.cut || told.failed ? told.failure : null;
  const failure = said ?? exitFailure(label, exit, group) ?? told.failure;
  return { failure, exit, hello: told.hello };
}

/** Chunk by chunk; throws when nothing comes for `hangMs` although we are ready to read. */
async function* chunksOf(stream: Readable, label: string, hangMs: number): AsyncGenerator<Uint8Array> {
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  try {
    for (;;) {
      const timer = setTimeout(() => {
        stream.destroy(new Silence(`${label} has said nothing for ${hangMs / 1000} s and was stopped`));
      }, hangMs);
      const next = await chunks.next().finally(() => {
        clearTimeout(timer);
      });
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    // Nobody will read the rest; an unread pipe would never close.
    stream.destroy();
  }
}

/** A child that closes its stdout is expected to go; one that stays is stopped. */
async function lastWords(group: ProcessGroup): Promise<Exit> {
  const timer = setTimeout(() => void group.stop().catch(() => undefined), 5000);
  try {
    return await group.exit;
  } finally {
    clearTimeout(timer);
  }
}

function explain({ message, where }: { readonly message: string; readonly where?: string | undefined }): string {
  return where === undefined || where === '' ? message : `${where}: ${message}`;
}

function exitFailure(label: string, { code, signal }: Exit, { stderrTail, ended }: ProcessGroup): Failure | null {
  if (code === 0) return null;
  const how = signal === null ? `ended with exit code ${code ?? '?'}` : `was ended by ${signal}`;
  const last = stderrTail.split('\n').at(-1) ?? '';
  const cause = signal === null || ended.has(signal) ? 'own' : causeOfSignal(signal);
  return { cause, reason: `${label} ${how}${last === '' ? '' : `: ${last}`}` };
}
