// Follows what is shown back to the words in the source: through names, calls, properties and lists.
import ts from 'typescript';
import { NOT_FOLLOWED, NOT_WORDS } from './lists.ts';
import type { PageProgram } from './program.ts';
import { reaches } from './reaches.ts';
import { ANY, at, holderOf, isFunction, named, returnsOf, wayOfBinding, wayText, type Way } from './steps.ts';
import { declarationsOf, nameText, type Uses } from './uses.ts';

export type Words = ts.StringLiteralLike | ts.TemplateExpression;

/** Longer ways are those of lists that hold themselves. */
const LONGEST_WAY = 6;

/** Methods of lists and of text that give back what they are asked of, or parts of it. */
const SAME = new Set([
  ...['filter', 'slice', 'sort', 'toSorted', 'reverse', 'toReversed', 'concat', 'with', 'values', 'toSpliced'],
  ...['trim', 'trimStart', 'trimEnd', 'toLowerCase', 'toUpperCase', 'replace', 'replaceAll', 'toString', 'charAt'],
  ...['padStart', 'padEnd', 'normalize', 'toLocaleLowerCase', 'toLocaleUpperCase'],
]);
const ONE_OF = new Set(['at', 'find', 'findLast', 'pop', 'shift', 'get', 'join', 'keys']);
/** React gives back what the function makes. */
const MAKERS = new Set(['useMemo', 'useCallback', 'memo', 'lazyPart', 'useDeferredValue', 'freeze', 'from']);
const MAPPERS = new Set(['map', 'flatMap']);

/** `{ columns, rows }` is a table, which goes to files: what reads those knows its columns by their names. */
const isOfTable = ({ parent }: ts.Node): boolean =>
  ts.isObjectLiteralExpression(parent) &&
  ['columns', 'rows'].every((wanted) => parent.properties.some(({ name }) => name?.getText() === wanted));

const ASSIGNMENTS: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.EqualsToken,
  ts.SyntaxKind.PlusEqualsToken,
  ts.SyntaxKind.QuestionQuestionEqualsToken,
]);

/** Without brackets and what is only said to the type checker. */
function insideOf(node: ts.Expression): ts.Expression {
  const isOuter =
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isNonNullExpression(node);
  return isOuter ? insideOf(node.expression) : node;
}

export class Follower {
  readonly words = new Set<Words>();
  readonly #page: PageProgram;
  readonly #uses: Uses;
  readonly #shown: ReadonlySet<ts.SourceFile>;
  readonly #seen = new Map<ts.Node, Set<string>>();
  readonly #ahead: [ts.Expression, Way][] = [];
  #going = false;

  constructor(page: PageProgram, uses: Uses) {
    this.#page = page;
    this.#uses = uses;
    this.#shown = new Set(page.sources);
  }

