// Memory that a guest and its host share: an array of numbers here, a buffer there. The interpreter's memory moves when it grows.
import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core';

/** What the library's context has and does not show, of the version that is pinned. */
export interface Raw {
  readonly ctx: { readonly value: number };
  readonly module: { readonly _malloc: (bytes: number) => number; readonly HEAPU8: Uint8Array };
  readonly ffi: {
    /** Takes the memory over. */
    readonly QTS_NewArrayBuffer: (context: number, bytes: number, length: number) => number;
    readonly QTS_Call: (context: number, callee: number, self: number, count: number, values: number) => number;
    readonly QTS_FreeValuePointer: (context: number, value: number) => void;
    readonly QTS_ResolveException: (context: number, value: number) => number;
  };
  readonly memory: { readonly heapValueHandle: (value: number) => QuickJSHandle };
}

export const rawOf = (context: QuickJSContext): Raw => context as unknown as Raw;

export class Window {
  /** An ArrayBuffer of the guest's. */
  readonly buffer: QuickJSHandle;
  readonly #raw: Raw;
  readonly #at: number;
  readonly #length: number;
  #array: Float64Array = new Float64Array();

  constructor(raw: Raw, length: number) {
    this.#raw = raw;
    this.#length = length;
    const bytes = length * Float64Array.BYTES_PER_ELEMENT;
    this.#at = raw.module._malloc(bytes);
    if (this.#at === 0) throw new Error('the interpreter has no memory left');
    this.array.fill(0);
    this.buffer = raw.memory.heapValueHandle(raw.ffi.QTS_NewArrayBuffer(raw.ctx.value, this.#at, bytes));
  }

  get array(): Float64Array {
    const { buffer } = this.#raw.module.HEAPU8;
    if (this.#array.buffer !== buffer) this.#array = new Float64Array(buffer, this.#at, this.#length);
    return this.#array;
  }
}
