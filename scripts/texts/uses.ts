// Who calls what, and what is given to each property: found once, so that a text can be followed back from where it is shown.
import ts from 'typescript';
import type { PageProgram } from './program.ts';

export interface Uses {
  /** By what is called: a function, or the name that it goes by. */
  readonly calls: ReadonlyMap<ts.Node, readonly ts.CallExpression[]>;
  /** By where a property is declared. */
  readonly given: ReadonlyMap<ts.Node, readonly ts.Expression[]>;
  /** What is put into a list after it was made, by where the list is declared. */
  readonly pushed: ReadonlyMap<ts.Node, readonly ts.Expression[]>;
  readonly thrown: readonly ts.Expression[];
}

type Index<T> = Map<ts.Node, T[]>;
function add<T>(index: Index<T>, key: ts.Node | undefined, value: T): void {
  if (key === undefined) return;
  const there = index.get(key);
  if (there === undefined) index.set(key, [value]);
  else there.push(value);
}

export function walk(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node);
  ts.forEachChild(node, (child) => {
    walk(child, see);
  });
}

/** What a name stands for; what is imported is looked up where it is made. */
export function declarationsOf(checker: ts.TypeChecker, node: ts.Node): readonly ts.Declaration[] {
  const symbol = checker.getSymbolAtLocation(node);
  if (symbol === undefined) return [];
  const real = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  return real.declarations ?? [];
}

/** What is given to a property or an attribute; `true` for one without a value is nothing to read. */
function valueOf(property: ts.ObjectLiteralElementLike | ts.JsxAttributeLike): ts.Expression | undefined {
  if (ts.isPropertyAssignment(property)) return property.initializer;
  if (ts.isShorthandPropertyAssignment(property)) return property.name;
  if (!ts.isJsxAttribute(property) || property.initializer === undefined) return undefined;
  return ts.isJsxExpression(property.initializer) ? property.initializer.expression : property.initializer;
}

export const nameText = (name: ts.Node): string =>
  ts.isIdentifier(name) || ts.isStringLiteralLike(name) || ts.isNumericLiteral(name) ? name.text : name.getText();

export function findUses({ checker, sources }: PageProgram): Uses {
  const calls: Index<ts.CallExpression> = new Map();
  const given: Index<ts.Expression> = new Map();
  const pushed: Index<ts.Expression> = new Map();
  const thrown: ts.Expression[] = [];
  const giveAll = (node: ts.ObjectLiteralExpression | ts.JsxAttributes): void => {
    const type = checker.getContextualType(node);
    if (type === undefined) return;
    for (const property of node.properties) {
      const value = valueOf(property);
      if (value === undefined || property.name === undefined) continue;
      const wanted = checker.getPropertyOfType(checker.getNonNullableType(type), nameText(property.name));
      for (const declaration of wanted?.declarations ?? []) add(given, declaration, value);
    }
  };
  const seeCall = (node: ts.CallExpression): void => {
    const callee = node.expression;
    const signature = checker.getResolvedSignature(node)?.declaration;
    const names = declarationsOf(checker, ts.isPropertyAccessExpression(callee) ? callee.name : callee);
    for (const called of new Set<ts.Node | undefined>([signature, ...names])) add(calls, called, node);
    if (ts.isPropertyAccessExpression(callee) && callee.name.text === 'push')
      for (const list of declarationsOf(checker, callee.expression))
        for (const value of node.arguments) add(pushed, list, value);
  };
  const see = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) seeCall(node);
    else if (ts.isObjectLiteralExpression(node) || ts.isJsxAttributes(node)) giveAll(node);
    else if (ts.isNewExpression(node) && node.expression.getText().endsWith('Error'))
      thrown.push(...(node.arguments ?? []));
  };
  for (const source of sources) walk(source, see);
  return { calls, given, pushed, thrown };
}
