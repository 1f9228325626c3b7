// Where the page shows something: from there the words are followed back.
import ts from 'typescript';
import type { Follower } from './follow.ts';
import {
  OPAQUE_ELEMENTS,
  READ_ATTRIBUTES,
  READ_CONSTANTS,
  READ_PROPERTIES,
  SHOWING_CALLS,
  SHOWING_PROPERTIES,
} from './lists.ts';
import { ANY, named } from './steps.ts';
import { nameText, walk } from './uses.ts';

export const tagOf = (node: ts.JsxElement | ts.JsxSelfClosingElement): string =>
  (ts.isJsxElement(node) ? node.openingElement : node).tagName.getText();

export const isOpaque = (node: ts.Node): boolean => ts.isJsxElement(node) && OPAQUE_ELEMENTS.has(tagOf(node));

const isReadName = (name: string): boolean => READ_ATTRIBUTES.has(name) || READ_PROPERTIES.has(name);

function followAttribute(node: ts.JsxAttribute, follower: Follower): void {
  const value = node.initializer;
  if (value === undefined || !isReadName(node.name.getText())) return;
  const shown = ts.isJsxExpression(value) ? value.expression : value;
  if (shown !== undefined) follower.follow(shown);
}

function followCalled(node: ts.CallExpression | ts.NewExpression, follower: Follower): void {
  const callee = node.expression;
  const name = ts.isPropertyAccessExpression(callee) ? callee.name.text : callee.getText();
  const place = SHOWING_CALLS.get(name);
  const argument = place === undefined ? undefined : node.arguments?.[place];
  if (argument !== undefined) follower.follow(argument);
  for (const property of SHOWING_PROPERTIES.get(name) ?? [])
    for (const given of node.arguments ?? [])
      for (const way of [[named(property)], [named(property), ANY], [ANY, named(property)]])
        follower.follow(given, way);
}

function followAssigned(node: ts.BinaryExpression, follower: Follower): void {
  if (node.operatorToken.kind !== ts.SyntaxKind.EqualsToken || !ts.isPropertyAccessExpression(node.left)) return;
  if (['document.title'].includes(node.left.getText()) || node.left.name.text === 'textContent')
    follower.follow(node.right);
}

/** Where the types end on the way to the screen, names tell. */
function followNamed(node: ts.Node, follower: Follower): void {
  if (ts.isPropertyAssignment(node) && isReadName(nameText(node.name))) follower.follow(node.initializer);
  if (!ts.isVariableDeclaration(node) || node.initializer === undefined) return;
  if (READ_CONSTANTS.test(node.name.getText())) follower.follow(node.initializer, [ANY]);
}

export function followAllShown(sources: readonly ts.SourceFile[], follower: Follower): void {
  for (const source of sources)
    walk(source, (node) => {
      if (ts.isJsxExpression(node) && node.expression !== undefined && !ts.isJsxAttribute(node.parent)) {
        if (!isOpaque(node.parent)) follower.follow(node.expression);
      } else if (ts.isJsxAttribute(node)) followAttribute(node, follower);
      else if (ts.isCallExpression(node) || ts.isNewExpression(node)) followCalled(node, follower);
      else if (ts.isBinaryExpression(node)) followAssigned(node, follower);
      else if (source.fileName.includes('/web/src/')) followNamed(node, follower);
    });
}
