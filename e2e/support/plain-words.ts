// What of a page in a language that nobody speaks (scripts/texts/pseudo.ts) is still in plain letters, and is no data.
import type { Page, Response } from '@playwright/test';
import { RunState } from '#protocol/api';

/** Answers in which the server describes things in sentences: all that they say is its own. */
const DESCRIPTIONS = /\/api\/v1\/(ccas|engines|fidelity|kinds|studies|templates|doctor|queues|elements)\b|\/answers\b/;

/** Fields of other answers that hold what people and programs have named, or what the server says. */
const DATA_FIELDS: ReadonlySet<string> = new Set([
  ...[
    'id',
    'name',
    'title',
    'label',
    'trace',
    'trace_name',
    'traces',
    'cca',
    'baseline',
    'engine_version',
    'detail',
    'hint',
    'slug',
  ],
  ...[
    'description',
    'reason',
    'reasons',
    'warnings',
    'note',
    'summary',
    'text',
    'tags',
    'engine',
    'path',
    'transport',
    'schema',
  ],
  ...['file', 'citation', 'licence', 'recipe', 'source'],
]);

/** Words that are the same in every language: units, names of formats and of programs. */
const SAME: ReadonlySet<string> = new Set([
  ...[
    'ms',
    'min',
    'Mbps',
    'Mbit',
    'bps',
    'kbps',
    'Gbps',
    'kB',
    'MB',
    'GB',
    'GiB',
    'MiB',
    'KiB',
    'dB',
    'dBm',
    'Hz',
    'MHz',
    'GHz',
    'BDP',
    'px',
    'ppm',
  ],
  ...[
    'Paceline',
    'CSV',
    'SVG',
    'PNG',
    'PDF',
    'JSON',
    'LaTeX',
    'HTML',
    'RTT',
    'CCA',
    'CCAs',
    'Ctrl',
    'Esc',
    'Mahimahi',
    'iperf',
    'Linux',
    'QUIC',
    'TCP',
    'UDP',
    'Decrease',
    'Increase',
  ],
]);

/** A shorter text is no sentence. */
const FEW_WORDS = 4;

/** However wide its gaps are. */
const oneGap = (text: string): string => text.trim().replace(/\s+/g, ' ');

/** Collects what the server says while a page is looked at. */
export class Answers {
  readonly #data = new Set<string>();
  readonly #sentences: string[] = [];
  /** Parts of texts with mark-up, which stand alone. */
  readonly pieces = new Set<string>();
  readonly #reading = new Set<Promise<void>>();

  watch(page: Page): void {
    page.on('response', (response) => {
      const read = this.#read(response).finally(() => this.#reading.delete(read));
      this.#reading.add(read);
    });
  }

  /** Settles when all that came has been read: a page may show an answer before it is read here. */
  async read(): Promise<void> {
    while (this.#reading.size > 0) await Promise.all(this.#reading);
  }

  /** A part of a sentence, perhaps behind a mark; a single word only where it is the last, which a line may have for itself. */
  holdsLine(text: string): boolean {
    const line = text.replace(/^[^\p{L}\d“]+\s/u, '').replace(/\s*\(\w+\)$/, '');
    return this.#sentences.some((sentence) =>
      line.includes(' ') ? sentence.includes(line) : sentence.endsWith(` ${line}`),
    );
  }

  /** The longest first: a name may hold another. */
  get data(): string[] {
    return [...this.#data].sort((a, b) => b.length - a.length);
  }

  async #read(response: Response): Promise<void> {
    if (!response.url().includes('/api/')) return;
    const body: unknown = await response.json().catch(() => null);
    this.#take(body, DESCRIPTIONS.test(response.url()));
  }

  #take(value: unknown, isData: boolean): void {
    if (typeof value === 'string' && isData) {
      const text = oneGap(value);
      for (const part of piecesOf(value)) this.pieces.add(oneGap(part));
      for (const part of saidOf(value)) this.#data.add(oneGap(part));
      if (text.split(' ').length > FEW_WORDS) this.#sentences.push(text);
    } else if (Array.isArray(value)) for (const one of value) this.#take(one, isData);
    else if (typeof value === 'object' && value !== null) {
      for (const piece of aroundCommand(value)) this.pieces.add(oneGap(piece));
      for (const [key, one] of Object.entries(value)) {
        if (isData) this.#take(key, true);
        this.#take(one, isData || DATA_FIELDS.has(key));
      }
    }
  }
}

