import { ProcessGroup } from './group.ts';
import { programPath, type Program } from './programs.ts';

const DEFAULT_TIMEOUT_MS = 60_000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

export interface OneShot {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A native program that failed for a reason of its own (exit code other than 0 and 2) or did not end in time. */
export class ProgramFailed extends Error {
  override readonly name = 'ProgramFailed';
}

/** Runs a native program to its end and gives back what it printed. Exit codes 0 and 2 are answers; anything else throws. */
export async function oneShot(
  program: Program,
  args: readonly string[],
  {
    timeoutMs = DEFAULT_TIMEOUT_MS,
    signal,
    input = '',
  }: { readonly timeoutMs?: number; readonly signal?: AbortSignal; readonly input?: string } = {},
): Promise<OneShot> {
  if (signal?.aborted === true) throw new ProgramFailed(`${program} was stopped`);
  const group = new ProcessGroup(programPath(program), args);
  group.stdin.end(input);
  const stopped: { because: string | null } = { because: null };
  const stop = (reason: string) => (): void => {
    stopped.because ??= reason;
    void group.stop().catch(() => undefined);
  };
  const timer = setTimeout(stop(`did not end within ${timeoutMs / 1000} s`), timeoutMs);
  const aborted = stop('was stopped');
  signal?.addEventListener('abort', aborted, { once: true });
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  group.stdout.on('data', (chunk: Uint8Array) => {
    bytes += chunk.byteLength;
    if (bytes > MAX_OUTPUT_BYTES) stop('printed more than it should')();
    else chunks.push(chunk);
  });
  try {
    const { code, signal: ender } = await group.exit;
    const stderr = group.stderrTail;
    if (stopped.because !== null) throw new ProgramFailed(`${program} ${stopped.because}`);
    if (code !== 0 && code !== 2)
      throw new ProgramFailed(
        `${program} ${ender === null ? `ended with exit code ${code ?? '?'}` : `was ended by ${ender}`}: ${stderr}`,
      );
    return { code, stdout: Buffer.concat(chunks).toString('utf8'), stderr };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', aborted);
  }
}