  /** One step after the other, not one within the other: a page has longer chains than a stack has room for. */
  follow(node: ts.Expression, way: Way = []): void {
    this.#ahead.push([node, way]);
    if (this.#going) return;
    this.#going = true;
    for (let next = this.#ahead.pop(); next !== undefined; next = this.#ahead.pop()) this.#step(...next);
    this.#going = false;
  }

  #step(node: ts.Expression, way: Way): void {
    if (way.length > LONGEST_WAY || !this.#isNew(node, way) || !reaches(this.#page.checker, node, way)) return;
    const inner = insideOf(node);
    if (inner !== node) this.follow(inner, way);
    else if (ts.isConditionalExpression(node)) this.#all([node.whenTrue, node.whenFalse], way);
    else if (ts.isBinaryExpression(node)) this.#followBinary(node, way);
    else if (ts.isAwaitExpression(node)) this.follow(node.expression, way);
    else if (ts.isIdentifier(node)) this.#followName(node, way);
    else if (ts.isPropertyAccessExpression(node)) this.#followProperty(node, way);
    else if (ts.isElementAccessExpression(node)) this.#followElement(node, way);
    else if (ts.isCallExpression(node)) this.#followCall(node, way);
    else if (ts.isNewExpression(node)) this.#followNew(node, way);
    else if (ts.isArrayLiteralExpression(node)) this.#followList(node, way);
    else if (ts.isObjectLiteralExpression(node)) this.#followObject(node, way);
    else if (isFunction(node)) this.#all(returnsOf(node), way);
    else if (way.length === 0) this.#take(node);
  }

  #isNew(node: ts.Node, way: Way): boolean {
    if (!this.#shown.has(node.getSourceFile())) return false;
    const ways = this.#seen.get(node) ?? new Set<string>();
    this.#seen.set(node, ways);
    const text = wayText(way);
    return !ways.has(text) && ways.add(text).size > 0;
  }

  #all(nodes: Iterable<ts.Expression>, way: Way): void {
    for (const node of nodes) this.follow(node, way);
  }

  #take(node: ts.Expression): void {
    if (ts.isStringLiteralLike(node) && !this.#isId(node)) this.words.add(node);
    if (!ts.isTemplateExpression(node) || this.#isId(node)) return;
    this.words.add(node);
    for (const { expression } of node.templateSpans) this.follow(expression);
  }

  /** Where only some words are possible, they are names for the program, not for people. */
  #isId(node: ts.Expression): boolean {
    const type = this.#page.checker.getContextualType(node);
    if (type === undefined) return false;
    const kinds = type.isUnion() ? type.types : [type];
    return (
      kinds.some((kind) => kind.flags & (ts.TypeFlags.StringLiteral | ts.TypeFlags.TemplateLiteral)) &&
      !kinds.some((kind) => kind.flags & ts.TypeFlags.String)
    );
  }

  #followBinary({ left, right, operatorToken: { kind } }: ts.BinaryExpression, way: Way): void {
    const both = [ts.SyntaxKind.PlusToken, ts.SyntaxKind.QuestionQuestionToken, ts.SyntaxKind.BarBarToken];
    if (both.includes(kind)) this.#all([left, right], way);
    else if (kind === ts.SyntaxKind.AmpersandAmpersandToken || kind === ts.SyntaxKind.CommaToken)
      this.follow(right, way);
  }

