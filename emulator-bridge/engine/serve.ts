// The far side of pool.ts: an engine behind a port, in a worker.
import { crashed, createEngine, type Engine } from './engine.ts';
import type { Answer, Kind, Port, Question } from './messages.ts';

/** Answers what a pool asks; the module comes first, and one run after the other. */
export function serveEngine(port: Port): void {
  const texts: Readonly<Record<Kind, Map<string, Uint8Array>>> = { traces: new Map(), weights: new Map() };
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
    const shelf = { traces: chosen('traces'), weights: chosen('weights') };
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

  port.onmessage = ({ data }: MessageEvent) => {
    const question = data as Question;
    if (question.kind === 'module') engine = createEngine(question.module);
    else if (question.kind === 'keep') texts[question.what].set(question.sha256, question.text);
    else if (question.kind === 'run')
      run(question).catch((error: unknown) => {
        say({ kind: 'over', outcome: crashed(error) });
      });
    else stop?.abort();
  };
}
