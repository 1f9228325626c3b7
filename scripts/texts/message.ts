// A message as translators see it: words, `{0}` for what is put in, `<1>…</1>` for what stands inside a mark-up, `<2/>` for a thing without words.

export type Part =
  | { readonly text: string }
  | { readonly slot: number }
  | { readonly mark: number; readonly inside: readonly Part[] }
  | { readonly thing: number };
export type Parts = readonly Part[];

export interface Message {
  readonly id: string;
  /** English for other counts than one; absent: it says no count. */
  readonly many?: string;
}

export const written = (parts: Parts): string =>
  parts
    .map((part) => {
      if ('text' in part) return part.text;
      if ('slot' in part) return `{${part.slot}}`;
      return 'thing' in part ? `<${part.thing}/>` : `<${part.mark}>${written(part.inside)}</${part.mark}>`;
    })
    .join('');

const TOKEN = /\{(\d+)\}|<(\d+)\/>|<(\d+)>|<\/(\d+)>/g;

/** What is not of the form; the others are the parts. */
export class NotAMessage extends Error {}

interface Open {
  readonly mark: number | null;
  readonly parts: Part[];
}

/** Reads what `written` writes. */
export function read(text: string): Parts {
  const open: Open[] = [{ mark: null, parts: [] }];
  const top = (): Open => open.at(-1) ?? { mark: null, parts: [] };
  const say = (words: string): void => {
    if (words !== '') top().parts.push({ text: words });
  };
  let from = 0;
  for (const match of text.matchAll(TOKEN)) {
    say(text.slice(from, match.index));
    from = match.index + match[0].length;
    const [, slot, thing, begins, ends] = match;
    if (slot !== undefined) top().parts.push({ slot: Number(slot) });
    else if (thing !== undefined) top().parts.push({ thing: Number(thing) });
    else if (begins !== undefined) open.push({ mark: Number(begins), parts: [] });
    else close(open, Number(ends));
  }
  say(text.slice(from));
  if (open.length > 1) throw new NotAMessage(`<${top().mark ?? ''}> is not closed`);
  return top().parts;
}

function close(open: Open[], mark: number): void {
  const inner = open.at(-1);
  if (inner?.mark !== mark) throw new NotAMessage(`</${mark}> closes nothing`);
  open.pop();
  open.at(-1)?.parts.push({ mark, inside: inner.parts });
}

/** What stands for something else: `{0}`, `<1>`, `<2/>`, each as often as it is there. */
export const placeholders = (parts: Parts): string[] =>
  parts.flatMap((part) => {
    if ('text' in part) return [];
    if ('slot' in part) return [`{${part.slot}}`];
    return 'thing' in part ? [`<${part.thing}/>`] : [`<${part.mark}>`, ...placeholders(part.inside)];
  });

/** A message in other words: what stands between the placeholders is changed. */
export const reworded = (parts: Parts, words: (text: string) => string): Parts =>
  parts.map((part) => {
    if ('text' in part) return { text: words(part.text) };
    return 'mark' in part ? { ...part, inside: reworded(part.inside, words) } : part;
  });

/** The words of a message without its placeholders. */
export const plainText = (parts: Parts): string =>
  parts.map((part) => ('text' in part ? part.text : 'mark' in part ? plainText(part.inside) : '')).join('');
