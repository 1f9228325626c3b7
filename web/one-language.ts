// React Aria brings its words in 34 languages. The page speaks English, and so shall its labels; nobody is to fetch the others.
import type { Plugin } from 'vite';

const WORDS = /\/react-(aria|stately|aria-components)\/dist\/private\/intl\/(.*\/)?[a-z]{2}-[A-Z]{2}\.mjs$/;

export const oneLanguage = (): Plugin => ({
  name: 'paceline-one-language',
  apply: 'build',
  enforce: 'pre',
  load: (id) => (WORDS.test(id) && !id.endsWith('/en-US.mjs') ? "export { default } from './en-US.mjs';" : null),
});
