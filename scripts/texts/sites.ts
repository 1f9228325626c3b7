// Each place in a source that says something: its message, and what of the source its placeholders stand for.
import ts from 'typescript';
import type { Words } from './follow.ts';
import { BLOCK_ELEMENTS, FOR_PROGRAMS, UNITS } from './lists.ts';
import { read, written, type Part, type Parts } from './message.ts';
import { isOpaque, tagOf } from './sinks.ts';

export interface Site {
  readonly start: number;
  readonly end: number;
  readonly kind: 'attribute' | 'string' | 'template' | 'children';
  readonly parts: Parts;
  /** Of a message with a count: English for others than one, and what is counted. */
  readonly many?: { readonly parts: Parts; readonly count: ts.Expression; readonly slot: number };
  /** What stands for each number. */
  readonly holds: readonly ts.Node[];
  /** What is part of this message, and says nothing by itself. */
  readonly absorbed: readonly ts.Node[];
}

/** Something to translate: a letter that is of no unit. */
export const says = (text: string): boolean =>
  !FOR_PROGRAMS.test(text) && (text.match(/[\p{L}µ]+/gu) ?? []).some((word) => !UNITS.has(word));
export const saysParts = (parts: Parts): boolean =>
  parts.some((part) => ('text' in part ? says(part.text) : 'mark' in part && saysParts(part.inside)));

/** `plural(count, 'run')`, with the word for others than one if it is not regular. */
export function pluralOf(node: ts.Node): { count: ts.Expression; one: string; many: string } | undefined {
  if (ts.isJsxExpression(node)) return node.expression === undefined ? undefined : pluralOf(node.expression);
  if (!ts.isCallExpression(node) || node.expression.getText() !== 'plural') return undefined;
  const [count, one, many] = node.arguments;
  if (count === undefined || one === undefined || !ts.isStringLiteralLike(one)) return undefined;
  if (many !== undefined && !ts.isStringLiteralLike(many)) return undefined;
  return { count, one: one.text, many: many?.text ?? `${one.text}s` };
}

/** Collects parts and what they stand for, and what has become part of the message and says nothing by itself. */
class Builder {
  readonly holds: ts.Node[] = [];
  readonly absorbed: ts.Node[] = [];
  slot = (node: ts.Node): number => this.holds.push(node) - 1;
  absorb<T extends ts.Node>(node: T): T {
    this.absorbed.push(node);
    return node;
  }
}

const textPart = (text: string): Part[] => (text === '' ? [] : [{ text }]);

function templateParts(node: ts.TemplateExpression, builder: Builder): Part[] {
  return [
    ...textPart(node.head.text),
    ...node.templateSpans.flatMap(({ expression, literal }) => [
      ...(ts.isStringLiteralLike(expression)
        ? textPart(builder.absorb(expression).text)
        : [{ slot: builder.slot(expression) }]),
      ...textPart(literal.text),
    ]),
  ];
}

/** A sentence with one count in it has as many forms as the language has: the noun becomes a part of it. */
function withCount(parts: readonly Part[], holds: readonly ts.Node[]): Pick<Site, 'parts' | 'many'> {
  const counted = holds.flatMap((node, slot) => {
    const plural = pluralOf(node);
    return plural === undefined ? [] : [{ ...plural, slot }];
  });
  const [only] = counted;
  if (only === undefined || counted.length > 1) return { parts };
  const say = (noun: string, of: readonly Part[]): Part[] =>
    of.flatMap((part): Part[] => {
      if ('mark' in part) return [{ ...part, inside: say(noun, part.inside) }];
      return 'slot' in part && part.slot === only.slot ? [part, { text: ` ${noun}` }] : [part];
    });
  const joined = (noun: string): Parts => read(written(say(noun, parts)));
  return { parts: joined(only.one), many: { parts: joined(only.many), count: only.count, slot: only.slot } };
}

