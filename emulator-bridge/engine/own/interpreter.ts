// QuickJS as WebAssembly: own algorithms are interpreted in it. Nothing of a browser or of Node can be reached from there, what a text
// may take of time and memory is counted, and the same text does the same on every machine.
import releaseSync from '@jitl/quickjs-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type Intrinsics,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core';
import { z } from 'zod';
import { OwnFault } from './fault.ts';
import { CONTROL_WORDS, PRELUDE, TOLD_WORDS } from './prelude.ts';
import { rawOf, Window, type Raw } from './window.ts';

const MEMORY_BYTES = 32 * 1024 * 1024;
const STACK_BYTES = 128 * 1024;
/** It is asked whether to go on after some 10 000 steps each (calls, and loops' turns): so a call may take two million, some 50 ms. */
const ASKED_IN_A_CALL = 200;
/** As a text is read: tables may be computed. */
const ASKED_WHILE_READ = 2000;

/** Numbers for internals, and at first for packets. */
const VALUES = 64;
const PACKETS = 8 * 1024;

export const FILE = 'own.ts';

/** No date: a run knows one clock. */
const INTRINSICS: Intrinsics = {
  BaseObjects: true,
  Date: false,
  Eval: true,
  StringNormalize: true,
  RegExp: true,
  RegExpCompiler: true,
  JSON: true,
  Proxy: true,
  MapSet: true,
  TypedArrays: true,
  Promise: true,
  BigInt: true,
};

export type Interpreter = QuickJSWASMModule;

/** `module`: of `@jitl/quickjs-wasmfile-release-sync/wasm`. */
export const openInterpreter = (module: WebAssembly.Module): Promise<Interpreter> =>
  newQuickJSWASMModuleFromVariant(newVariant(releaseSync, { wasmModule: module }));

/** As the interpreter dumps an error; what is thrown may be anything. */
const Thrown = z.object({ name: z.string().default('Error'), message: z.string(), stack: z.string().default('') });

const PLACE = new RegExp(`\\(?${FILE.replace('.', '\\.')}:(\\d+):(\\d+)`);
const interrupted = (most: number): string =>
  most === ASKED_IN_A_CALL
    ? 'it took more steps than a call may (two million): does a loop end?'
    : 'it took more steps than it may before the first call (twenty million): does a loop end?';
const MEMORY = `it took more memory than it may (${MEMORY_BYTES / 1024 / 1024} MiB)`;
const MOST_WORDS = 300;

/** In people's words, with the innermost place in their text. */
function faultOf(thrown: unknown, most: number): OwnFault {
  const { success, data } = Thrown.safeParse(thrown);
  // Of what has no JSON there is none.
  const told = typeof thrown === 'bigint' ? String(thrown) : (JSON.stringify(thrown) as string | undefined);
  if (!success) return new OwnFault(`it threw ${told?.slice(0, MOST_WORDS) ?? 'something'}`, null);
  const place = PLACE.exec(data.stack);
  const at = place === null ? null : { line: Number(place[1]), column: Number(place[2]) };
  const own = data.name === 'InternalError';
  if (own && data.message === 'interrupted') return new OwnFault(interrupted(most), at);
  if (own && data.message === 'out of memory') return new OwnFault(MEMORY, at);
  return new OwnFault(`${data.name}: ${data.message}`.slice(0, MOST_WORDS), at);
}

/** One text in a world of its own. */
export class Guest {
  readonly #runtime: QuickJSRuntime;
  readonly #context: QuickJSContext;
  readonly #kept: QuickJSHandle[] = [];
  readonly #raw: Raw;
  readonly #nothing: number;
  readonly #prelude: QuickJSHandle;
  readonly told: Window;
  readonly control: Window;
  readonly values: Window;
  #packets: Window;
  #asked = 0;
  #most = ASKED_WHILE_READ;

