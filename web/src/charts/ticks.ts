// The ticks of an axis in SVG, as d3-axis writes them, but touched only where something has changed: an axis moves with every frame of a
// zoom, and an element that is written, even with what it had, is laid out again.
const SVG = 'http://www.w3.org/2000/svg';

export interface Tick {
  readonly value: number;
  /** Along the axis, px. */
  readonly at: number;
  /** Empty: a tick without a number. */
  readonly text: string;
  readonly anchor?: 'middle' | 'end';
}

export interface AxisLook {
  readonly side: 'left' | 'right' | 'bottom';
  /** Where the axis line begins and ends, px. */
  readonly line: readonly [from: number, to: number];
  /** Length of a tick; 0: none. */
  readonly size: number;
  /** From the tick to its number; less than 0: inwards. */
  readonly padding: number;
}

/** The look of each side: which way the numbers lie, how their text is anchored, and where its middle is. */
const SIDES = {
  left: { sign: -1, anchor: 'end', dy: '0.32em' },
  right: { sign: 1, anchor: 'start', dy: '0.32em' },
  bottom: { sign: 1, anchor: 'middle', dy: '0.71em' },
} as const;

function set(element: Element, name: string, value: string | null): void {
  if (element.getAttribute(name) === value) return;
  if (value === null) element.removeAttribute(name);
  else element.setAttribute(name, value);
}

/** Its ticks by their value: one that stays in sight stays the element that it was. */
const written = new WeakMap<Element, Map<number, SVGGElement>>();

function child(parent: Element, tag: 'path' | 'line' | 'text'): Element {
  return parent.querySelector(`:scope > ${tag}`) ?? parent.appendChild(document.createElementNS(SVG, tag));
}

export function writeTicks(group: SVGGElement, ticks: readonly Tick[], { side, line, size, padding }: AxisLook): void {
  const { sign, anchor, dy } = SIDES[side];
  // Lines of one pixel lie on whole ones.
  const crisp = window.devicePixelRatio > 1 ? 0 : 0.5;
  const flat = side === 'bottom';
  set(group, 'fill', 'none');
  set(group, 'text-anchor', anchor);

  const domain = child(group, 'path');
  set(domain, 'class', 'domain');
  set(domain, 'stroke', 'currentColor');
  const [from, to] = [line[0] + crisp, line[1] + crisp];
  set(domain, 'd', flat ? `M${from},${crisp}H${to}` : `M${crisp},${from}V${to}`);

  const before = written.get(group) ?? new Map<number, SVGGElement>();
  const now = new Map<number, SVGGElement>();
  const kept = new Set(ticks.map(({ value }) => value));
  for (const [value, tick] of before) if (!kept.has(value)) tick.remove();
  let next = domain.nextSibling;
  for (const { value, at, text, anchor: own } of ticks) {
    const tick = before.get(value) ?? document.createElementNS(SVG, 'g');
    now.set(value, tick);
    set(tick, 'class', 'tick');
    set(tick, 'transform', flat ? `translate(${at + crisp},0)` : `translate(0,${at + crisp})`);
    set(tick, 'text-anchor', own ?? null);
    if (size > 0) {
      const mark = child(tick, 'line');
      set(mark, 'stroke', 'currentColor');
      set(mark, flat ? 'y2' : 'x2', String(sign * size));
    }
    if (text !== '') {
      const label = child(tick, 'text');
      set(label, flat ? 'y' : 'x', String(sign * (size + padding)));
      set(label, 'dy', dy);
      if (label.textContent !== text) label.textContent = text;
    } else tick.querySelector('text')?.remove();
    if (tick === next) next = next.nextSibling;
    else group.insertBefore(tick, next);
  }
  written.set(group, now);
}
