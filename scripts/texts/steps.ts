// The way from something to what is read of it: `LABELS[state].title` is read by [any, title].
import ts from 'typescript';
import { nameText } from './uses.ts';

/** `any`: of a list or of a record, whichever is taken. */
export type Step = { readonly name: string } | { readonly at: number } | 'any';
export type Way = readonly Step[];

export const ANY: Step = 'any';
export const named = (name: string): Step => ({ name });
export const at = (place: number): Step => ({ at: place });
export const wayText = (way: Way): string =>
  way.map((step) => (step === 'any' ? '*' : 'name' in step ? step.name : step.at)).join('.');

/** The way through a pattern to the name that it binds: `const { a: [b] }` binds b by [a, 0]. */
export function wayOfBinding(element: ts.BindingElement): Way {
  const pattern = element.parent;
  const step: Step = ts.isArrayBindingPattern(pattern)
    ? at(pattern.elements.indexOf(element))
    : named(nameText(element.propertyName ?? element.name));
  const own: Way = element.dotDotDotToken === undefined ? [step] : ts.isArrayBindingPattern(pattern) ? [ANY] : [];
  return ts.isBindingElement(pattern.parent) ? [...wayOfBinding(pattern.parent), ...own] : own;
}

/** What holds the whole pattern: a variable or a parameter. */
export function holderOf(element: ts.BindingElement): ts.VariableDeclaration | ts.ParameterDeclaration {
  const { parent } = element.parent;
  return ts.isBindingElement(parent) ? holderOf(parent) : parent;
}

/** What a function returns, from its own `return`s only. */
export function returnsOf(node: ts.Node): ts.Expression[] {
  if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) return [node.body];
  const body = (node as ts.FunctionLikeDeclaration).body;
  const found: ts.Expression[] = [];
  const look = (child: ts.Node): void => {
    if (ts.isReturnStatement(child) && child.expression !== undefined) found.push(child.expression);
    else if (ts.isYieldExpression(child) && child.expression !== undefined) found.push(child.expression);
    if (!ts.isFunctionLike(child)) ts.forEachChild(child, look);
  };
  if (body !== undefined) ts.forEachChild(body, look);
  return found;
}

export const isFunction = (node: ts.Node): node is ts.FunctionLikeDeclaration & { body: ts.Node } =>
  ts.isFunctionLike(node) && 'body' in node && node.body !== undefined;
