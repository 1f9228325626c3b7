import type { ControlFrame, Hello } from '#protocol/control';
import { FrameDecoder, type Frame } from './frame-decoder.ts';
import type { Exit, ProcessGroup } from './group.ts';
import { TelemetryRules } from './telemetry-rules.ts';

export type FrameSink = (frame: Frame, control: ControlFrame | null) => void | Promise<void>;

export interface Watched {
  /** Why the child failed, in one sentence; null when it kept every rule to the end. */
  readonly failure: string | null;
  readonly exit: Exit;
  readonly hello: Hello | null;
}

/**
 * Reads a child's telemetry to its end. The next chunk is read only when the sink has taken the last one, so a slow sink pauses the
 * child and nothing piles up here. A child that breaks the rules, says nothing for `hangMs` or makes the sink fail is stopped.
 */
export async function watch(group: ProcessGroup, label: string, hangMs: number, sink: FrameSink): Promise<Watched> {
  const decoder = new FrameDecoder();
  const rules = new TelemetryRules();
  let failure: string | null = null;
  try {
    for await (const chunk of chunksOf(group, label, hangMs)) {
      for (const frame of decoder.push(chunk)) {
        const control = rules.check(frame);
        if (control?.type === 'error') failure ??= explain(control);
        await sink(frame, control);
      }
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const rubbish = error instanceof Error && error.name === 'FrameError';
    failure ??= rubbish ? `${label} printed something that is not telemetry: ${message}` : message;
    await group.stop().catch(() => undefined);
  }
  const exit = await lastWords(group);
  failure ??= exitFailure(label, exit, group.stderrTail);
  if (failure === null && decoder.pendingBytes > 0) failure = `${label} ended in the middle of a frame`;
  if (failure === null && !rules.ended) failure = `${label} ended without its last frame`;
  return { failure, exit, hello: rules.hello };
}

/** The child's stdout, chunk by chunk; throws when nothing comes for `hangMs` although we are ready to read. */
async function* chunksOf(group: ProcessGroup, label: string, hangMs: number): AsyncGenerator<Uint8Array> {
  const chunks = group.stdout[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  try {
    for (;;) {
      const timer = setTimeout(() => {
        group.stdout.destroy(new Error(`${label} has said nothing for ${hangMs / 1000} s and was stopped`));
      }, hangMs);
      const next = await chunks.next().finally(() => {
        clearTimeout(timer);
      });
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    // Nobody will read the rest; an unread pipe would never close.
    group.stdout.destroy();
  }
}

/** A child that closes its stdout is expected to go; one that stays is stopped. */
async function lastWords(group: ProcessGroup): Promise<Exit> {
  const timer = setTimeout(() => void group.stop(), 5000);
  try {
    return await group.exit;
  } finally {
    clearTimeout(timer);
  }
}

function explain({ message, where }: { readonly message: string; readonly where?: string | undefined }): string {
  return where === undefined || where === '' ? message : `${where}: ${message}`;
}

function exitFailure(label: string, { code, signal }: Exit, stderr: string): string | null {
  if (code === 0) return null;
  const how = signal === null ? `ended with exit code ${code ?? '?'}` : `was ended by ${signal}`;
  const last = stderr.split('\n').at(-1) ?? '';
  return `${label} ${how}${last === '' ? '' : `: ${last}`}`;
}
