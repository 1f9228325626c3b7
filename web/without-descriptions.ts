// The schemas of the protocol carry descriptions, from which documents are made. No page reads them, and nobody is to fetch them.
import type { Plugin } from 'vite';

const PROTOCOL = /\/emulator-bridge\/protocol\/[a-z-]+\.ts$/;

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}
interface Call extends Node {
  readonly callee: Node & { readonly object?: Node; readonly property?: { readonly name?: string } };
  readonly arguments: readonly Node[];
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;
/** `schema.describe('…')` */
const describes = (node: Node): node is Call & { callee: { object: Node } } =>
  node.type === 'CallExpression' && (node as Call).callee.property?.name === 'describe';

/** Where a piece of the program is only there to describe. */
function descriptionsIn(node: Node): { start: number; end: number }[] {
  const own = describes(node) ? [{ start: node.callee.object.end, end: node.end }] : [];
  const below = describes(node) ? [node.callee.object] : Object.values(node).flat().filter(isNode);
  return [...own, ...below.flatMap(descriptionsIn)];
}

export const withoutDescriptions = (): Plugin => ({
  name: 'paceline-without-descriptions',
  apply: 'build',
  enforce: 'post',
  transform(code, id) {
    if (!PROTOCOL.test(id)) return null;
    let left = code;
    for (const { start, end } of descriptionsIn(this.parse(code)).sort((a, b) => b.start - a.start))
      left = left.slice(0, start) + left.slice(end);
    return { code: left, map: null };
  },
});
