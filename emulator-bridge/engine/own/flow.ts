// One flow of an own algorithm: what the engine tells is put before the guest, and what it answers goes back.
import type { OwnDeclaration } from '#protocol/own-algorithm';
import { OwnFault } from './fault.ts';
import { Guest, type Interpreter } from './interpreter.ts';
import { CONTROL, EVENTS, SETUP_AT, TRANSPORTS } from './layout.ts';
import { LISTED } from './prelude.ts';
import type { ReadText } from './read.ts';

/** What a flow is made from, in the engine's memory; places are in `numbers`. */
export interface Making {
  readonly numbers: Float64Array;
  readonly setup: number;
  readonly params: number;
  readonly answer: number;
}

/** As the guest's parameters are: choices by their word, switches as such. */
const paramsOf = (
  { params }: OwnDeclaration,
  { numbers, params: at }: Making,
): Record<string, number | boolean | string> =>
  Object.fromEntries(
    params.map(({ name, type, choices }, i) => {
      const value = numbers[at + i] ?? 0;
      return [name, type === 'boolean' ? value !== 0 : type === 'choice' ? (choices[value] ?? '') : value];
    }),
  );

/** What the language calls Setup, as JSON: what is not known is null there. */
const setupOf = (declaration: OwnDeclaration, making: Making): string => {
  const value = (place: number): number => making.numbers[making.setup + place] ?? Number.NaN;
  return JSON.stringify({
    params: paramsOf(declaration, making),
    now_ms: value(SETUP_AT.now),
    mss_bytes: value(SETUP_AT.mss),
    initial_window_packets: value(SETUP_AT.window),
    transport: TRANSPORTS[value(SETUP_AT.transport)],
    handshake_rtt_ms: value(SETUP_AT.handshake),
  });
};

export class OwnFlow {
  readonly #guest: Guest;
  readonly #declaration: OwnDeclaration;
  readonly #calls: readonly ((() => void) | null)[];
  readonly #look: () => void;

  /** Throws OwnFault. */
  constructor(interpreter: Interpreter, { code, declaration }: ReadText, making: Making) {
    this.#declaration = declaration;
    this.#guest = new Guest(interpreter);
    try {
      const half = (place: number): number => making.numbers[making.setup + place] ?? 0;
      this.#guest.read(code, [half(SETUP_AT.seedHigh), half(SETUP_AT.seedLow)]);
      const internals = JSON.stringify(declaration.internals);
      const has = JSON.parse(String(this.#guest.ask('create', setupOf(declaration, making), internals))) as string[];
      this.#calls = EVENTS.map(({ call }) => (has.includes(call) ? this.#guest.call(call) : null));
      this.#look = this.#guest.call('look');
    } catch (error) {
      this.#guest.dispose();
      throw error;
    }
  }

  /** Events that its controller has a function for, a bit each. */
  get listens(): number {
    return this.#calls.reduce((bits, call, i) => (call === null ? bits : bits | (1 << i)), 0);
  }

  event(kind: number, numbers: Float64Array, told: number, packets: number, count: number, answer: number): void {
    const call = this.#calls[kind];
    const event = EVENTS[kind];
    if (call === null || call === undefined || event === undefined) return;
    const into = this.#guest.told.array;
    const { length } = event.told;
    for (let i = 0; i < length; i++) into[i] = numbers[told + i] ?? 0;
    into[LISTED] = count;
    if (count > 0 && event.packets !== null) {
      const many = count * event.packets.length;
      this.#guest.packets(many).set(numbers.subarray(packets, packets + many));
    }
    call();
    this.answer(numbers, answer);
  }

  /** What the guest said last. Throws OwnFault for what is no number. */
  answer(numbers: Float64Array, at: number): void {
    const said = this.#guest.control.array;
    for (let i = 0; i < CONTROL.length; i++) {
      const value = said[i] ?? Number.NaN;
      numbers[at + i] = Number.isNaN(value) ? this.#absent(i) : value;
    }
  }

  internals(numbers: Float64Array, at: number): void {
    this.#look();
    numbers.set(this.#guest.values.array.subarray(0, this.#declaration.internals.length), at);
  }

  phaseWord(index: number): string {
    return String(this.#guest.ask('phaseWord', index));
  }

  dispose(): void {
    this.#guest.dispose();
  }

  #absent(index: number): number {
    const { name, absent } = CONTROL[index] ?? CONTROL[0];
    const kind = this.#guest.ask('kindOf', index);
    if (kind === 'undefined' && !Number.isNaN(absent)) return absent;
    throw new OwnFault(`${name} is ${kind === 'number' ? 'NaN' : kind}, not a number`, null);
  }
}
