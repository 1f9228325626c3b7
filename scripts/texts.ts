/** Reads every language as the build does (docs/texts.md): says what is missing, and exits 1 where something is wrong: `npm run texts`. */
import { fileURLToPath } from 'node:url';
import { catalogueOf, languages } from './texts/catalogue.ts';
import { findTexts } from './texts/texts.ts';

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const texts = findTexts(root);
const there = languages(root);
console.log(`${texts.byId.size} messages in English; languages: ${there.length === 0 ? 'none yet' : there.join(', ')}`);
for (const language of there)
  try {
    const { messages, missing, unused } = catalogueOf(root, language, texts);
    console.log(`${language}: ${messages.size} translated, ${missing} stay English, ${unused} are said no more`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
