// The page in another language: each source is written again with its messages in that language before anything else reads it
// (scripts/texts). Nothing of it is left at runtime, and without a language there is nothing of it in the build.
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { htmlIn } from '../scripts/texts/html.ts';
import { keptTranslation, type Translation } from '../scripts/texts/translation.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');

function prepare(language: string): Translation {
  const translation = keptTranslation(ROOT, language);
  console.warn(translation.summary);
  return translation;
}

/** @param language `de`: of web/texts/de.po; `xx`: of nobody, for tests; empty: none */
export function translated(language: string): Plugin[] {
  if (language === '') return [];
  let ready: Translation | undefined;
  const get = (): Translation => (ready ??= prepare(language));
  return [
    {
      name: 'paceline-translated',
      apply: 'build',
      enforce: 'pre',
      // Vite knows its files by what follows the `?`, too.
      load: (id) => (id.startsWith(`${ROOT}/`) ? (get().sources[id.slice(ROOT.length + 1)] ?? null) : null),
      transformIndexHtml: { order: 'pre', handler: (html) => htmlIn(html, language, (text) => get().html[text]) },
    },
  ];
}
