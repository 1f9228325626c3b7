// The flows of own algorithms of one run, as the engine asks for them (native/drivers/wasm/host.hh).
import { ownCcaId, type OwnDeclaration } from '#protocol/own-algorithm';
import { OwnFailed, OwnFault } from './fault.ts';
import { CONTROL } from './layout.ts';
import { OwnFlow, type Making } from './flow.ts';
import type { Interpreter } from './interpreter.ts';
import { readText, type ReadText } from './read.ts';

/** What the engine is told of one (native/drivers/wasm/own.hh). */
export const declarationText = (id: string, { name, needs, params, internals }: OwnDeclaration): string =>
  JSON.stringify({ id, label: name, needs, params, internals });

export class OwnFlows {
  readonly #interpreter: Interpreter;
  readonly #texts = new Map<string, ReadText>();
  readonly #flows: (OwnFlow | undefined)[] = [];
  readonly #names: (string | undefined)[] = [];
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

  /** What is made of it is in `making.answer`. */
  create(id: string, making: Making): number {
    const text = this.#texts.get(id);
    if (text === undefined) throw new OwnFailed(id, 'its text was not handed in', null);
    const flow = this.#next++;
    const { name } = text.declaration;
    named(name, () => {
      const made = new OwnFlow(this.#interpreter, text, making);
      this.#flows[flow] = made;
      this.#names[flow] = name;
      made.answer(making.numbers, making.answer);
      making.numbers[making.answer + CONTROL.length] = made.listens;
    });
    return flow;
  }

  /** Of one that the flow listens to; places are in `numbers`. */
  event(
    flow: number,
    kind: number,
    numbers: Float64Array,
    told: number,
    packets: number,
    count: number,
    answer: number,
  ): void {
    try {
      this.#flows[flow]?.event(kind, numbers, told, packets, count, answer);
    } catch (error) {
      throw ofFlow(this.#names[flow], error);
    }
  }

  internals(flow: number, numbers: Float64Array, at: number): void {
    named(this.#names[flow], () => this.#flows[flow]?.internals(numbers, at));
  }

  phaseWord(flow: number, phase: number): string {
    return this.#flows[flow]?.phaseWord(phase) ?? '';
  }

  destroy(flow: number): void {
    this.#flows[flow]?.dispose();
    this.#flows[flow] = undefined;
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
