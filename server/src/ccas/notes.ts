// An algorithm's page in docs/cca, in the parts that its page in the browser shows.
import { existsSync, readFileSync } from 'node:fs';
import type { CcaNote, CcaNotes } from '#protocol/cca-about';

const PAGES = new URL('../../../docs/cca/', import.meta.url);

/** Told by the page itself: as a paragraph, as states, as links. */
const TOLD = /^(believes|does|sources?)$/i;
const PICTURE = /^!\[[^\]]*\]\([^)]*\)\n*/gm;
/** `**Is weak:** text`, or `**Checked** (five seeds each)`. */
const PART = /^\*\*([^*\n]+)\*\*/;

/** The headings of those pages go on in their text; alone they say little. */
const ALONE: Readonly<Record<string, string>> = {
  'Is weak': 'Where it is weak',
  Here: 'How it is made here',
  Checked: 'What was measured',
};

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The parts of a page that begin with a heading in bold, but for those told otherwise. */
export function notesIn(markdown: string): CcaNote[] {
  return markdown
    .replaceAll('\r\n', '\n')
    .split(/\n(?=\*\*[A-Z])/)
    .flatMap((part) => {
      const [whole, heading = ''] = PART.exec(part) ?? [];
      if (whole === undefined) return [];
      const title = heading.replace(/[:.]$/, '');
      const text = part.slice(whole.length).replaceAll(PICTURE, '').trim();
      return TOLD.test(title) || text === '' ? [] : [{ title: ALONE[title] ?? title, text: capitalised(text) }];
    });
}

/** `id`: of an algorithm that is listed. */
export function notesOf(id: string): CcaNotes {
  const file = new URL(`${id}.md`, PAGES);
  if (!existsSync(file)) return { page: null, notes: [] };
  return { page: `docs/cca/${id}.md`, notes: notesIn(readFileSync(file, 'utf8')) };
}
