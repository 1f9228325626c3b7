// Own algorithms, whose interpreter comes when the first of them does.
import type { OwnDescription } from '#protocol/own-algorithm';
import type { OwnFlows } from './own/flows.ts';
import type { Interpreter } from './own/interpreter.ts';

const parts = async () => {
  const [interpreter, flows, read] = await Promise.all([
    import('./own/interpreter.ts'),
    import('./own/flows.ts'),
    import('./own/read.ts'),
  ]);
  return { ...interpreter, ...flows, ...read };
};
type Parts = Awaited<ReturnType<typeof parts>>;

export class OwnAlgorithms {
  readonly #module: () => Promise<WebAssembly.Module>;
  #opened: Promise<{ readonly parts: Parts; readonly interpreter: Interpreter }> | null = null;

  constructor(module: () => Promise<WebAssembly.Module>) {
    this.#module = module;
  }

  /** Texts by their hashes. Rejects with OwnFailed where one is none. */
  async flows(programs: ReadonlyMap<string, Uint8Array>): Promise<OwnFlows> {
    const { parts: there, interpreter } = await this.#open();
    return new there.OwnFlows(interpreter, programs);
  }

  async describe(text: string): Promise<OwnDescription> {
    const { parts: there, interpreter } = await this.#open();
    return there.describeText(interpreter, text);
  }

  async #open(): Promise<{ readonly parts: Parts; readonly interpreter: Interpreter }> {
    this.#opened ??= Promise.all([parts(), this.#module()]).then(async ([there, module]) => ({
      parts: there,
      interpreter: await there.openInterpreter(module),
    }));
    try {
      return await this.#opened;
    } catch (error) {
      this.#opened = null;
      throw error;
    }
  }
}
