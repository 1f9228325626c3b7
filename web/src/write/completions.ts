// What can be written at a place of a text, in the language's own words: a list that an editor offers.
import type { LanguageType, Word } from './language';

export interface Offer {
  readonly label: string;
  readonly kind: 'function' | 'property' | 'type';
  /** Its type. */
  readonly detail: string;
  readonly info: string;
  /** Of a function: the names of its arguments, as its declaration has them. */
  readonly takes: readonly string[] | null;
}

export interface Offers {
  /** How many characters before the place belong to what is being written. */
  readonly typed: number;
  readonly offers: readonly Offer[];
}

/** What a controller calls itself where nothing says of what type it is. */
const SELVES = ['this', 'self', 'flow', 'controller'];
const PACKETS = ['packet', 'acked', 'lost'];
const PACKET_TYPES = ['AckedPacket', 'LostPacket'];
/** Written freely, not behind a dot. */
const SHAPES = ['Algorithm', 'Controller', 'NumberParam', 'SwitchParam', 'ChoiceParam', 'InternalValue'];

const argumentsOf = (type: string): string[] | null => {
  const taken = /^\((.*)\) => /.exec(type)?.[1];
  if (taken === undefined) return null;
  return taken === '' ? [] : taken.split(',').map((part) => (part.split(':')[0] ?? '').trim());
};

const offerOf = ({ name, type, doc }: Word): Offer => {
  const takes = argumentsOf(type);
  return { label: name, kind: takes === null ? 'property' : 'function', detail: type, info: doc, takes };
};

const typeOffer = ({ name, alias, doc }: LanguageType): Offer => ({
  label: name,
  kind: 'type',
  detail: alias ?? '',
  info: doc,
  takes: null,
});

function unique(offers: readonly Offer[]): Offer[] {
  const seen = new Map<string, Offer>();
  for (const offer of offers) if (!seen.has(offer.label)) seen.set(offer.label, offer);
  return [...seen.values()];
}

const allWords = (words: readonly Word[]): Word[] => words.flatMap((word) => [word, ...allWords(word.members)]);

/** The types that `name` may have where `text` uses it. */
function typesOf(name: string, text: string, language: readonly LanguageType[]): readonly string[] {
  if (PACKETS.includes(name)) return PACKET_TYPES;
  const annotated = new RegExp(`\\b${name}: (\\w+)`).exec(text)?.[1];
  if (annotated !== undefined && language.some((type) => type.name === annotated)) return [annotated];
  const event = language.find((type) => type.name.toLowerCase() === name);
  if (event !== undefined) return [event.name];
  return SELVES.includes(name) ? ['Controller'] : [];
}

/** `before`: the text up to the place, at least its line. `params`: of the algorithm as it was last read. */
export function offersAt(
  before: string,
  text: string,
  language: readonly LanguageType[],
  params: readonly { readonly name: string; readonly label: string }[],
): Offers | null {
  const behindDot = /(\w+)[?!]?\.(\w*)$/.exec(before);
  if (behindDot !== null) {
    const [, object = '', typed = ''] = behindDot;
    if (object === 'params') {
      const offers = params.map(({ name, label }) => offerOf({ ...NO_WORD, name, type: 'number', doc: label }));
      return { typed: typed.length, offers };
    }
    const names = typesOf(object, text, language);
    const members = language.filter(({ name }) => names.includes(name)).flatMap((type) => type.members);
    return members.length === 0 ? null : { typed: typed.length, offers: unique(members.map(offerOf)) };
  }
  const typed = /[A-Za-z_]\w*$/.exec(before)?.[0] ?? '';
  if (typed === '' || /[.\d]$/.test(before.slice(0, before.length - typed.length))) return null;
  const shapes = language.filter(({ name }) => SHAPES.includes(name));
  const words = shapes.flatMap(({ members }) => allWords(members));
  return { typed: typed.length, offers: unique([...words.map(offerOf), ...language.map(typeOffer)]) };
}

const NO_WORD: Word = { name: '', type: '', doc: '', optional: false, members: [] };