export function siteOfWords(node: Words): Site | undefined {
  const builder = new Builder();
  const place = { start: node.getStart(), end: node.end };
  if (ts.isTemplateExpression(node)) {
    const parts = templateParts(node, builder);
    const whole = withCount(parts, builder.holds);
    if (FOR_PROGRAMS.test(node.head.text) || !saysParts(whole.parts)) return undefined;
    return { ...place, kind: 'template', ...whole, holds: builder.holds, absorbed: builder.absorbed };
  }
  if (!says(node.text) || pluralOf(node.parent) !== undefined) return undefined;
  return {
    ...place,
    kind: ts.isJsxAttribute(node.parent) ? 'attribute' : 'string',
    parts: [{ text: node.text }],
    holds: [],
    absorbed: [],
  };
}

/** `plural(…)` by itself, in no sentence. */
export function siteOfPlural(node: ts.CallExpression): Site | undefined {
  if (pluralOf(node) === undefined) return undefined;
  const whole = withCount([{ slot: 0 }], [node]);
  return { start: node.getStart(), end: node.end, kind: 'template', ...whole, holds: [node], absorbed: [] };
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', nbsp: '\u00a0' };
/** What React shows of text between elements: lines are trimmed and joined. */
export function shownText(text: string): string {
  const lines = text.split(/\r?\n/).map((line, i, all) => {
    const left = i === 0 ? line : line.replace(/^[ \t]+/, '');
    return i === all.length - 1 ? left : left.replace(/[ \t]+$/, '');
  });
  const shown = lines.filter((line) => line !== '').join(' ');
  return shown.replace(/&(\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole);
}

type Parent = ts.JsxElement | ts.JsxFragment;

/** The words of a child of an element, if it is nothing but words. */
function ownWords(child: ts.JsxChild): string | undefined {
  if (ts.isJsxText(child)) return shownText(child.text);
  if (!ts.isJsxExpression(child)) return undefined;
  if (child.expression === undefined) return '';
  return ts.isStringLiteralLike(child.expression) ? child.expression.text : undefined;
}

/** Words of its own between what else it holds: then all of it is one sentence. */
export const isSentence = (node: Parent): boolean =>
  !isOpaque(node) && node.children.some((child) => ts.isJsxText(child) && says(ownWords(child) ?? ''));

/** Inside a sentence, an element that holds words is part of it; one that stands by itself is not. */
const isInline = (node: ts.JsxChild): node is ts.JsxElement =>
  ts.isJsxElement(node) &&
  !isOpaque(node) &&
  !BLOCK_ELEMENTS.has(tagOf(node)) &&
  node.children.every((child) => ownWords(child) !== undefined || ts.isJsxExpression(child) || isInline(child)) &&
  node.children.some((child) => says(ownWords(child) ?? '') || isInline(child));

function childParts(children: readonly ts.JsxChild[], builder: Builder): Part[] {
  return children.flatMap((child): Part[] => {
    const words = ownWords(child);
    if (words !== undefined) {
      if (ts.isJsxExpression(child) && child.expression !== undefined) builder.absorb(child.expression);
      return textPart(words);
    }
    if (isInline(child)) {
      const mark = builder.slot(builder.absorb(child));
      return [{ mark, inside: childParts(child.children, builder) }];
    }
    if (!ts.isJsxExpression(child)) return [{ thing: builder.slot(child) }];
    return child.expression !== undefined && ts.isTemplateExpression(child.expression)
      ? templateParts(builder.absorb(child.expression), builder)
      : [{ slot: builder.slot(child) }];
  });
}

/** Things and gaps before the first and after the last word are no matter of language. */
function core(children: readonly ts.JsxChild[]): readonly ts.JsxChild[] {
  const isOutside = (child: ts.JsxChild): boolean =>
    ownWords(child)?.trim() === '' || (!ts.isJsxText(child) && !ts.isJsxExpression(child) && !isInline(child));
  const from = children.findIndex((child) => !isOutside(child));
  const to = children.findLastIndex((child) => !isOutside(child));
  return children.slice(from, to + 1);
}

export function siteOfChildren(node: Parent): Site | undefined {
  const children = core(node.children);
  const [first, last] = [children[0], children.at(-1)];
  if (!isSentence(node) || first === undefined || last === undefined) return undefined;
  const builder = new Builder();
  const whole = withCount(childParts(children, builder), builder.holds);
  const { holds, absorbed } = builder;
  return {
    start: first.pos,
    end: last.end,
    kind: 'children',
    ...whole,
    parts: read(written(whole.parts)),
    holds,
    absorbed,
  };
}
