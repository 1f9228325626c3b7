// Where a text stops being JSON: JSON.parse does not always tell.

const WHITE = /[ \t\r\n]*/y;
const TOKEN =
  // eslint-disable-next-line no-control-regex -- JSON has none of them in its texts
  /[[\]{}:,]|"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** What may come next. */
type Wanted = 'value' | 'value or ]' | 'key' | 'key or }' | ':' | ', or ]' | ', or }' | 'nothing';

export interface JsonFault {
  readonly line: number;
  readonly column: number;
  /** In words: `expected a value, found the end`. */
  readonly message: string;
}

const WORDS: Record<Wanted, string> = {
  value: 'a value',
  'value or ]': 'a value or ]',
  key: 'a key in quotation marks',
  'key or }': 'a key in quotation marks or }',
  ':': 'a colon',
  ', or ]': 'a comma or ]',
  ', or }': 'a comma or }',
  nothing: 'nothing more',
};

function faultAt(text: string, at: number, wanted: Wanted): JsonFault {
  const before = text.slice(0, at);
  const line = before.split('\n').length;
  const found = at >= text.length ? 'the end' : JSON.stringify(Array.from(text.slice(at, at + 2))[0] ?? '');
  return {
    line,
    column: at - (before.lastIndexOf('\n') + 1) + 1,
    message: `expected ${WORDS[wanted]}, found ${found}`,
  };
}

/** null: it is JSON. Never deeper in the stack than here, however deep the text is. */
export function jsonFault(text: string): JsonFault | null {
  const open: ('[' | '{')[] = [];
  const after = (): Wanted => (open.length === 0 ? 'nothing' : open.at(-1) === '[' ? ', or ]' : ', or }');
  let wanted: Wanted = 'value';
  for (let at = 0; ;) {
    WHITE.lastIndex = at;
    WHITE.exec(text);
    at = WHITE.lastIndex;
    TOKEN.lastIndex = at;
    const token = at < text.length ? TOKEN.exec(text)?.[0] : undefined;
    if (token === undefined) return at >= text.length && wanted === 'nothing' ? null : faultAt(text, at, wanted);
    const next = step(token, wanted, open);
    if (next === null) return faultAt(text, at, wanted);
    wanted = next === 'after' ? after() : next;
    at = TOKEN.lastIndex;
  }
}

/** What is wanted after a token; null: it may not stand there. */
function step(token: string, wanted: Wanted, open: ('[' | '{')[]): Wanted | 'after' | null {
  const isValue = wanted === 'value' || wanted === 'value or ]';
  const isKey = wanted === 'key' || wanted === 'key or }';
  switch (token) {
    case '[':
    case '{':
      if (!isValue) return null;
      open.push(token);
      return token === '[' ? 'value or ]' : 'key or }';
    case ']':
      if (wanted !== 'value or ]' && wanted !== ', or ]') return null;
      open.pop();
      return 'after';
    case '}':
      if (wanted !== 'key or }' && wanted !== ', or }') return null;
      open.pop();
      return 'after';
    case ',':
      return wanted === ', or ]' ? 'value' : wanted === ', or }' ? 'key' : null;
    case ':':
      return wanted === ':' ? 'value' : null;
    default:
      if (isKey) return token.startsWith('"') ? ':' : null;
      return isValue ? 'after' : null;
  }
}
