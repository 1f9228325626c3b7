// One flow of an own algorithm: what the engine tells is put before the guest, and what it answers goes back.
import type { OwnDeclaration } from '#protocol/own-algorithm';
import { CONTROL, EVENTS, SETUP, TRANSPORTS, type Field } from './layout.ts';
import { OwnFault } from './fault.ts';
import { Guest, type Interpreter } from './interpreter.ts';
import { LISTED } from './prelude.ts';
import type { ReadText } from './read.ts';
import type { Words } from './words.ts';

const WORD_BYTES = 8;
const NS_IN_MS = 1e6;
const BPS_IN_MBPS = 1e6;

function heard(words: Words, { kind }: Field, at: number): number {
  if (kind === 'mbps') return words.double(at) / BPS_IN_MBPS;
  return kind === 'ms' ? words.whole(at) / NS_IN_MS : words.whole(at);
}

/** Structures of these fields, from the engine's memory into an array. */
function put(words: Words, from: number, fields: readonly Field[], count: number, into: Float64Array): void {
  const { length } = fields;
  for (let row = 0; row < count; row++)
    for (let i = 0; i < length; i++) {
      const place = row * length + i;
      const field = fields[i];
      if (field !== undefined) into[place] = heard(words, field, from + place * WORD_BYTES);
    }
}

/** As the guest's parameters are: choices by their word, switches as such. */
const paramsOf = ({ params }: OwnDeclaration, words: Words, at: number): Record<string, number | boolean | string> =>
  Object.fromEntries(
    params.map(({ name, type, choices }, i) => {
      const value = words.double(at + i * WORD_BYTES);
      return [name, type === 'boolean' ? value !== 0 : type === 'choice' ? (choices[value] ?? '') : value];
    }),
  );

/** What the language calls Setup. */
function setupOf(declaration: OwnDeclaration, words: Words, setup: number, params: number): string {
  const at = (field: string): number => setup + SETUP.findIndex((one) => one.field === field) * WORD_BYTES;
  const handshake = words.whole(at('handshake_rtt_ns'));
  return JSON.stringify({
    params: paramsOf(declaration, words, params),
    now_ms: words.whole(at('now_ns')) / NS_IN_MS,
    mss_bytes: words.whole(at('mss_bytes')),
    initial_window_packets: words.whole(at('initial_window_packets')),
    transport: TRANSPORTS[words.whole(at('transport'))],
    handshake_rtt_ms: Number.isNaN(handshake) ? null : handshake / NS_IN_MS,
  });
}

export class OwnFlow {
  readonly #guest: Guest;
  readonly #declaration: OwnDeclaration;
  readonly #calls: readonly ((() => void) | null)[];
  readonly #look: () => void;

  /** `setup`, `params`: in the engine's memory. Throws OwnFault. */
  constructor(interpreter: Interpreter, { code, declaration }: ReadText, words: Words, setup: number, params: number) {
    this.#declaration = declaration;
    this.#guest = new Guest(interpreter);
    try {
      const seed = setup + SETUP.findIndex(({ field }) => field === 'seed') * WORD_BYTES;
      this.#guest.read(code, [words.half(seed + 4), words.half(seed)]);
      const there = this.#guest.ask(
        'create',
        setupOf(declaration, words, setup, params),
        JSON.stringify(declaration.internals),
      );
      const has = JSON.parse(String(there)) as readonly string[];
      this.#calls = EVENTS.map(({ call }) => (has.includes(call) ? this.#guest.call(call) : null));
      this.#look = this.#guest.call('look');
    } catch (error) {
      this.#guest.dispose();
      throw error;
    }
  }

  event(words: Words, kind: number, told: number, packets: number, count: number, control: number): void {
    const call = this.#calls[kind];
    const event = EVENTS[kind];
    if (call === null || call === undefined || event === undefined) return;
    const into = this.#guest.told.array;
    put(words, told, event.told, 1, into);
    into[LISTED] = count;
    if (count > 0 && event.packets !== null)
      put(words, packets, event.packets, count, this.#guest.packets(count * event.packets.length));
    call();
    this.answer(words, control);
  }

  /** What the guest said last, into the engine's memory. Throws OwnFault for what is no number. */
  answer(words: Words, at: number): void {
    const said = this.#guest.control.array;
    const value = (index: number): number => {
      const given = said[index] ?? Number.NaN;
      return Number.isNaN(given) ? this.#absent(index) : given;
    };
    words.putWhole(at, Math.floor(value(0)));
    words.putWhole(at + 8, Math.floor(value(1)));
    words.putDouble(at + 16, value(2) * BPS_IN_MBPS);
    words.putWhole(at + 24, Math.floor(value(3)));
    words.putWhole(at + 32, Math.round(value(4) * NS_IN_MS));
    words.putWhole(at + 40, Math.round(value(5) * NS_IN_MS));
    words.putWhole(at + 48, Math.floor(value(6)));
    words.putWhole(at + 56, value(7));
    words.putDouble(at + 64, value(8) * BPS_IN_MBPS);
    words.putWhole(at + 72, value(9));
  }

  internals(words: Words, at: number): void {
    this.#look();
    const values = this.#guest.values.array;
    for (let i = 0; i < this.#declaration.internals.length; i++)
      words.putDouble(at + i * WORD_BYTES, values[i] ?? Number.NaN);
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
