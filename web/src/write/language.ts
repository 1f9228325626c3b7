// The language of own algorithms as its declaration tells it: what there is, of what type, and what it means.
export interface Word {
  readonly name: string;
  readonly type: string;
  /** One or two sentences; empty where the name says it. */
  readonly doc: string;
  readonly optional: boolean;
  /** Of an object that is described in place. */
  readonly members: readonly Word[];
}

export interface LanguageType {
  readonly name: string;
  readonly doc: string;
  /** What an alias stands for; null: its members say it. */
  readonly alias: string | null;
  readonly members: readonly Word[];
}

const MEMBER = /^ +(?:readonly )?(\w+)(\?)?(\(.*\))?: (.*?)(;|\{)$/;
const INTERFACE = /^interface (\w+) \{$/;
const ALIAS = /^type (\w+) = (.*);$/;

const plain = (comment: string): string =>
  comment
    .replace(/^\s*\/\*\*|\*\/\s*$/g, '')
    .replace(/\n\s*\* ?/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

interface Open {
  readonly members: Word[];
}

/** Reads it as Prettier leaves it: a declaration a line, what is nested further in. */
export function languageOf(source: string): LanguageType[] {
  const types: LanguageType[] = [];
  const open: Open[] = [];
  let comment: string | null = null;
  let doc = '';
  const begin = (members: Word[]): void => {
    open.push({ members });
    doc = '';
  };
  for (const line of source.split('\n')) {
    if (comment !== null || line.trimStart().startsWith('/**')) {
      comment = comment === null ? line : `${comment}\n${line}`;
      if (line.trimEnd().endsWith('*/')) [doc, comment] = [plain(comment), null];
      continue;
    }
    const alias = ALIAS.exec(line);
    const named = INTERFACE.exec(line);
    const member = MEMBER.exec(line);
    const members: Word[] = [];
    if (alias !== null) types.push({ name: alias[1] ?? '', doc, alias: alias[2] ?? '', members });
    else if (named !== null) {
      types.push({ name: named[1] ?? '', doc, alias: null, members });
      begin(members);
    } else if (member !== null) {
      const [, name = '', mark, call, type = '', end] = member;
      const nested = end === '{';
      const said = call === undefined ? type : `${call} => ${type}`;
      open.at(-1)?.members.push({ name, type: nested ? 'object' : said, doc, optional: mark === '?', members });
      if (nested) begin(members);
    } else if (/^\s*\};?$/.test(line)) open.pop();
    doc = '';
  }
  return types;
}
