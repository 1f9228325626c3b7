// The flows of own algorithms of one run, as the engine asks for them (native/drivers/wasm/host.hh).
import { ownCcaId, type OwnDeclaration } from '#protocol/own-algorithm';
import { OwnFailed, OwnFault } from './fault.ts';
import { OwnFlow } from './flow.ts';
import type { Interpreter } from './interpreter.ts';
import { readText, type ReadText } from './read.ts';
import { Words } from './words.ts';

/** What the engine is told of one (native/drivers/wasm/own.hh). */
export const declarationText = (id: string, { name, needs, params, internals }: OwnDeclaration): string =>
  JSON.stringify({ id, label: name, needs, params, internals });

export class OwnFlows {
  readonly #interpreter: Interpreter;
  readonly #texts = new Map<string, ReadText>();
  readonly #flows = new Map<number, OwnFlow>();
  readonly #names = new Map<number, string>();
  #next = 1;

  /** `programs`: texts by their hashes. Throws OwnFailed. */
  constructor(interpreter: Interpreter, programs: ReadonlyMap<string, Uint8Array>) {
    this.#interpreter = interpreter;
    for (const [sha256, bytes] of programs)
      this.#texts.set(
        ownCcaId(sha256),
        named('The own algorithm', () =>
          readText(interpreter, new TextDecoder('utf-8', { fatal: true }).decode(bytes)),
        ),
      );
  }

  /** What the engine is to know of, by id. */
  *declarations(): Generator<readonly [id: string, text: string]> {
    for (const [id, { declaration }] of this.#texts) yield [id, declarationText(id, declaration)];
  }

  create(id: string, words: Words, setup: number, params: number, control: number): number {
    const text = this.#texts.get(id);
    if (text === undefined) throw new OwnFailed(id, 'its text was not handed in', null);
    const flow = this.#next++;
    const { name } = text.declaration;
    named(name, () => {
      const made = new OwnFlow(this.#interpreter, text, words, setup, params);
      this.#flows.set(flow, made);
      this.#names.set(flow, name);
      made.answer(words, control);
    });
    return flow;
  }

  event(flow: number, words: Words, kind: number, told: number, packets: number, count: number, control: number): void {
    try {
      this.#flows.get(flow)?.event(words, kind, told, packets, count, control);
    } catch (error) {
      throw ofFlow(this.#names.get(flow), error);
    }
  }

  internals(flow: number, words: Words, at: number): void {
    named(this.#names.get(flow), () => this.#flows.get(flow)?.internals(words, at));
  }

  phaseWord(flow: number, phase: number): string {
    return this.#flows.get(flow)?.phaseWord(phase) ?? '';
  }

  destroy(flow: number): void {
    this.#flows.get(flow)?.dispose();
    this.#flows.delete(flow);
  }

  dispose(): void {
    for (const flow of this.#flows.keys()) this.destroy(flow);
  }
}

const ofFlow = (who: string | undefined, error: unknown): unknown =>
  error instanceof OwnFault ? new OwnFailed(who ?? 'An own algorithm', error.message, error.at) : error;

function named<T>(who: string | undefined, what: () => T): T {
  try {
    return what();
  } catch (error) {
    throw ofFlow(who, error);
  }
}
