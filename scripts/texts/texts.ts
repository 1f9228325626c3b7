// All texts of the page: found in its sources, and each source in other words.
import type ts from 'typescript';
import { Follower } from './follow.ts';
import { pageTexts, type HtmlText } from './html.ts';
import { placeholders, read, written } from './message.ts';
import { pageProgram, type PageProgram } from './program.ts';
import { followAllShown } from './sinks.ts';
import type { Site } from './sites.ts';
import { idOf, Rewriter, sitesOf, type Translate } from './source.ts';
import { findUses } from './uses.ts';

export interface Text {
  /** Its English is its key: it is the same as long as it says the same. */
  readonly id: string;
  /** English for counts other than one. */
  readonly many?: string;
  /** The placeholder of the count. */
  readonly counts?: string;
  readonly files: ReadonlySet<string>;
  /** What stands for the numbers in it, as the source has it. */
  readonly holds: readonly string[];
}

export interface Texts {
  readonly page: PageProgram;
  readonly sites: ReadonlyMap<ts.SourceFile, readonly Site[]>;
  readonly html: readonly HtmlText[];
  readonly byId: ReadonlyMap<string, Text>;
}

const LONGEST_HINT = 60;
const hint = (node: ts.Node): string => {
  const text = node.getText().replace(/\s+/g, ' ');
  return text.length <= LONGEST_HINT ? text : `${text.slice(0, LONGEST_HINT)}…`;
};

interface Found extends Text {
  readonly files: Set<string>;
}

function note(byId: Map<string, Found>, file: string, id: string, site?: Site): void {
  // What translators would take for a placeholder.
  if (placeholders(read(id)).length > (site?.holds.length ?? 0))
    throw new Error(`${file}: “${id}” has a bracketed number`);
  const many = site?.many === undefined ? undefined : written(site.many.parts).trim();
  const there = byId.get(id);
  if (there === undefined)
    byId.set(id, {
      id,
      ...(many === undefined ? {} : { many, counts: `{${site?.many?.slot ?? 0}}` }),
      files: new Set([file]),
      holds: site?.holds.map((node, i) => `${i}: ${hint(node)}`) ?? [],
    });
  else if (there.many !== many) throw new Error(`${file}: “${id}” says a count in one place and none in another`);
  else there.files.add(file);
}

export function findTexts(root: string, page = pageProgram(root)): Texts {
  const follower = new Follower(page, findUses(page));
  followAllShown(page.sources, follower);
  const sites = new Map<ts.SourceFile, readonly Site[]>();
  const byId = new Map<string, Found>();
  const html = pageTexts(root);
  for (const { text } of html) note(byId, 'web/index.html', text);
  for (const source of page.sources) {
    const own = sitesOf(source, follower.words);
    if (own.length === 0) continue;
    sites.set(source, own);
    for (const site of own) note(byId, page.nameOf(source), idOf(site), site);
  }
  return { page, sites, html, byId };
}

/** How the page writes dates: as English, of which it has the order of day and month. */
const DATES = "'en-GB'";

/** The sources that say something, by full path, in other words. @param dates as which language dates are written */
export function rewritten(texts: Texts, translate: Translate, formOf: string, dates: string): Map<string, string> {
  return new Map(
    texts.page.sources.flatMap((source): [string, string][] => {
      const sites = texts.sites.get(source) ?? [];
      const isDated = source.text.includes(DATES);
      if (sites.length === 0 && !isDated) return [];
      const text = new Rewriter(source, sites, translate).write(formOf);
      return [[source.fileName, isDated ? text.replaceAll(DATES, JSON.stringify(dates)) : text]];
    }),
  );
}
