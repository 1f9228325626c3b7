// On which line of a JSON text each value begins: for those who point at a place in the file.

const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s[\]{}:,"]+/g;

interface Level {
  readonly list: boolean;
  /** The key, or the number, of the value that comes next. */
  at: string | number | null;
}

/** By path, as `expectations.3`; so deep, and no deeper. The text is JSON. */
export function jsonLines(text: string, depth: number): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  const levels: Level[] = [];
  let [line, looked] = [1, 0];
  const begin = (index: number): void => {
    if (levels.length > depth) return;
    for (; looked < index; looked++) if (text.charCodeAt(looked) === 10) line++;
    lines.set(levels.map(({ at }) => String(at)).join('.'), line);
  };
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const level = levels.at(-1);
    if (token === ']' || token === '}') levels.pop();
    else if (token === ',') {
      if (level !== undefined) level.at = typeof level.at === 'number' ? level.at + 1 : null;
    } else if (token === ':') continue;
    else if (level?.list === false && level.at === null) level.at = String(JSON.parse(token));
    else {
      begin(index);
      if (token === '[' || token === '{') levels.push({ list: token === '[', at: token === '[' ? 0 : null });
    }
  }
  return lines;
}
