// The far side of pool.ts: an engine behind a port, in a worker.
import { crashed, createEngine, type Engine } from './engine.ts';
import type { Answer, Kind, Port, Question } from './messages.ts';

/** Answers what a pool asks; the module comes first, and one run after the other. `interpreter`: as createEngine's. */
export function serveEngine(port: Port, interpreter?: () => Promise<WebAssembly.Module>): void {
  const texts: Readonly<Record<Kind, Map<string, Uint8Array>>> = {
    traces: new Map(),
    weights: new Map(),
    programs: new Map(),
  };
  const say = (answer: Answer): void => {
    port.postMessage(answer);
  };
  let engine: Promise<Engine> | null = null;
  let stop: AbortController | null = null;

  const run = async (question: Question & { readonly kind: 'run' }): Promise<void> => {
    if (engine === null) throw new Error('A run was asked for before the engine came.');
    const chosen = (what: Kind): ReadonlyMap<string, Uint8Array> =>
      new Map([...texts[what]].filter(([sha256]) => question.named[what].includes(sha256)));
    stop = new AbortController();
    const { signal } = stop;
    const shelf = { traces: chosen('traces'), weights: chosen('weights'), programs: chosen('programs') };
    const outcome = await (
      await engine
    ).run(question.manifest, shelf, {
      samples: question.samples,
      signal,
      onFrame: (bytes, header, control) => {
        say({ kind: 'frame', bytes, header, control });
      },
      onProgress: (timeS, durationS) => {
        say({ kind: 'progress', timeS, durationS });
      },
    });
    say({ kind: 'over', outcome });
  };

  const describe = async (text: string): Promise<void> => {
    if (engine === null) throw new Error('A text was to be read before the engine came.');
    say({ kind: 'described', description: await (await engine).describe(text) });
  };

  port.onmessage = ({ data }: MessageEvent) => {
    const question = data as Question;
    if (question.kind === 'module') engine = createEngine(question.module, interpreter);
    else if (question.kind === 'keep') texts[question.what].set(question.sha256, question.text);
    else if (question.kind === 'run')
      run(question).catch((error: unknown) => {
        say({ kind: 'over', outcome: crashed(error) });
      });
    else if (question.kind === 'describe')
      describe(question.text).catch((error: unknown) => {
        say({ kind: 'error', message: error instanceof Error ? error.message : String(error) });
      });
    else stop?.abort();
  };
}
