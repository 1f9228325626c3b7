// The engine in virtual time as WebAssembly: for Node and for workers of the page alike, so it takes nothing of either.
import { ControlFrame, figuresOf } from '#protocol/control';
import { FRAME_HEADER_BYTES, FRAME_KIND_CONTROL, readFrameHeader, type FrameHeader } from '#protocol/frames';
import { Sha256, type RunManifest } from '#protocol/manifest';
import type { OwnDescription, SourcePlace } from '#protocol/own-algorithm';
import type { RunSummary } from '#protocol/summary';
import { EngineRefused, Instance } from './instance.ts';
import { OwnAlgorithms } from './own-algorithms.ts';
import { OwnFailed } from './own/fault.ts';
import type { OwnFlows } from './own/flows.ts';

/** What the manifest names by hash: the text of stored traces (docs/traces.md) and of weights files. */
export interface Shelf {
  readonly traces?: ReadonlyMap<string, Uint8Array>;
  readonly weights?: ReadonlyMap<string, Uint8Array>;
  /** Texts of own algorithms (docs/own-algorithms.md). */
  readonly programs?: ReadonlyMap<string, Uint8Array>;
}

export interface EngineOptions {
  /** False: nobody will look at the samples. All else is told as ever. */
  readonly samples?: boolean;
  /** Aborting it ends the run before the next slice. */
  readonly signal?: AbortSignal;
  /** Every frame in order, its own bytes. */
  readonly onFrame?: (bytes: Uint8Array, header: FrameHeader, control: ControlFrame | null) => void;
  readonly onProgress?: (timeS: number, durationS: number) => void;
}

/** As the bridge gives it back, but that no process stood behind it. */
export interface EngineOutcome {
  readonly outcome: 'done' | 'failed' | 'cancelled';
  /** Why it is not done, in one sentence. */
  readonly reason: string | null;
  /** Of a failure: `own` if the engine said so itself, `crashed` if it was ended as a program is by a signal. */
  readonly cause: 'own' | 'crashed' | null;
  readonly summary: RunSummary | null;
  /** Where in the text of an own algorithm it failed. */
  readonly at?: SourcePlace | null;
}

export interface Engine {
  readonly version: string;
  /** One run at a time. Never rejects for what is wrong with a run; whatever went wrong, the next one finds a sound engine. */
  run(manifest: RunManifest, shelf: Shelf, options?: EngineOptions): Promise<EngineOutcome>;
  /** What the text of an own algorithm says of itself, or what is wrong with it. */
  describe(text: string): Promise<OwnDescription>;
}

/** A slice takes some 20 ms: so long a host waits before it can do anything else. */
const EVENTS_IN_A_SLICE = 100_000;
/** Of traces and weights as text; an instance that has been given more is emptied before the next run. */
const KEPT_BYTES = 64 * 1024 * 1024;

/**
 * `interpreter`: brings the module of `@jitl/quickjs-wasmfile-release-sync/wasm`, once, when the first own algorithm comes. Without it
 * there are none.
 */
export async function createEngine(
  source: Uint8Array<ArrayBuffer> | WebAssembly.Module,
  interpreter?: () => Promise<WebAssembly.Module>,
): Promise<Engine> {
  const module = source instanceof WebAssembly.Module ? source : await WebAssembly.compile(source);
  return new OneInstance(module, interpreter === undefined ? null : new OwnAlgorithms(interpreter));
}

function* framesOf(bytes: Uint8Array): Generator<{ readonly frame: Uint8Array; readonly header: FrameHeader }> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < bytes.byteLength;) {
    const header = readFrameHeader(view, at);
    const end = at + FRAME_HEADER_BYTES + header.payloadBytes;
    yield { frame: bytes.subarray(at, end), header };
    at = end;
  }
}

const controlOf = (frame: Uint8Array): ControlFrame =>
  ControlFrame.parse(JSON.parse(new TextDecoder().decode(frame.subarray(FRAME_HEADER_BYTES))));

/** Lets whoever runs the engine do what else is waiting: a task of its own, and sooner than a timer's. */
class Pause {
  readonly #channel = new MessageChannel();
  #go: () => void = () => undefined;

  constructor() {
    this.#channel.port1.onmessage = () => {
      this.#go();
    };
  }

  async take(): Promise<void> {
    return new Promise((resolve) => {
      this.#go = resolve;
      this.#channel.port2.postMessage(null);
    });
  }

  end(): void {
    this.#channel.port1.close();
  }
}

/** What an own algorithm's declaration counts for among the texts that are kept: hundreds of drafts are let go of, too. */
const OWN_BYTES = 256 * 1024;
const NO_INTERPRETER = 'This engine has no interpreter for own algorithms.';

const NOTHING: EngineOutcome = { outcome: 'cancelled', reason: null, cause: null, summary: null };
export const CANCELLED: EngineOutcome = { ...NOTHING, reason: 'The run was cancelled.' };