/** The words before and after the command in a remedy of the doctor's, which stand alone. */
const aroundCommand = (value: object): string[] =>
  'remedy' in value && typeof value.remedy === 'string' && 'command' in value && typeof value.command === 'string'
    ? value.remedy.split(value.command)
    : [];

/** A text without its mark-up, piece by piece. */
const piecesOf = (text: string): string[] =>
  text.split(/[`*#\n|]+|\[|\](?:\([^)]*\))?|^[-\d.]+ /m).map((piece) => piece.replace(/^[\s\-:]+|\s+$/g, ''));

/** How a text of the server is shown within others. A single word of a sentence excuses nothing. */
const saidOf = (text: string): string[] =>
  [text.trim(), text.replaceAll('_', ' '), ...piecesOf(text).filter((piece) => piece.includes(' '))].filter(
    (part) => part.length > 1,
  );

/** Everything that is read on a page, seen or spoken. Runs in the browser: it must not refer to anything outside. */
function readAll(): { readonly said: string; readonly drawn: boolean }[] {
  const READ = ['aria-label', 'aria-description', 'aria-valuetext', 'alt', 'placeholder', 'title'];
  const FOR_MACHINES =
    'script, style, code, kbd, pre, samp, textarea, [translate="no"], metadata, desc, #shell, .visually-hidden table td, .visually-hidden table th';
  const found = new Map<string, boolean>([[document.title, false]]);
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode())
    if (node.parentElement?.closest(FOR_MACHINES) === null)
      found.set(node.nodeValue ?? '', node.parentElement instanceof SVGElement);
  for (const element of document.querySelectorAll(READ.map((name) => `[${name}]`).join(', ')))
    if (element.closest(FOR_MACHINES) === null)
      for (const name of READ) found.set(element.getAttribute(name) ?? '', false);
  return [...found].map(([said, drawn]) => ({ said, drawn }));
}

/** `0.1.0+28aa5f`, `flows.1.cca.params`, `queue_limit`, `traces/a-house.json`, `queue-by-flow`: names for programs, which are data. */
const FOR_PROGRAMS = /\d+\.\d+\.\d+\+[\da-f]+|https?:\/\/\S+|[\w-]+(?:[._/-][\w-]+)+|\b[\da-f]{12}\b/g;
const PLAIN = /(?<!\p{L})[A-Za-z]{2,}(?!\p{L})/gu;

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const wholeWords = (text: string): RegExp => new RegExp(`(?<![\\p{L}\\d])${escaped(text)}(?![\\p{L}\\d])`, 'gu');

/** Words of the query of runs and of a spec, shown as one types them. */
const TYPED = new Set<string>([...RunState.options, 'joins', 'ack', 'repetition', 'unlimited', 'true', 'false']);

/** Each text that has plain words in it, with the words. */
export async function plainWords(page: Page, answers: Answers): Promise<string[]> {
  const all = await page.evaluate(readAll);
  await answers.read();
  const { data } = answers;
  // Few of them are in any text: most are not even looked for.
  const withoutData = (text: string): string =>
    data.reduce((left, known) => (left.includes(known) ? left.replace(wholeWords(known), ' ') : left), text);
  const withoutNames = (text: string): string => text.replace(FOR_PROGRAMS, ' ');
  const plain = (text: string): string[] =>
    (text.match(PLAIN) ?? []).filter((word) => !SAME.has(word) && !TYPED.has(word));
  return all.flatMap(({ said, drawn }) => {
    const text = oneGap(said);
    if (plain(text).length === 0 || answers.pieces.has(text)) return [];
    // The first sentence of several, or a line of one that a picture breaks.
    if ((drawn || text.split(' ').length > FEW_WORDS) && answers.holdsLine(text)) return [];
    // A name may hold data, and data a name.
    const [words, others] = [plain(withoutNames(withoutData(text))), plain(withoutData(withoutNames(text)))];
    if (words.length === 0 || others.length === 0) return [];
    return [`${words.join(' ')} | ${text.slice(0, 160)}`];
  });
}