  constructor(interpreter: Interpreter) {
    this.#runtime = interpreter.newRuntime();
    this.#runtime.setMemoryLimit(MEMORY_BYTES);
    this.#runtime.setMaxStackSize(STACK_BYTES);
    this.#runtime.setInterruptHandler(() => ++this.#asked > this.#most);
    this.#context = this.#runtime.newContext({ intrinsics: INTRINSICS });
    this.#raw = rawOf(this.#context);
    this.#nothing = this.#context.undefined.value;
    this.told = this.#window(TOLD_WORDS);
    this.control = this.#window(CONTROL_WORDS);
    this.values = this.#window(VALUES);
    this.#packets = this.#window(PACKETS);
    const prelude = this.#keep(this.#context.unwrapResult(this.#context.evalCode(PRELUDE, 'prelude.js')));
    const shared = [this.told, this.control, this.values, this.#packets].map(({ buffer }) => buffer);
    this.#prelude = this.#taken(this.#context.callFunction(prelude, this.#context.undefined, ...shared));
  }

  /** For packets of together so many numbers. */
  packets(most: number): Float64Array {
    if (this.#packets.array.length < most) {
      this.#packets = this.#window(2 * most);
      this.#taken(this.#context.callFunction(this.#own('enlarge'), this.#context.undefined, this.#packets.buffer));
    }
    return this.#packets.array;
  }

  /** Reads a text that has no types any more; what it exports by default is in the guest's hand (`declare`). Says what it declares. */
  read(text: string, [high, low]: readonly [number, number]): string {
    this.ask('seed', high, low);
    this.#begin(ASKED_WHILE_READ);
    const module = this.#taken(this.#context.evalCode(text, FILE, { type: 'module' }));
    // A promise that waits: nothing in here ever happens by itself.
    const state = this.#context.getPromiseState(module);
    if (state.type === 'pending') throw new OwnFault('await has nothing to wait for here', null);
    const exported = this.#keep(this.#context.getProp(module, 'default'));
    return this.#text(this.#taken(this.#context.callFunction(this.#own('declare'), this.#context.undefined, exported)));
  }

  /** Calls a function of the prelude with words and numbers; the slow way, for what is rarely asked. */
  ask(name: string, ...given: readonly (string | number)[]): string | number {
    this.#begin(ASKED_WHILE_READ);
    const handles = given.map((value) =>
      typeof value === 'number' ? this.#context.newNumber(value) : this.#context.newString(value),
    );
    const told = this.#taken(this.#context.callFunction(this.#own(name), this.#context.undefined, ...handles));
    for (const handle of handles) handle.dispose();
    return this.#context.typeof(told) === 'number' ? this.#context.getNumber(told) : this.#text(told);
  }

  /** A function of the prelude, to be called without values and answers: what it hears and says is in the arrays. */
  call(name: string): () => void {
    const { ctx, ffi, memory } = this.#raw;
    const callee = this.#own(name).value as unknown as number;
    return () => {
      this.#begin(ASKED_IN_A_CALL);
      const answer = ffi.QTS_Call(ctx.value, callee, this.#nothing, 0, 0);
      const error = ffi.QTS_ResolveException(ctx.value, answer);
      ffi.QTS_FreeValuePointer(ctx.value, answer);
      if (error !== 0) throw this.#fault(memory.heapValueHandle(error));
    };
  }

  dispose(): void {
    for (const handle of this.#kept) handle.dispose();
    this.#context.dispose();
    this.#runtime.dispose();
  }

  #taken(result: ReturnType<QuickJSContext['evalCode']>): QuickJSHandle {
    if (result.error !== undefined) throw this.#fault(result.error);
    return this.#keep(result.value);
  }

  #fault(error: QuickJSHandle): OwnFault {
    const most = this.#most;
    // Anew: a hostile error has getters, which may not take for ever either.
    this.#begin(ASKED_IN_A_CALL);
    const thrown: unknown = this.#context.dump(error);
    error.dispose();
    return faultOf(thrown, most);
  }

  #begin(most: number): void {
    this.#asked = 0;
    this.#most = most;
  }

  #window(length: number): Window {
    const window = new Window(this.#raw, length);
    this.#keep(window.buffer);
    return window;
  }

  #own(name: string): QuickJSHandle {
    return this.#keep(this.#context.getProp(this.#prelude, name));
  }

  #text(handle: QuickJSHandle): string {
    return this.#context.getString(handle);
  }

  #keep(handle: QuickJSHandle): QuickJSHandle {
    this.#kept.push(handle);
    return handle;
  }
}
