// One instance of the engine's module: its memory, and the calls of native/drivers/wasm/engine.cc in terms of text and bytes.
import type { OwnFlows } from './own/flows.ts';
import { LAYOUTS } from './own/layout.ts';

interface Exports {
  readonly memory: WebAssembly.Memory;
  readonly _initialize: () => void;
  readonly alloc: (size: number) => number;
  readonly free: (pointer: number) => void;
  readonly version: () => number;
  readonly trace: (sha256: number, text: number, size: number) => void;
  readonly weights: (sha256: number, text: number, size: number) => void;
  readonly own: (declaration: number, size: number) => void;
  readonly own_layouts: (layouts: number, size: number) => void;
  readonly forget: () => void;
  readonly begin: (manifest: number, size: number, withSamples: number) => void;
  readonly advance: (events: number) => number;
  readonly cancel: () => void;
}

/** WASI's ENOTSUP. */
const NOT_SUPPORTED = 58;

/** The engine said what is wrong. Its instance is of no more use. */
export class EngineRefused extends Error {
  override readonly name = 'EngineRefused';
  /** What the program would have exited with: 2 for bad input, 127 for an unknown algorithm or discipline, 1 for all else. */
  readonly exitCode: number;

  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

export class Instance {
  readonly #exports: Exports;
  #numbers = new Float64Array();
  #layouts = false;
  #flows: OwnFlows | null = null;
  #take: (bytes: Uint8Array) => void = () => undefined;

  constructor(module: WebAssembly.Module) {
    // The C library would close, seek and write files; there are none.
    const none = (): number => NOT_SUPPORTED;
    const { exports } = new WebAssembly.Instance(module, {
      wasi_snapshot_preview1: { fd_close: none, fd_seek: none, fd_write: none },
      paceline: {
        write: (pointer: number, size: number) => {
          this.#take(this.#bytes(pointer, size).slice());
        },
        fail: (pointer: number, size: number, exitCode: number) => {
          throw new EngineRefused(new TextDecoder().decode(this.#bytes(pointer, size)), exitCode);
        },
        ...this.#ownFlows(),
      },
    });
    this.#exports = exports as unknown as Exports;
    this.#exports._initialize();
  }

  get version(): string {
    const bytes = new Uint8Array(this.#exports.memory.buffer, this.#exports.version());
    return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
  }

  trace(sha256: string, text: Uint8Array): void {
    this.#handIn(this.#exports.trace, sha256, text);
  }

  weights(sha256: string, text: Uint8Array): void {
    this.#handIn(this.#exports.weights, sha256, text);
  }

  /** Makes an own algorithm known; `flows` has to have it whenever a run does. */
  own(declaration: string): void {
    if (!this.#layouts) this.#say(this.#exports.own_layouts, JSON.stringify(LAYOUTS));
    this.#layouts = true;
    this.#say(this.#exports.own, declaration);
  }

  /** Whose flows the next run's own algorithms are. */
  set flows(flows: OwnFlows | null) {
    this.#flows = flows;
  }

  forget(): void {
    this.#exports.forget();
  }

  /** `take` gets every frame of the run, several at a time. */
  begin(manifest: string, withSamples: boolean, take: (bytes: Uint8Array) => void): void {
    this.#take = take;
    const text = new TextEncoder().encode(manifest);
    const at = this.#put(text);
    this.#exports.begin(at, text.byteLength, withSamples ? 1 : 0);
    this.#exports.free(at);
  }

  /** False when the run is over. */
  advance(events: number): boolean {
    return this.#exports.advance(events) === 1;
  }

  cancel(): void {
    this.#exports.cancel();
  }

  /** What native/drivers/wasm/host.hh asks for. */
  #ownFlows() {
    const flows = (): OwnFlows => {
      if (this.#flows === null) throw new Error('The engine asks for an own algorithm that no run has.');
      return this.#flows;
    };
    const numbers = (): Float64Array => {
      const { buffer } = this.#exports.memory;
      if (this.#numbers.buffer !== buffer) this.#numbers = new Float64Array(buffer);
      return this.#numbers;
    };
    return {
      own_create: (id: number, size: number, setup: number, params: number, answer: number) =>
        flows().create(new TextDecoder().decode(this.#bytes(id, size)), {
          numbers: numbers(),
          setup: setup >> 3,
          params: params >> 3,
          answer: answer >> 3,
        }),
      own_destroy: (flow: number) => {
        this.#flows?.destroy(flow);
      },
      own_event: (flow: number, kind: number, told: number, packets: number, count: number, answer: number) => {
        flows().event(flow, kind, numbers(), told >> 3, packets >> 3, count, answer >> 3);
      },
      own_internals: (flow: number, values: number) => {
        flows().internals(flow, numbers(), values >> 3);
      },
      own_phase: (flow: number, phase: number, word: number, room: number) =>
        new TextEncoder().encodeInto(flows().phaseWord(flow, phase), this.#bytes(word, room)).written,
    };
  }

  #say(call: (pointer: number, size: number) => void, words: string): void {
    const text = new TextEncoder().encode(words);
    const at = this.#put(text);
    call(at, text.byteLength);
    this.#exports.free(at);
  }

  #handIn(call: Exports['trace'], sha256: string, text: Uint8Array): void {
    const hash = this.#put(new TextEncoder().encode(sha256));
    const at = this.#put(text);
    call(hash, at, text.byteLength);
    this.#exports.free(at);
    this.#exports.free(hash);
  }

  #put(bytes: Uint8Array): number {
    const at = this.#exports.alloc(bytes.byteLength);
    this.#bytes(at, bytes.byteLength).set(bytes);
    return at;
  }

  /** Made anew each time: the buffer is another one whenever the memory has grown. */
  #bytes(pointer: number, size: number): Uint8Array {
    return new Uint8Array(this.#exports.memory.buffer, pointer >>> 0, size >>> 0);
  }
}
