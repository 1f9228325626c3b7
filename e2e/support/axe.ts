import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import axe from 'axe-core';

const CONTRAST = 'color-contrast';
const ALIKE = 'data-alike';

/**
 * In the page: of siblings that are made alike, have the same colours, and lie alike, to the last thing in them, all but the first are
 * marked. They stand on the same ground, so that what is said of the contrast of one holds for all; a table's is most of what axe is asked.
 */
function markAlike(mark: string): void {
  let drawn = 0;
  const place = (element: Element): number[] => {
    const own = element.getBoundingClientRect();
    const around = (element.parentElement ?? element).getBoundingClientRect();
    return [own.x - around.x, own.y - around.y, own.width, own.height].map(Math.round);
  };
  const own = (element: Element): string => {
    const style = getComputedStyle(element);
    const seen = [
      ...[style.color, style.backgroundColor, style.backgroundImage, style.opacity, style.textShadow],
      ...[style.display, style.visibility, style.fontSize, style.fontWeight],
    ];
    const hasText = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim());
    const states = [':hover', ':disabled', ':checked'].filter((state) => element.matches(state));
    const attributes = ['class', 'style', 'aria-hidden'].map((name) => element.getAttribute(name));
    // What is out of the flow may lie behind a text, or a text over something else.
    const lies = style.position === 'static' && style.transform === 'none' ? '' : place(element);
    return [element.tagName, attributes, hasText, states, seen, style.position, lies].join('|');
  };
  const look = (element: Element): string => {
    // A text in a drawing may stand on any of its shapes.
    if (element instanceof SVGElement)
      return element.querySelector('text, foreignObject') === null ? 'svg' : `svg ${drawn++}`;
    const looks = [...element.children].map(look);
    for (const [i, child] of [...element.children].entries())
      if (looks.indexOf(looks[i] ?? '') < i)
        for (const one of [child, ...child.querySelectorAll('*')]) one.setAttribute(mark, '');
    return `${own(element)}(${looks.join()})`;
  };
  look(document.body);
}

const unmark = (mark: string): void => {
  for (const element of document.querySelectorAll(`[${mark}]`)) element.removeAttribute(mark);
};

/** Axe as it is, but for what it asks the contrast of. */
const SOURCE = `${axe.source}
axe.configure({ rules: [{ id: '${CONTRAST}', selector: ':not([${ALIKE}])' }] });`;

/**
 * What axe finds wrong with the page as it is: rule, what it asks for, and the markup that breaks it.
 * @param what 'contrast': what changes with the colours, and nothing else
 */
export async function axeFaults(page: Page, what: 'all' | 'contrast' = 'all'): Promise<string[]> {
  // Pages are one frame each, so that nothing has to travel between frames: the same findings in a third of the time.
  expect(page.frames()).toHaveLength(1);
  await page.evaluate(markAlike, ALIKE);
  const builder = new AxeBuilder({ page, axeSource: SOURCE }).setLegacyMode(true).options({
    resultTypes: ['violations'],
    ...(what === 'contrast' && { runOnly: { type: 'rule', values: [CONTRAST] } }),
  });
  const { violations } = await builder.analyze();
  await page.evaluate(unmark, ALIKE);
  return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map((node) => node.html).join(' ')}`);
}
