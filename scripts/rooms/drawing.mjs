/** The drawing of the house: mermaid graphs in docs/architecture.md, `a --> b` for "a takes from b". */

/** @typedef {Map<string, Set<string>>} Drawing */

/**
 * The first mermaid graph below a heading. Throws an Error when there is none.
 * @param {string} text a Markdown file
 * @param {string} heading
 * @returns {Drawing}
 */
export function drawingBelow(text, heading) {
  const at = text.indexOf(`\n${heading}\n`);
  const graph = at < 0 ? null : /```mermaid\n([\s\S]*?)```/.exec(text.slice(at));
  if (graph === null) throw new Error(`there is no drawing below "${heading}"`);
  /** @type {Drawing} */
  const drawing = new Map();
  const id = (/** @type {string} */ node) => /^\s*([a-z_]+)/.exec(node)?.[1] ?? '';
  for (const line of (graph[1] ?? '').split('\n')) {
    if (!line.includes('-->')) continue;
    const [from = '', to = ''] = line.split('-->').map(id);
    drawing.set(from, (drawing.get(from) ?? new Set()).add(to));
    drawing.set(to, drawing.get(to) ?? new Set());
  }
  return drawing;
}

/**
 * A way that leads back to where it began, or undefined.
 * @param {ReadonlyMap<string, { keys(): Iterable<string> }>} arrows
 * @returns {string[] | undefined}
 */
export function circleIn(arrows) {
  /** @type {Set<string>} */
  const done = new Set();
  /** @type {string[]} */
  const way = [];
  /** @param {string} room @returns {string[] | undefined} */
  const visit = (room) => {
    if (way.includes(room)) return [...way.slice(way.indexOf(room)), room];
    if (done.has(room)) return undefined;
    way.push(room);
    for (const next of arrows.get(room)?.keys() ?? []) {
      const found = visit(next);
      if (found !== undefined) return found;
    }
    way.pop();
    done.add(room);
    return undefined;
  };
  for (const room of arrows.keys()) {
    const found = visit(room);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** @param {Drawing} drawing @param {string} from @param {string} to */
function reaches(drawing, from, to) {
  const seen = new Set([from]);
  for (const room of seen) for (const next of drawing.get(room) ?? []) seen.add(next);
  return seen.has(to);
}

/**
 * What differs between a drawing and what the sources take. A room may take from every one that it reaches by drawn arrows; an arrow
 * that nothing takes is not drawn.
 * @param {Drawing} drawing
 * @param {import('./arrows.mjs').Arrows} arrows
 * @returns {string[]}
 */
export function differences(drawing, arrows) {
  /** @type {string[]} */
  const found = [];
  const circle = circleIn(drawing);
  if (circle !== undefined) found.push(`the drawing has a circle: ${circle.join(' → ')}`);
  for (const [from, taken] of arrows) {
    if (!drawing.has(from)) found.push(`${from} is not drawn`);
    else
      for (const [to, place] of taken)
        if (!reaches(drawing, from, to)) found.push(`${place}: ${from} may not take from ${to}: no arrow leads there`);
  }
  for (const [from, drawn] of drawing)
    for (const to of drawn)
      if (arrows.get(from)?.has(to) !== true)
        found.push(`an arrow from ${from} to ${to} is drawn, and nothing takes that way`);
  return found;
}
