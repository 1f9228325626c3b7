// What of a page's layout is wrong, found by measuring boxes in the browser: text over text, controls over text or one another, text cut
// off without a way to see it, and what is wider than the screen.
import type { Page } from '@playwright/test';

/** Each fault in words. The page is measured as it stands, whole, not only what the screen shows of it. */
export const layoutFaults = (page: Page): Promise<string[]> => page.evaluate(measure);

/** Runs in the browser: it must not refer to anything outside. */
function measure(): string[] {
  interface Box {
    readonly left: number;
    readonly right: number;
    readonly top: number;
    readonly bottom: number;
  }
  interface Item extends Box {
    readonly element: Element;
    readonly name: string;
    /** What stays in sight while the rest moves beneath it, or floats over it: each is a sheet of its own. */
    readonly sheet: Element | null;
    readonly control: boolean;
  }
  /** Boxes may share so much: borders meet, and glyphs do not fill theirs. */
  const TOUCH = 2;
  /** Of the height of a line of text no ink is in this share, above and below. */
  const LEADING = 0.16;
  /** Cut off by less nobody sees it. */
  const CUT = 2;

  const faults = new Set<string>();
  const styles = new Map<Element, CSSStyleDeclaration>();
  const styleOf = (element: Element): CSSStyleDeclaration => {
    const known = styles.get(element) ?? getComputedStyle(element);
    styles.set(element, known);
    return known;
  };
  const ancestors = (element: Element): Element[] => {
    const chain: Element[] = [];
    for (let at: Element | null = element; at !== null; at = at.parentElement) chain.push(at);
    return chain;
  };
  /** Only for screen readers. */
  const spoken = (at: Element): boolean => styleOf(at).clipPath === 'inset(50%)' || isSpeck(at);
  const isSpeck = (at: Element): boolean => styleOf(at).position === 'absolute' && at.clientWidth === 1;
  const hidden = (chain: readonly Element[]): boolean =>
    chain[0]?.checkVisibility({ visibilityProperty: true, opacityProperty: true }) !== true || chain.some(spoken);
  const sheetOf = (chain: readonly Element[]): Element | null =>
    chain.find((at) => ['fixed', 'sticky'].includes(styleOf(at).position)) ?? null;
  const short = (text: string): string => text.trim().replace(/\s+/g, ' ').slice(0, 40);
  const nameOf = (element: Element): string => {
    const words = element.getAttribute('aria-label') ?? element.textContent;
    return `${element.tagName.toLowerCase()} “${short(words === '' ? (element.getAttribute('class') ?? '') : words)}”`;
  };
  const page = (rect: DOMRect): Box => ({
    left: rect.left + scrollX,
    right: rect.right + scrollX,
    top: rect.top + scrollY,
    bottom: rect.bottom + scrollY,
  });
  const empty = (box: Box): boolean => box.right - box.left < 1 || box.bottom - box.top < 1;

  /** What is to be seen of a box inside its ancestors, and whether something is cut off for good. */
  const clipped = (box: Box, chain: readonly Element[]): { readonly seen: Box; readonly lost: Element | null } => {
    let seen = box;
    let lost: Element | null = null;
    for (const at of chain.slice(1)) {
      const { overflowX, overflowY, position, textOverflow } = styleOf(at);
      if (at === document.body || at === document.documentElement) break;
      if (at instanceof SVGElement && !(at instanceof SVGSVGElement)) continue;
      const frame = page(at.getBoundingClientRect());
      const next = {
        left: overflowX === 'visible' ? seen.left : Math.max(seen.left, frame.left),
        right: overflowX === 'visible' ? seen.right : Math.min(seen.right, frame.right),
        top: overflowY === 'visible' ? seen.top : Math.max(seen.top, frame.top),
        bottom: overflowY === 'visible' ? seen.bottom : Math.min(seen.bottom, frame.bottom),
      };
      const cut = Math.max(
        next.left - seen.left,
        seen.right - next.right,
        next.top - seen.top,
        seen.bottom - next.bottom,
      );
      const scrolls = [overflowX, overflowY].some((value) => value === 'auto' || value === 'scroll');
      // An ellipsis says that there is more; a title, or the page that the text leads to, says it whole.
      const said =
        textOverflow === 'ellipsis' && chain.some((one) => one.matches('[title], a, [aria-current], button'));
      if (cut > CUT && !scrolls && !said) lost ??= at;
      // What has been scrolled away is not lost to those further out.
      seen = next;
      if (scrolls || position === 'fixed') break;
    }
    return { seen, lost };
  };

  const items: Item[] = [];
  const wide = document.documentElement.clientWidth;
  const add = (element: Element, chain: readonly Element[], whole: Box, name: string, control: boolean): void => {
    const { seen, lost } = clipped(whole, chain);
    if (lost !== null) faults.add(`${name} is cut off by ${nameOf(lost)}`);
    if (empty(seen)) return;
    if (seen.right > wide + 1 && seen.left < wide) faults.add(`${name} reaches beyond the screen`);
    items.push({ ...seen, element, name, sheet: sheetOf(chain), control });
  };

  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const element = node.parentElement;
    if (
      element === null ||
      short(node.nodeValue ?? '') === '' ||
      element.closest('title, script, style, option') !== null
    )
      continue;
    const chain = ancestors(element);
    if (hidden(chain)) continue;
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) {
      const box = page(rect);
      if (empty(box)) continue;
      const leading = (box.bottom - box.top) * LEADING;
      const ink = { ...box, top: box.top + leading, bottom: box.bottom - leading };
      add(element, [element, ...chain], ink, `“${short(node.nodeValue ?? '')}”`, false);
    }
  }
  for (const element of document.querySelectorAll('input, textarea, button, table, canvas')) {
    const chain = ancestors(element);
    // Ticks and radio buttons are drawn by their labels, thumbs of sliders by their boxes.
    if (element.matches('input') && ['checkbox', 'radio', 'range', 'file'].includes(element.getAttribute('type') ?? ''))
      continue;
    if (hidden(chain)) continue;
    const box = page(element.getBoundingClientRect());
    if (!empty(box)) add(element, chain, box, nameOf(element), true);
  }

  const related = (a: Item, b: Item): boolean => a.element.contains(b.element) || b.element.contains(a.element);
  /** The words of a figure stand on its canvas. */
  const ownCanvas = (a: Item, b: Item): boolean =>
    [a, b].some(({ element }) => element.matches('canvas')) &&
    a.element.closest('figure, section, [role="group"]') === b.element.closest('figure, section, [role="group"]');
  /** Points of a figure stand where their data put them. */
  const points = (a: Item, b: Item): boolean =>
    [a, b].every(({ element }) => element.closest('[data-marks]') !== null) &&
    a.element.closest('svg') === b.element.closest('svg');
  const meet = (a: Item, b: Item): boolean =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > TOUCH &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > TOUCH;
  items.sort((a, b) => a.top - b.top);
  items.forEach((a, i) => {
    for (let j = i + 1; j < items.length; j++) {
      const b = items[j];
      if (b === undefined || b.top > a.bottom) break;
      if (a.element === b.element || a.sheet !== b.sheet || !meet(a, b) || points(a, b)) continue;
      // A box that holds the other is where it belongs.
      if ((a.control || b.control) && (related(a, b) || ownCanvas(a, b))) continue;
      faults.add(`${a.name} lies over ${b.name}`);
    }
  });
  const { scrollWidth } = document.documentElement;
  if (scrollWidth > wide) faults.add(`the page scrolls sideways: ${scrollWidth} of ${wide} px`);
  return [...faults];
}
