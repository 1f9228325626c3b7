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

/** A stream's chunks, each asked for by itself: several readers may take turns. */
export class Chunks {
  readonly #stream: Readable;
  readonly #chunks: AsyncIterator<Uint8Array>;

  constructor(stream: Readable) {
    this.#stream = stream;
    this.#chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  }

  /** Something has come that nobody has asked for. */
  get pending(): boolean {
    return this.#stream.readableLength > 0 || this.#stream.readableEnded;
  }

  /** Null at the end. Throws when nothing comes for `hangMs` although we are ready to read. */
  async next(label: string, hangMs: number): Promise<Uint8Array | null> {
    const timer = setTimeout(() => {
      this.#stream.destroy(new Silence(`${label} has said nothing for ${hangMs / 1000} s and was stopped`));
    }, hangMs);
    try {
      const next = await this.#chunks.next();
      return next.done === true ? null : next.value;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Nobody will read the rest; an unread pipe would never close. */
  destroy(): void {
    this.#stream.destroy();
  }
}

/**
 * Reads telemetry to its end. The next chunk is read only when the sink has taken the last one, so a slow sink pauses the writer and
 * nothing piles up here.
 */
export async function readTelemetry(stream: Readable, label: string, hangMs: number, sink: FrameSink): Promise<Told> {
  const chunks = new Chunks(stream);
  try {
    return await readRun(chunks, label, hangMs, sink, false);
  } finally {
    chunks.destroy();
  }
}

/** Reads one run's telemetry; `another`: more runs follow its last frame, and what comes after it is theirs. */
export async function readRun(
  chunks: Chunks,
  label: string,
  hangMs: number,
  sink: FrameSink,
  another: boolean,
): Promise<Told> {
  const decoder = new FrameDecoder();
  const rules = new TelemetryRules();
  let failure: Failure | null = null;
  const outcome = (cut: boolean): Told => ({ failure, failed, cut, hello: rules.hello });
  let failed = false;
  try {
    for (;;) {
      if (another && rules.ended && !failed) return outcome(false);
      const chunk = await chunks.next(label, hangMs);
      if (chunk === null) break;
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
  return ending(group, label, await readTelemetry(group.stdout, label, hangMs, sink));
}

/** How a child has ended that has nothing more to tell. */
export async function ending(group: ProcessGroup, label: string, told: Told): Promise<Watched> {
  if (told.cut) await group.stop().catch(() => undefined);
  const exit = await lastWords(group);
  // How it ended tells more than that its telemetry was not whole.
  const said = told.cut || told.failed ? told.failure : null;
  const failure = said ?? exitFailure(label, exit, group) ?? told.failure;
  return { failure, exit, hello: told.hello };
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
