// What web/index.html says before the code is there: its description, and the words between its tags.
import { readFileSync } from 'node:fs';
import { says } from './sites.ts';

export interface HtmlText {
  readonly text: string;
  /** Where it stands in the file. */
  readonly start: number;
  readonly end: number;
}

/** Not read: scripts, styles, comments. */
const FOR_MACHINES = /<(script|style)\b[^]*?<\/\1>|<!--[^]*?-->/g;
const SAID = /(?<=>)[^<>]+(?=<)|(?<=name="description"\s+content=")[^"]+(?=")/g;

export const oneLine = (text: string): string => text.trim().replace(/\s+/g, ' ');

export function textsIn(html: string): HtmlText[] {
  const left = html.replace(FOR_MACHINES, (part) => ' '.repeat(part.length));
  return [...left.matchAll(SAID)]
    .filter(([text]) => says(text))
    .map((match) => ({ text: oneLine(match[0]), start: match.index, end: match.index + match[0].length }));
}

export const pageTexts = (root: string): HtmlText[] => textsIn(readFileSync(`${root}/web/index.html`, 'utf8'));

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => ESCAPES[sign] ?? sign);

/** @param say what a text is in the language; undefined: it has none yet */
export function htmlIn(html: string, language: string, say: (text: string) => string | undefined): string {
  let out = html;
  for (const { text, start, end } of textsIn(html).reverse()) {
    const said = say(text);
    if (said !== undefined) out = out.slice(0, start) + escaped(said) + out.slice(end);
  }
  return out.replace('<html lang="en">', `<html lang="${language}">`);
}
