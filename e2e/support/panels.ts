import { expect, type Locator, type Page } from '@playwright/test';

/** Of the panels in one stack: bytes sent and received so far, and whose the queue is, stand below it, in step with them, with axes of their own. */
export const STACKED_AXES = 'main [data-part="x"]:not(:is([data-plot="sequence"], [data-plot="queue-by-flow"]) *)';

/** The time panels of a run's page. */
export class Panels {
  readonly page: Page;
  readonly all: Locator;

  constructor(page: Page) {
    this.page = page;
    this.all = page.locator('[data-plot] [role="slider"]');
  }

  /** Waits until every panel has been drawn. */
  async ready(): Promise<void> {
    await expect(this.all.first()).toBeVisible();
    await expect.poll(async () => (await this.#ticks()).length).toBeGreaterThan(0);
  }

  /** The time axis of each figure, as its numbers; all figures show the same when they are in step. */
  async #ticks(): Promise<string[]> {
    const axes = await this.page
      .locator(STACKED_AXES)
      .evaluateAll((groups) =>
        groups.map((group) => [...group.querySelectorAll('text')].map((text) => text.textContent).join(' ')),
      );
    return axes.filter((text) => text.trim() !== '');
  }

  /** The one time axis that all figures have. */
  async timeAxis(): Promise<string> {
    const ticks = new Set(await this.#ticks());
    expect([...ticks]).toHaveLength(1);
    return [...ticks][0] ?? '';
  }

  /** Positions within a panel's plot area, given as shares of its width. */
  async #point(panel: Locator, share: number): Promise<{ x: number; y: number }> {
    await panel.scrollIntoViewIfNeeded();
    const canvas = await panel.boundingBox();
    const axis = await panel.locator('[data-part="x"]').boundingBox();
    if (canvas === null || axis === null) throw new Error('the panel is not on the screen');
    const grid = await panel.locator('[data-part="x"] path, [data-part="x"] line').first().boundingBox();
    const left = grid?.x ?? axis.x;
    return { x: left + share * (axis.x + axis.width - left), y: canvas.y + canvas.height / 2 };
  }

  async point(panel: Locator, share: number): Promise<void> {
    const { x, y } = await this.#point(panel, share);
    await this.page.mouse.move(x, y);
  }

  /** Drags over a part of a panel: that part fills the panels then. */
  async drag(panel: Locator, from: number, to: number): Promise<void> {
    const start = await this.#point(panel, from);
    const end = await this.#point(panel, to);
    await this.page.mouse.move(start.x, start.y);
    await this.page.mouse.down();
    await this.page.mouse.move((start.x + end.x) / 2, end.y);
    await this.page.mouse.move(end.x, end.y);
    await this.page.mouse.up();
  }

  /** The cross-hair's time on each panel that shows it. */
  cursors = (): Promise<string[]> =>
    this.page
      .locator('[data-plot] [data-part="cursor"]')
      .evaluateAll((groups) =>
        groups
          .filter((group) => (group as SVGGElement).style.display !== 'none')
          .map((group) => group.querySelector('[data-part="cursor-time"]')?.textContent ?? ''),
      );
}

/** The visible range in the address, seconds. */
export function rangeOf(page: Page): [number, number] | null {
  const text = new URL(page.url()).searchParams.get('t');
  if (text === null) return null;
  const [from = Number.NaN, to = Number.NaN] = text.split(',').map(Number);
  return [from, to];
}