const FAILED = { ...NOTHING, outcome: 'failed' } as const;

/** It said so itself, or somebody did who watched it. */
export const failed = (reason: string): EngineOutcome => ({ ...FAILED, reason, cause: 'own' });

/** Ended by what nobody foresaw. */
export const crashed = (error: unknown): EngineOutcome => ({
  ...FAILED,
  reason: `The engine stopped: ${error instanceof Error ? error.message : String(error)}.`,
  cause: 'crashed',
});

function failure(error: unknown): EngineOutcome {
  if (error instanceof EngineRefused) return failed(error.message);
  if (error instanceof OwnFailed) return { ...failed(error.message), at: error.at };
  if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) return crashed(error);
  throw error;
}

class OneInstance implements Engine {
  readonly version: string;
  readonly #module: WebAssembly.Module;
  readonly #own: OwnAlgorithms | null;
  #instance: Instance | null;
  readonly #kept = new Set<string>();
  #keptBytes = 0;
  #busy = false;

  constructor(module: WebAssembly.Module, own: OwnAlgorithms | null) {
    this.#module = module;
    this.#own = own;
    this.#instance = new Instance(module);
    this.version = this.#instance.version;
  }

  async describe(text: string): Promise<OwnDescription> {
    if (this.#own === null) throw new Error(NO_INTERPRETER);
    return this.#own.describe(text);
  }

  async run(manifest: RunManifest, shelf: Shelf, options: EngineOptions = {}): Promise<EngineOutcome> {
    if (this.#busy) throw new Error('This engine makes one run at a time.');
    if (options.signal?.aborted === true) return CANCELLED;
    this.#busy = true;
    const pause = new Pause();
    try {
      return await this.#go(manifest, shelf, options, pause);
    } catch (error) {
      // Nothing in it was put in order: it is left as it is, and the next run has a new one.
      this.#instance = null;
      this.#forgotten();
      return failure(error);
    } finally {
      pause.end();
      this.#busy = false;
    }
  }

  async #go(manifest: RunManifest, shelf: Shelf, options: EngineOptions, pause: Pause): Promise<EngineOutcome> {
    const instance = (this.#instance ??= new Instance(this.#module));
    this.#handIn(instance, shelf);
    const flows = await this.#flowsOf(instance, shelf.programs ?? new Map());
    try {
      return await this.#advance(instance, manifest, options, pause);
    } finally {
      instance.flows = null;
      flows?.dispose();
    }
  }

  async #advance(
    instance: Instance,
    manifest: RunManifest,
    options: EngineOptions,
    pause: Pause,
  ): Promise<EngineOutcome> {
    const told: { summary: RunSummary | null } = { summary: null };
    instance.begin(JSON.stringify(manifest), options.samples !== false, (bytes) => {
      for (const { frame, header } of framesOf(bytes)) {
        const control = header.kind === FRAME_KIND_CONTROL ? controlOf(frame) : null;
        options.onFrame?.(frame, header, control);
        if (control?.type === 'progress') options.onProgress?.(control.time_s, manifest.duration_s);
        if (control?.type === 'summary') told.summary = figuresOf(control);
      }
    });
    while (instance.advance(EVENTS_IN_A_SLICE)) {
      await pause.take();
      if (options.signal?.aborted !== true) continue;
      instance.cancel();
      return CANCELLED;
    }
    return { ...NOTHING, outcome: 'done', summary: told.summary };
  }

  /** Whoever runs own algorithms has the engine know them, too. */
  async #flowsOf(instance: Instance, programs: ReadonlyMap<string, Uint8Array>): Promise<OwnFlows | null> {
    if (programs.size === 0) return null;
    if (this.#own === null) throw new EngineRefused(NO_INTERPRETER, 1);
    const flows = await this.#own.flows(programs);
    for (const [id, declaration] of flows.declarations()) {
      if (this.#kept.has(id)) continue;
      instance.own(declaration);
      this.#kept.add(id);
      this.#keptBytes += OWN_BYTES;
    }
    instance.flows = flows;
    return flows;
  }

  #handIn(instance: Instance, { traces = new Map(), weights = new Map() }: Shelf): void {
    if (this.#keptBytes > KEPT_BYTES) {
      instance.forget();
      this.#forgotten();
    }
    for (const [put, texts] of [
      [(hash: string, text: Uint8Array) => instance.trace(hash, text), traces],
      [(hash: string, text: Uint8Array) => instance.weights(hash, text), weights],
    ] as const)
      for (const [sha256, text] of texts) {
        if (this.#kept.has(sha256)) continue;
        put(Sha256.parse(sha256), text);
        this.#kept.add(sha256);
        this.#keptBytes += text.byteLength;
      }
  }

  #forgotten(): void {
    this.#kept.clear();
    this.#keptBytes = 0;
  }
}
