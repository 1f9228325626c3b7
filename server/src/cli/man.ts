// `paceline man`: manual pages, made of the help texts.
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseWords, UsageError } from '../config.ts';
import { VERSION } from '../version.ts';
import { COMMANDS, HELP } from './commands.ts';
import { EXIT } from './exit.ts';
import { helpTexts } from './help-texts.ts';
import { summariesIn } from './help-words.ts';
import { manualPage } from './manual-page.ts';

const MAN_HELP = `Usage: paceline man [--out DIR]

Writes the manual pages paceline.1 and paceline-COMMAND.1, as man(1) reads them: the help of each command.

  --out DIR  where they go (default: man); man -l DIR/paceline.1 shows one, and MANPATH finds those in a man1
`;

export async function manualPages(): Promise<Map<string, string>> {
  const summaries = summariesIn(HELP);
  const pages = new Map([
    [
      'paceline',
      manualPage({ name: 'paceline', summary: 'a laboratory for congestion control', help: HELP, version: VERSION }),
    ],
  ]);
  for (const [command, help] of await helpTexts(COMMANDS)) {
    const name = `paceline-${command}`;
    pages.set(name, manualPage({ name, summary: summaries.get(command) ?? command, help, version: VERSION }));
  }
  return pages;
}

export async function man(words: readonly string[]): Promise<number> {
  const { values, positionals } = parseWords({
    args: [...words],
    allowPositionals: true,
    options: { out: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help === true) {
    process.stdout.write(MAN_HELP);
    return EXIT.ok;
  }
  if (positionals.length > 0) throw new UsageError(`man: writes all pages: ${positionals.join(' ')}`);
  const folder = resolve(values.out ?? 'man');
  await mkdir(folder, { recursive: true });
  const pages = await manualPages();
  for (const [name, page] of pages) await writeFile(join(folder, `${name}.1`), page);
  process.stdout.write(`${pages.size} pages in ${folder}\n`);
  return EXIT.ok;
}
