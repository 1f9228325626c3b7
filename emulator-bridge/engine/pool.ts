// Several engines in workers, for a page: a run goes to one that rests, or waits for the first that does.
import type { RunManifest } from '#protocol/manifest';
import type { OwnDescription } from '#protocol/own-algorithm';
import { CANCELLED, crashed, failed, type EngineOptions, type EngineOutcome, type Shelf } from './engine.ts';
import type { Answer, Kind, Port, Question } from './messages.ts';

export interface PoolOptions {
  readonly module: WebAssembly.Module;
  /** Starts a worker whose inside is serveEngine(). */
  readonly open: () => Port;
  /** At most so many workers; each is started when it is first needed. */
  readonly size: number;
  /** Absent: whoever opens workers ends those that are held up. */
  readonly patience?: Patience;
}

/**
 * With a worker that interprets an own algorithm, which steps that each take long can hold up although they are counted (sorting an
 * array of everything); then it hears of nothing any more. It is ended, and another opened when one is needed.
 */
export interface Patience {
  /** It says nothing for so long. */
  readonly silentMs: number;
  /** It was told to give up, and does not for so long. */
  readonly cancelledMs: number;
}

export interface EnginePool {
  /** As the engine's own; as many at a time as there are workers, the others in the order in which they came. */
  run(manifest: RunManifest, shelf: Shelf, options?: EngineOptions): Promise<EngineOutcome>;
  /** What the text of an own algorithm says of itself, or what is wrong with it. Rejects where there is no interpreter. */
  describe(text: string): Promise<OwnDescription>;
}

interface Worker {
  readonly port: Port;
  /** What it was given: texts travel once. */
  readonly kept: Set<string>;
  broken: boolean;
}

const KINDS: readonly Kind[] = ['traces', 'weights', 'programs'];

export function createPool({ module, open, size, patience }: PoolOptions): EnginePool {
  const resting: Worker[] = [];
  const waiting: ((worker: Worker) => void)[] = [];
  let opened = 0;

  const opening = (): Worker => {
    opened += 1;
    const worker = { port: open(), kept: new Set<string>(), broken: false };
    ask(worker, { kind: 'module', module });
    return worker;
  };
  const free = async (signal?: AbortSignal): Promise<Worker | null> => {
    const found = resting.pop() ?? (opened < size ? opening() : undefined);
    if (found !== undefined) return found;
    return new Promise((resolve) => {
      const given = (worker: Worker): void => {
        signal?.removeEventListener('abort', left);
        resolve(worker);
      };
      const left = (): void => {
        waiting.splice(waiting.indexOf(given), 1);
        resolve(null);
      };
      waiting.push(given);
      signal?.addEventListener('abort', left, { once: true });
    });
  };
  const release = (used: Worker): void => {
    if (used.broken) opened -= 1;
    const next = waiting.shift();
    if (used.broken && next === undefined) return;
    const worker = used.broken ? opening() : used;
    if (next === undefined) resting.push(worker);
    else next(worker);
  };

  return {
    async run(manifest, shelf, options = {}) {
      if (options.signal?.aborted === true) return CANCELLED;
      const worker = await free(options.signal);
      if (worker === null) return CANCELLED;
      try {
        return await made(worker, manifest, shelf, options, (shelf.programs?.size ?? 0) > 0 ? patience : undefined);
      } finally {
        release(worker);
      }
    },
    async describe(text) {
      const worker = await free();
      if (worker === null) throw new Error('nobody gave it up');
      try {
        return await described(worker, text, patience);
      } finally {
        release(worker);
      }
    },
  };
}

/** Ends the worker when nothing is heard of it for so long; null: no more. */
type Watch = (ms: number | null) => void;

function watch(worker: Worker, ended: () => void): Watch {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (ms) => {
    clearTimeout(timer);
    if (ms === null) return;
    timer = setTimeout(() => {
      worker.broken = true;
      worker.port.terminate?.();
      ended();
    }, ms);
  };
}

const heldUp = ({ silentMs }: Patience): EngineOutcome =>
  failed(
    `The own algorithm kept the engine busy for ${seconds(silentMs)} without a word, and was ended: it takes too long.`,
  );

const seconds = (ms: number): string => `${ms / 1000} s`;

async function described(worker: Worker, text: string, patience: Patience | undefined): Promise<OwnDescription> {
  let late: Watch = () => undefined;
  try {
    return await new Promise((resolve, reject) => {
      if (patience !== undefined) {
        const { silentMs } = patience;
        const message = `it was not read within ${seconds(silentMs)}: does a loop end?`;
        late = watch(worker, () => resolve({ ok: false, problem: { message, at: null } }));
        late(silentMs);
      }
      worker.port.onerror = ({ message }) => {
        worker.broken = true;
        reject(new Error(message));
      };
      worker.port.onmessage = ({ data }: MessageEvent) => {
        const answer = data as Answer;
        if (answer.kind === 'described') resolve(answer.description);
        else reject(new Error(answer.kind === 'error' ? answer.message : `a worker said ${answer.kind}`));
      };
      ask(worker, { kind: 'describe', text });
    });
  } finally {
    late(null);
  }
}

function ask(worker: Worker, question: Question): void {
  worker.port.postMessage(question);
}

async function made(
  worker: Worker,
  manifest: RunManifest,
  shelf: Shelf,
  { signal, samples = true, onFrame, onProgress }: EngineOptions,
  patience: Patience | undefined,
): Promise<EngineOutcome> {
  for (const what of KINDS)
    for (const [sha256, text] of shelf[what] ?? [])
      if (!worker.kept.has(sha256)) {
        ask(worker, { kind: 'keep', what, sha256, text });
        worker.kept.add(sha256);
      }
  // Nobody heard it while the worker was being found.
  if (signal?.aborted === true) return CANCELLED;
  let late: Watch = () => undefined;
  const cancel = (): void => {
    ask(worker, { kind: 'cancel' });
    if (patience !== undefined) late(patience.cancelledMs);
  };
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    return await new Promise((resolve) => {
      if (patience !== undefined) {
        late = watch(worker, () => resolve(signal?.aborted === true ? CANCELLED : heldUp(patience)));
        late(patience.silentMs);
      }
      worker.port.onerror = ({ message }) => {
        worker.broken = true;
        resolve(crashed(message));
      };
      worker.port.onmessage = ({ data }: MessageEvent) => {
        const answer = data as Answer;
        if (patience !== undefined && signal?.aborted !== true) late(patience.silentMs);
        if (answer.kind === 'over') resolve(answer.outcome);
        else if (answer.kind === 'progress') onProgress?.(answer.timeS, answer.durationS);
        else if (answer.kind === 'frame') onFrame?.(answer.bytes, answer.header, answer.control);
      };
      const keys = (what: Kind): string[] => [...(shelf[what]?.keys() ?? [])];
      const named = { traces: keys('traces'), weights: keys('weights'), programs: keys('programs') };
      ask(worker, { kind: 'run', manifest, named, samples });
    });
  } finally {
    late(null);
    signal?.removeEventListener('abort', cancel);
  }
}
