// On which line of a JSON text a value begins: for those who point at a place in the file. Only what is asked for is kept, however much else
// the text holds.

/** A text only as its beginning: what it holds may be longer than a pattern can follow. */
const TOKEN = /"|[[\]{}:,]|[^\s[\]{}:,"]+/g;

function* tokens(text: string): Generator<{ readonly token: string; readonly index: number }, void, undefined> {
  TOKEN.lastIndex = 0;
  for (let found = TOKEN.exec(text); found !== null; found = TOKEN.exec(text)) {
    const { 0: token, index } = found;
    if (token !== '"') {
      yield { token, index };
      continue;
    }
    let end = index + 1;
    while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
    yield { token: text.slice(index, end + 1), index };
    TOKEN.lastIndex = end + 1;
  }
}

type Path = readonly PropertyKey[];

interface Level {
  readonly list: boolean;
  /** The key, or the number, of the value that comes next. */
  at: string | number | null;
  /** Its own path; null: nothing within is asked for. */
  readonly path: string | null;
}

const joined = (path: Path): string => path.map(String).join('\n');

/** The text is JSON. What is not there has the line of what would hold it. */
export function jsonLines(text: string, asked: readonly Path[]): readonly number[] {
  const wanted = new Set(asked.flatMap((path) => path.map((_, i) => joined(path.slice(0, i + 1)))));
  const lines = new Map<string, number>();
  const levels: Level[] = [];
  let [line, looked] = [1, 0];
  /** The path of the value that begins here, if it is asked for. */
  const begin = (index: number): string | null => {
    const level = levels.at(-1);
    if (level === undefined) return '';
    if (level.path === null) return null;
    const path = level.path === '' ? String(level.at) : `${level.path}\n${level.at}`;
    if (!wanted.has(path)) return null;
    for (; looked < index; looked++) if (text.charCodeAt(looked) === 10) line++;
    lines.set(path, line);
    return path;
  };
  for (const { token, index } of tokens(text)) {
    const level = levels.at(-1);
    if (token === ']' || token === '}') levels.pop();
    else if (token === ',') {
      if (level !== undefined) level.at = typeof level.at === 'number' ? level.at + 1 : null;
    } else if (token === ':') continue;
    else if (level?.list === false && level.at === null) level.at = String(JSON.parse(token));
    else {
      const path = begin(index);
      if (token === '[' || token === '{') levels.push({ list: token === '[', at: token === '[' ? 0 : null, path });
    }
  }
  return asked.map((path) => {
    for (let length = path.length; length > 0; length--) {
      const found = lines.get(joined(path.slice(0, length)));
      if (found !== undefined) return found;
    }
    return 1;
  });
}
