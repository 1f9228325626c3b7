// One source with all that it says, and the same source in other words.
import ts from 'typescript';
import type { Words } from './follow.ts';
import type { Parts } from './message.ts';
import { isSentence, pluralOf, siteOfChildren, siteOfPlural, siteOfWords, type Site } from './sites.ts';
import { written } from './message.ts';
import { walk } from './uses.ts';

/** What a message is in another language: a form, or one for each class of counts; undefined: it has none yet. */
export type Translate = (id: string) => readonly Parts[] | undefined;

/** What a message goes by: its English. Gaps at its ends are no matter of translation. */
export const idOf = (site: Site): string => written(site.parts).trim();

function siteOf(node: ts.Node, words: ReadonlySet<Words>): Site | undefined {
  if ((ts.isJsxElement(node) || ts.isJsxFragment(node)) && isSentence(node)) return siteOfChildren(node);
  if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node))
    return words.has(node) ? siteOfWords(node) : undefined;
  if (!ts.isCallExpression(node) || pluralOf(node) === undefined) return undefined;
  const noun = node.arguments[1];
  return noun !== undefined && ts.isStringLiteralLike(noun) && words.has(noun) ? siteOfPlural(node) : undefined;
}

/** All that a source says, what holds others before what it holds. */
export function sitesOf(source: ts.SourceFile, words: ReadonlySet<Words>): Site[] {
  const absorbed = new Set<ts.Node>();
  const sites: Site[] = [];
  walk(source, (node) => {
    const site = absorbed.has(node) ? undefined : siteOf(node, words);
    if (site === undefined) return;
    sites.push(site);
    for (const part of site.absorbed) absorbed.add(part);
    if (site.many === undefined) return;
    for (const held of site.holds)
      if (pluralOf(held) !== undefined) absorbed.add(ts.isJsxExpression(held) ? (held.expression ?? held) : held);
  });
  return sites.sort((a, b) => a.start - b.start || b.end - a.end);
}

const inTemplate = (text: string): string => text.replace(/[\\`]|\$(?=\{)/g, '\\$&');

/** Writes a source again with its messages in other words: reordered, what stands for something moves with it. */
export class Rewriter {
  readonly #source: ts.SourceFile;
  readonly #sites: readonly Site[];
  readonly #translate: Translate;
  #counts = false;

  constructor(source: ts.SourceFile, sites: readonly Site[], translate: Translate) {
    this.#source = source;
    this.#sites = sites;
    this.#translate = translate;
  }

  /** @param formOf which form a count takes, as an expression of `n` */
  write(formOf: string): string {
    const text = this.#emit(0, this.#source.end);
    return this.#counts ? `${text}\n${helpers(formOf)}` : text;
  }

  #emit(start: number, end: number, but?: Site): string {
    let from = start;
    let text = '';
    for (const site of this.#sites) {
      if (site === but || site.start < from || site.end > end) continue;
      text += this.#source.text.slice(from, site.start) + this.#render(site);
      from = site.end;
    }
    return text + this.#source.text.slice(from, end);
  }

  #emitNode = (node: ts.Node): string => this.#emit(node.getStart(), node.end);

  #render(site: Site): string {
    const forms = this.#translate(idOf(site));
    const [first] = forms ?? [];
    if (forms === undefined || first === undefined) return this.#emit(site.start, site.end, site);
    const spaced = forms.map((parts) => withGaps(site, parts));
    if (site.many === undefined) return this.#plain(site, spaced[0] ?? []);
    this.#counts = true;
    const isChildren = site.kind === 'children';
    const choices = spaced.map((parts) =>
      isChildren ? `<>${this.#children(site, parts)}</>` : this.#template(site, parts),
    );
    const chosen = `$form(${this.#emitNode(site.many.count)}, [${choices.join(', ')}])`;
    return isChildren ? `{${chosen}}` : chosen;
  }

  #plain(site: Site, parts: Parts): string {
    if (site.kind === 'children') return this.#children(site, parts);
    if (site.kind === 'template') return this.#template(site, parts);
    const text = JSON.stringify(written(parts));
    return site.kind === 'attribute' ? `{${text}}` : text;
  }

  #template(site: Site, parts: Parts): string {
    const inner = parts.map((part) => {
      if ('text' in part) return inTemplate(part.text);
      const slot = 'slot' in part ? part.slot : -1;
      const node = site.holds[slot];
      if (node === undefined) return '';
      return slot === site.many?.slot
        ? `\${$count(${this.#emitNode(site.many.count)})}`
        : `\${${this.#emitNode(node)}}`;
    });
    return `\`${inner.join('')}\``;
  }

  /** What is put in, between elements. */
  #slot(site: Site, slot: number): string {
    if (site.many?.slot === slot) return `{$count(${this.#emitNode(site.many.count)})}`;
    const node = site.holds[slot];
    if (node === undefined) return '';
    return ts.isJsxExpression(node) ? this.#emitNode(node) : `{${this.#emitNode(node)}}`;
  }

  #children(site: Site, parts: Parts): string {
    return parts
      .map((part) => {
        if ('text' in part) return `{${JSON.stringify(part.text)}}`;
        if ('slot' in part) return this.#slot(site, part.slot);
        const node = site.holds['thing' in part ? part.thing : part.mark];
        if (node === undefined) return '';
        if (!('mark' in part) || !ts.isJsxElement(node)) return this.#emitNode(node);
        const { openingElement, closingElement } = node;
        return this.#emitNode(openingElement) + this.#children(site, part.inside) + closingElement.getText();
      })
      .join('');
  }
}

/** The gaps of the English at its ends, which translators do not see. */
function withGaps(site: Site, parts: Parts): Parts {
  const [, before = '', after = ''] = /^(\s*)[^]*?(\s*)$/.exec(written(site.parts)) ?? [];
  return [...(before === '' ? [] : [{ text: before }]), ...parts, ...(after === '' ? [] : [{ text: after }])];
}

const helpers = (formOf: string): string => `import { formatCount as $count } from '#analysis/format';
function $form<T>(n: number, forms: readonly [T, ...T[]]): T {
  return forms[Number(${formOf})] ?? forms[0];
}
`;
