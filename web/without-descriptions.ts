// The schemas and columns of the protocol carry descriptions, from which documents are made. No page reads them, and nobody is to fetch them.
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
interface Property extends Node {
  readonly key: { readonly name?: string };
  readonly value: Node;
}
interface Piece {
  readonly start: number;
  readonly end: number;
  readonly instead: string;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;
/** `schema.describe('…')` */
const describes = (node: Node): node is Call & { callee: { object: Node } } =>
  node.type === 'CallExpression' && (node as Call).callee.property?.name === 'describe';

/** `doc: '…'` */
const documents = (node: Node): node is Property =>
  node.type === 'Property' && (node as Property).key.name === 'doc' && (node as Property).value.type === 'Literal';

/** Where a piece of the program is only there to describe. */
function descriptionsIn(node: Node): Piece[] {
  const own = describes(node)
    ? [{ start: node.callee.object.end, end: node.end, instead: '' }]
    : documents(node)
      ? [{ start: node.value.start, end: node.value.end, instead: "''" }]
      : [];
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
    for (const { start, end, instead } of descriptionsIn(this.parse(code)).sort((a, b) => b.start - a.start))
      left = left.slice(0, start) + instead + left.slice(end);
    return { code: left, map: null };
  },
});
