// Messages as a file of gettext, which the tools of translators open: English in paceline.pot, each language in a file of its own.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { po } from 'gettext-parser';
import type { GetTextTranslation, GetTextTranslations } from 'gettext-parser';
import { faultOf } from './faults.ts';
import { read, type Parts } from './message.ts';
import { formOf } from './plural-rule.ts';
import type { Text, Texts } from './texts.ts';

export const FOLDER = 'web/texts';
export const TEMPLATE = `${FOLDER}/paceline.pot`;

const HEADERS = {
  'Project-Id-Version': 'Paceline',
  'MIME-Version': '1.0',
  'Content-Type': 'text/plain; charset=utf-8',
  'Content-Transfer-Encoding': '8bit',
};

const entryOf = (text: Text): GetTextTranslation => ({
  msgid: text.id,
  ...(text.many === undefined ? {} : { msgid_plural: text.many }),
  msgstr: text.many === undefined ? [''] : ['', ''],
  comments: { extracted: text.holds.join('\n'), reference: [...text.files].join('\n') },
});

const compiled = (headers: Readonly<Record<string, string>>, texts: Iterable<Text>): string => {
  const entries = Object.fromEntries([...texts].map((text) => [text.id, entryOf(text)]));
  const table: GetTextTranslations = { charset: 'utf-8', headers: { ...headers }, translations: { '': entries } };
  return `${po.compile(table, { foldLength: 120 }).toString('utf8').trimEnd()}\n`;
};

/** All messages, in the order of the files that say them. */
export const template = ({ byId }: Texts): string =>
  compiled({ ...HEADERS, 'Plural-Forms': 'nplurals=2; plural=(n != 1);' }, byId.values());

export interface Catalogue {
  readonly language: string;
  /** As which language dates are written. */
  readonly dates: string;
  /** Of each message that is translated: its forms. */
  readonly messages: ReadonlyMap<string, readonly Parts[]>;
  /** Which form a count takes, as an expression of `n`. */
  readonly form: string;
  readonly missing: number;
  /** Translated, but said no more. */
  readonly unused: number;
}

/** What a file of translations may not be. */
export class CatalogueFault extends Error {
  constructor(file: string, faults: readonly string[]) {
    super(`${file} cannot be used:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  }
}

function parsed(file: string, text: string): GetTextTranslations {
  try {
    return po.parse(text);
  } catch (error) {
    throw new CatalogueFault(file, [error instanceof Error ? error.message : String(error)]);
  }
}

/** A file without a head has none, whatever the types say. */
const headersOf = (table: { readonly headers?: Readonly<Record<string, string | undefined>> }) => table.headers ?? {};

const isFuzzy = ({ comments }: GetTextTranslation): boolean => /\bfuzzy\b/.test(comments?.flag ?? '');
const isThere = (entry: GetTextTranslation): boolean => !isFuzzy(entry) && entry.msgstr.some((form) => form !== '');

/** Reads a file of translations; what is wrong in it is told with its message, all of it at once. */
export function readCatalogue(file: string, text: string, language: string, { byId }: Pick<Texts, 'byId'>): Catalogue {
  const table = parsed(file, text);
  const rule = formOf(headersOf(table)['Plural-Forms'] ?? '');
  if ('fault' in rule) throw new CatalogueFault(file, [`Plural-Forms: ${rule.fault}`]);
  const faults: string[] = [];
  const messages = new Map<string, readonly Parts[]>();
  let unused = 0;
  for (const entry of Object.values(table.translations).flatMap((context) => Object.values(context))) {
    if (entry.msgid === '' || !isThere(entry)) continue;
    const english = byId.get(entry.msgid);
    if (english === undefined) {
      unused += 1;
      continue;
    }
    const own = faultOf(english, entry.msgstr, rule.forms);
    if (own.length > 0) faults.push(...own.map((fault) => `“${entry.msgid}”: ${fault}`));
    else messages.set(entry.msgid, entry.msgstr.map(read));
  }
  if (faults.length > 0) throw new CatalogueFault(file, faults);
  return { language, dates: language, messages, form: rule.expression, missing: byId.size - messages.size, unused };
}

/** Languages that there is a file of. */
export const languages = (root: string): string[] =>
  readdirSync(`${root}/${FOLDER}`).flatMap((name) => (name.endsWith('.po') ? [name.slice(0, -3)] : []));

export function catalogueOf(root: string, language: string, texts: Texts): Catalogue {
  const file = `${FOLDER}/${language}.po`;
  if (!/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(language))
    throw new Error(`“${language}” is no language: PACELINE_LANGUAGE is a code such as de or pt-BR`);
  if (!existsSync(`${root}/${file}`)) {
    const there = languages(root);
    throw new Error(
      `There is no ${file}; ${there.length === 0 ? 'no language has one yet' : `there are: ${there.join(', ')}`}. docs/texts.md says how to add one.`,
    );
  }
  return readCatalogue(file, readFileSync(`${root}/${file}`, 'utf8'), language, texts);
}