  #followName(node: ts.Identifier, way: Way): void {
    if (way.length === 0 && NOT_WORDS.has(node.text)) return;
    const { checker } = this.#page;
    const symbol = ts.isShorthandPropertyAssignment(node.parent)
      ? checker.getShorthandAssignmentValueSymbol(node.parent)
      : undefined;
    for (const declaration of symbol?.declarations ?? declarationsOf(checker, node))
      this.#followDeclared(declaration, way);
    this.#followAssigned(node, way);
  }

  /** `let text = ''; text = 'waiting';` */
  #followAssigned(node: ts.Identifier, way: Way): void {
    const declaration = declarationsOf(this.#page.checker, node)[0];
    if (declaration === undefined || !ts.isVariableDeclaration(declaration)) return;
    if (declaration.parent.flags & ts.NodeFlags.Const) return;
    const look = (child: ts.Node): void => {
      if (ts.isBinaryExpression(child) && ts.isIdentifier(child.left) && child.left.text === node.text)
        if (ASSIGNMENTS.has(child.operatorToken.kind)) this.follow(child.right, way);
      ts.forEachChild(child, look);
    };
    look(declaration.getSourceFile());
  }

  #followDeclared(declaration: ts.Declaration, way: Way): void {
    if (isOfTable(declaration)) return;
    if (ts.isBindingElement(declaration)) this.#followBinding(declaration, way);
    else if (ts.isVariableDeclaration(declaration)) this.#followVariable(declaration, way);
    else if (ts.isParameter(declaration)) this.#followParameter(declaration, way);
    else if (ts.isPropertyAssignment(declaration)) this.follow(declaration.initializer, way);
    else if (ts.isShorthandPropertyAssignment(declaration)) this.follow(declaration.name, way);
    else if (ts.isPropertyDeclaration(declaration) && declaration.initializer !== undefined)
      this.follow(declaration.initializer, way);
    else if (isFunction(declaration)) this.#all(returnsOf(declaration), way);
    this.#all(this.#givenTo(declaration), way);
  }

  #givenTo(declaration: ts.Declaration): readonly ts.Expression[] {
    const owner = declaration.parent;
    const name = ts.getNameOfDeclaration(declaration);
    const type = ts.isInterfaceDeclaration(owner) ? owner.name.text : '';
    if (name !== undefined && NOT_FOLLOWED.has(`${type}.${nameText(name)}`)) return [];
    return this.#uses.given.get(declaration) ?? [];
  }

  #followVariable(declaration: ts.VariableDeclaration, way: Way): void {
    const loop = declaration.parent.parent;
    if (ts.isForOfStatement(loop)) this.follow(loop.expression, [ANY, ...way]);
    else if (declaration.initializer !== undefined) this.follow(declaration.initializer, way);
    this.#all(this.#uses.pushed.get(declaration) ?? [], way.slice(1));
  }

  #followBinding(element: ts.BindingElement, way: Way): void {
    if (way.length === 0 && NOT_WORDS.has(nameText(element.propertyName ?? element.name))) return;
    const whole = [...wayOfBinding(element), ...way];
    const holder = holderOf(element);
    if (ts.isParameter(holder)) this.#followParameter(holder, whole);
    else this.#followVariable(holder, whole);
    if (element.initializer !== undefined) this.follow(element.initializer, way);
    if (!ts.isObjectBindingPattern(element.parent)) return;
    // The property's own declaration knows who gives it.
    const { checker } = this.#page;
    const type = checker.getNonNullableType(checker.getTypeAtLocation(element.parent));
    const property = checker.getPropertyOfType(type, nameText(element.propertyName ?? element.name));
    for (const declaration of property?.declarations ?? []) this.#followDeclared(declaration, way);
  }

  #followParameter(parameter: ts.ParameterDeclaration, way: Way): void {
    if (parameter.initializer !== undefined) this.follow(parameter.initializer, way);
    const owner = parameter.parent;
    const place = owner.parameters.indexOf(parameter);
    for (const name of [owner, this.#nameOfFunction(owner)])
      for (const call of (name && this.#uses.calls.get(name)) ?? []) {
        const given = parameter.dotDotDotToken === undefined ? call.arguments[place] : undefined;
        if (given !== undefined) this.follow(given, way);
        else if (parameter.dotDotDotToken !== undefined) this.#all(call.arguments.slice(place), way.slice(1));
      }
    const call = owner.parent;
    // `LIST.map((one) => …)`: one of the list.
    if (ts.isCallExpression(call) && ts.isPropertyAccessExpression(call.expression) && place === 0)
      this.follow(call.expression.expression, [ANY, ...way]);
  }

  #nameOfFunction(owner: ts.Node): ts.Node | undefined {
    const { parent } = owner;
    return ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) ? parent : undefined;
  }

  #followProperty(node: ts.PropertyAccessExpression, way: Way): void {
    if (way.length === 0 && NOT_WORDS.has(node.name.text)) return;
    const declared = declarationsOf(this.#page.checker, node.name);
    if (node.name.text === 'message' && declared.some((one) => !this.#shown.has(one.getSourceFile())))
      for (const one of this.#uses.thrown) this.#takeThrown(one);
    for (const declaration of declared) this.#followDeclared(declaration, way);
    this.follow(node.expression, [named(node.name.text), ...way]);
  }

  /** What it is about may be anything. */
  #takeThrown(node: ts.Expression): void {
    if ((ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) && !this.#isId(node)) this.words.add(node);
  }

  #followElement({ expression, argumentExpression: key }: ts.ElementAccessExpression, way: Way): void {
    const step = ts.isStringLiteralLike(key) ? named(key.text) : ts.isNumericLiteral(key) ? at(Number(key.text)) : ANY;
    this.follow(expression, [step, ...way]);
  }

  #followCall(node: ts.CallExpression, way: Way): void {
    const callee = node.expression;
    const [first, second] = node.arguments;
    const name = ts.isPropertyAccessExpression(callee) ? callee.name.text : callee.getText();
    if (ts.isPropertyAccessExpression(callee)) this.#followMethod(node, callee, name, way);
    if (MAKERS.has(name) && first !== undefined) this.follow(first, way);
    if (name === 'from' && second !== undefined) this.follow(second, way.slice(1));
    if (name === 'useState' && first !== undefined) this.#followState(node, first, way);
    const signature = this.#page.checker.getResolvedSignature(node)?.declaration;
    if (signature !== undefined && isFunction(signature)) this.#all(returnsOf(signature), way);
    else if (!ts.isPropertyAccessExpression(callee)) this.follow(callee, way);
    else for (const one of declarationsOf(this.#page.checker, callee.name)) this.#followDeclared(one, way);
  }

  #followMethod(node: ts.CallExpression, callee: ts.PropertyAccessExpression, name: string, way: Way): void {
    const [first] = node.arguments;
    const of = callee.expression;
    if (SAME.has(name)) this.follow(of, way);
    if (ONE_OF.has(name)) this.follow(of, [ANY, ...way]);
    if (name === 'join' && first !== undefined) this.follow(first, way);
    if (name.startsWith('replace') && node.arguments[1] !== undefined) this.follow(node.arguments[1], way);
    if (MAPPERS.has(name) && first !== undefined) this.follow(first, name === 'map' ? way.slice(1) : way);
    if (name === 'concat') this.#all(node.arguments, way);
    if (of.getText() === 'Object' && first !== undefined) {
      if (name === 'values') this.follow(first, way);
      if (name === 'fromEntries') this.follow(first, [ANY, at(1), ...way.slice(1)]);
      if (name === 'entries' && wayText(way.slice(1, 2)) === '1') this.follow(first, [ANY, ...way.slice(2)]);
    }
  }

  /** `const [text, setText] = useState('…')`: what it begins with, and what it is set to. */
  #followState(node: ts.CallExpression, first: ts.Expression, way: Way): void {
    this.follow(first, way.slice(1));
    if (!ts.isVariableDeclaration(node.parent) || !ts.isArrayBindingPattern(node.parent.name)) return;
    const setter = node.parent.name.elements[1];
    for (const call of (setter && this.#uses.calls.get(setter)) ?? [])
      if (call.arguments[0] !== undefined) this.follow(call.arguments[0], way.slice(1));
  }

  /** `new Map([[key, value], …])` by [any]; `new Set([…])`. */
  #followNew(node: ts.NewExpression, way: Way): void {
    const first = node.arguments?.[0];
    if (first === undefined) return;
    if (node.expression.getText() === 'Map') this.follow(first, [ANY, at(1), ...way.slice(1)]);
    else if (node.expression.getText() === 'Set') this.follow(first, way);
  }

  #followList({ elements }: ts.ArrayLiteralExpression, way: Way): void {
    const [step, ...rest] = way;
    const spread = elements.some(ts.isSpreadElement);
    elements.forEach((element, i) => {
      if (ts.isSpreadElement(element)) this.follow(element.expression, step === undefined ? way : [ANY, ...rest]);
      else if (step === undefined || step === 'any' || ('at' in step && (spread || step.at === i)))
        this.follow(element, rest);
    });
  }

  #followObject({ properties }: ts.ObjectLiteralExpression, way: Way): void {
    const [step, ...rest] = way;
    if (step === undefined) return;
    for (const property of properties) {
      if (ts.isSpreadAssignment(property)) this.follow(property.expression, way);
      else if (rest.length === 0 && NOT_WORDS.has(nameText(property.name))) continue;
      else if (step === 'any' || ('name' in step ? step.name : String(step.at)) === nameText(property.name))
        this.#followDeclared(property, rest);
    }
  }
}
