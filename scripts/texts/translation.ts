// The page's sources in another language, and the same once more while nothing of it has changed: to find the texts takes the compiler a
// minute.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogueOf, FOLDER, type Catalogue } from './catalogue.ts';
import { ROOMS } from './checked.ts';
import { written } from './message.ts';
import { PSEUDO, pseudoCatalogue } from './pseudo.ts';
import { findTexts, rewritten, type Texts } from './texts.ts';

export interface Translation {
  /** By path from the root. Those that say nothing are not among them. */
  readonly sources: Readonly<Record<string, string>>;
  /** What web/index.html says, by its English. */
  readonly html: Readonly<Record<string, string>>;
  /** How much of it is translated, in words. */
  readonly summary: string;
}

/** All that a translation comes from, beside the dependencies, which the lock file names. */
const MADE_OF = [...ROOMS, 'scripts/texts', FOLDER];
const FILES = ['web/index.html', 'web/tsconfig.json', 'tsconfig.base.json', 'package-lock.json'];

function digestOf(root: string): string {
  const hash = createHash('sha256');
  const inside = (folder: string): string[] =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
      .sort();
  const isThere = (name: string): boolean => existsSync(join(root, name));
  for (const name of [...MADE_OF.filter(isThere).flatMap(inside), ...FILES.filter(isThere)]) {
    const content = readFileSync(join(root, name));
    hash.update(`${name}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

const catalogueIn = (root: string, language: string, texts: Texts): Catalogue =>
  language === PSEUDO ? pseudoCatalogue(texts) : catalogueOf(root, language, texts);

/** @param texts found anew where they are not given */
export function translate(root: string, language: string, texts = findTexts(root)): Translation {
  const { messages, form, dates, missing, unused } = catalogueIn(root, language, texts);
  const sources = rewritten(texts, (id) => messages.get(id), form, dates);
  const html = texts.html.flatMap(({ text }): [string, string][] => {
    const [first] = messages.get(text) ?? [];
    return first === undefined ? [] : [[text, written(first)]];
  });
  const late = unused === 0 ? '' : `; ${unused} that it has are said no more`;
  return {
    sources: Object.fromEntries([...sources].map(([file, text]) => [file.slice(root.length + 1), text])),
    html: Object.fromEntries(html),
    summary: `${language}: ${messages.size} of ${texts.byId.size} messages, ${missing} stay English${late}.`,
  };
}

/** @param make what it comes from if nothing is kept, or something has changed since */
export function keptTranslation(
  root: string,
  language: string,
  make = (): Translation => translate(root, language),
): Translation {
  const folder = `${root}/build/texts`;
  const file = `${folder}/${language}.json`;
  const digest = digestOf(root);
  if (existsSync(file)) {
    const kept = JSON.parse(readFileSync(file, 'utf8')) as { readonly digest: string; readonly made: Translation };
    if (kept.digest === digest) return kept.made;
  }
  const made = make();
  mkdirSync(folder, { recursive: true });
  // Never half of it, whoever else builds.
  const half = `${file}.${process.pid}`;
  writeFileSync(half, JSON.stringify({ digest, made }));
  renameSync(half, file);
  return made;
}
