// React Aria brings its words in 34 languages. The page speaks one, and so shall its labels; nobody is to fetch the others.
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

const WORDS = /\/react-(aria|stately|aria-components)\/dist\/private\/intl\/(.*\/)?[a-z]{2}-[A-Z]{2}\.mjs$/;
const ENGLISH = 'en-US.mjs';

/** `de` is de-DE.mjs; English where it does not know the language. */
async function wordsFor(language: string, folder: string): Promise<string> {
  if (language === '') return ENGLISH;
  if (existsSync(join(folder, `${language}.mjs`))) return `${language}.mjs`;
  const [main = ''] = language.split('-');
  return (await readdir(folder)).sort().find((name) => name.startsWith(`${main}-`) && name.endsWith('.mjs')) ?? ENGLISH;
}

/** @param language empty: English */
export const oneLanguage = (language = ''): Plugin => ({
  name: 'paceline-one-language',
  apply: 'build',
  enforce: 'pre',
  async load(id) {
    if (!WORDS.test(id)) return null;
    const words = await wordsFor(language, dirname(id));
    return id.endsWith(`/${words}`) ? null : `export { default } from './${words}';`;
  },
});
