// Where in the text of an own algorithm its calls stand: near enough to lay them beside what they become elsewhere. Nothing depends on it
// but comments: what is not found is in the whole text.

/** The calls of a controller that a text may have, in the order in which they are told. */
export const CALLS = ['onAck', 'onLoss', 'onTimeout', 'onSent', 'onTick', 'onIdleRestart'] as const;
export type Call = (typeof CALLS)[number];

interface Part {
  readonly from: number;
  readonly to: number;
}

const QUIET = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`/g;

/** The same length, with comments and what stands in quotes blanked out: their braces open nothing. */
const blanked = (text: string): string => text.replaceAll(QUIET, (found) => found.replaceAll(/[^\n]/g, ' '));

/** Behind the bracket that closes the one at `from`; null: it is never closed. */
function closed(text: string, from: number): number | null {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const letter = text.charAt(at);
    if ('([{'.includes(letter)) depth += 1;
    else if (')]}'.includes(letter)) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return null;
}

/** A method, or a property that is a function; a type that only names it has no body. */
function partIn(code: string, name: string): Part | null {
  const begin = new RegExp(`(?<![\\w$.'"])${name}\\s*(?:[:=]\\s*)?(?:function\\b[\\s\\w$]*)?\\(`, 'g');
  for (const found of code.matchAll(begin)) {
    const params = closed(code, found.index + found[0].length - 1);
    if (params === null) continue;
    const next = /[{;]|=>/.exec(code.slice(params));
    if (next === null || next[0] === ';') continue;
    const after = params + next.index;
    const brace = next[0] === '{' ? after : (/^=>\s*(?=\{)/.exec(code.slice(after))?.[0].length ?? -1) + after;
    const to = code.charAt(brace) === '{' ? closed(code, brace) : null;
    if (to !== null) return { from: found.index, to };
  }
  return null;
}

/** Without what all of its lines are indented by, but for the first, which begins at its own place. */
function outdented(part: string): string {
  const [first = '', ...rest] = part.split('\n');
  const indents = rest.filter((line) => line.trim() !== '').map((line) => /^\s*/.exec(line)?.[0].length ?? 0);
  const indent = Math.min(...indents, Infinity);
  return [first, ...rest.map((line) => line.slice(Number.isFinite(indent) ? indent : 0))].join('\n');
}

export interface ProgramParts {
  /** What stands for each call that it has; null: it is named, and where it is written was not found. */
  readonly calls: ReadonlyMap<Call, string | null>;
  /** `create`, but for the calls in it; null: not found. */
  readonly create: string | null;
  /** Words that its `phase` is set to where they are written out. */
  readonly phases: readonly string[];
}

export function programParts(text: string): ProgramParts {
  const code = blanked(text);
  const places = CALLS.map((call) => [call, partIn(code, call)] as const);
  const calls = places.flatMap(([call, part]) =>
    call === 'onAck' || new RegExp(`\\b${call}\\b`).test(code)
      ? [[call, part === null ? null : outdented(text.slice(part.from, part.to))] as const]
      : [],
  );
  const create = partIn(code, 'create');
  const phases = [...text.matchAll(/\bphase\s*[:=]\s*(?:'([^'\\\n]+)'|"([^"\\\n]+)")/g)];
  return {
    calls: new Map(calls),
    create: create === null ? null : outdented(without(text, create, places)),
    phases: [...new Set(phases.flatMap(([, one, other]) => one ?? other ?? []))],
  };
}

/** A part of the text with the calls in it by their names alone. */
function without(text: string, { from, to }: Part, places: readonly (readonly [Call, Part | null])[]): string {
  let rest = '';
  let at = from;
  const inside = places.flatMap(([call, part]) =>
    part !== null && part.from >= from && part.to <= to ? [{ call, ...part }] : [],
  );
  for (const part of inside.toSorted((a, b) => a.from - b.from)) {
    if (part.from < at) continue;
    rest += `${text.slice(at, part.from)}${part.call} …`;
    at = part.to;
  }
  return rest + text.slice(at, to);
}
