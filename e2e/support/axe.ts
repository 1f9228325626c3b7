import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/**
 * What axe finds wrong with the page as it is: rule, what it asks for, and the markup that breaks it.
 * @param rules these only; all, if left out
 */
export async function axeFaults(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Pages are one frame each, so that nothing has to travel between frames: the same findings in a third of the time.
  expect(page.frames()).toHaveLength(1);
  const axe = new AxeBuilder({ page }).setLegacyMode(true).options({
    resultTypes: ['violations'],
    ...(rules !== undefined && { runOnly: { type: 'rule', values: [...rules] } }),
  });
  const { violations } = await axe.analyze();
  return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map((node) => node.html).join(' ')}`);
}
