// The page in another language: each source is written again with its messages in that language before anything else reads it
// (scripts/texts). Nothing of it is left at runtime, and without a language there is nothing of it in the build.
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { htmlIn } from '../scripts/texts/html.ts';
import { written } from '../scripts/texts/message.ts';
import { catalogueOf, type Catalogue } from '../scripts/texts/catalogue.ts';
import { PSEUDO, pseudoCatalogue } from '../scripts/texts/pseudo.ts';
import { findTexts, rewritten, type Texts } from '../scripts/texts/texts.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');

interface Ready {
  readonly catalogue: Catalogue;
  readonly sources: ReadonlyMap<string, string>;
}

const catalogueIn = (language: string, texts: Texts): Catalogue =>
  language === PSEUDO ? pseudoCatalogue(texts) : catalogueOf(ROOT, language, texts);

function prepare(language: string): Ready {
  const texts = findTexts(ROOT);
  const catalogue = catalogueIn(language, texts);
  const sources = rewritten(texts, (id) => catalogue.messages.get(id), catalogue.form, catalogue.dates);
  const unused = catalogue.unused === 0 ? '' : `; ${catalogue.unused} that it has are said no more`;
  console.warn(
    `${language}: ${catalogue.messages.size} of ${texts.byId.size} messages, ${catalogue.missing} stay English${unused}.`,
  );
  return { catalogue, sources };
}

/** @param language `de`: of web/texts/de.po; `xx`: of nobody, for tests; empty: none */
export function translated(language: string): Plugin[] {
  if (language === '') return [];
  let ready: Ready | undefined;
  const get = (): Ready => (ready ??= prepare(language));
  return [
    {
      name: 'paceline-translated',
      apply: 'build',
      enforce: 'pre',
      // Vite knows its files by what follows the `?`, too.
      load: (id) => get().sources.get(id) ?? null,
      transformIndexHtml: {
        order: 'pre',
        handler: (html) =>
          htmlIn(html, language, (text) => {
            const [form] = get().catalogue.messages.get(text) ?? [];
            return form === undefined ? undefined : written(form);
          }),
      },
    },
  ];
}
