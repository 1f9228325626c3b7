// A page on the screens that people have: what is there fits and is accessible on each, by day and by night.
import { expect, type Page } from '@playwright/test';
import { axeFaults } from './axe.ts';
import { layoutFaults } from './layout.ts';

export type Screen = readonly [width: number, colorScheme: 'light' | 'dark'];
export const DESK_BY_DAY: Screen = [1440, 'light'];
export const DESK_BY_NIGHT: Screen = [1440, 'dark'];
export const PHONE_BY_DAY: Screen = [390, 'light'];
export const PHONE_BY_NIGHT: Screen = [390, 'dark'];

/** `shot`: what the picture of it is called, where $SHOTS names a folder for them. */
export async function expectWellMade(
  page: Page,
  shot: string,
  screens: readonly Screen[] = [DESK_BY_DAY, PHONE_BY_NIGHT],
): Promise<void> {
  for (const [width, colorScheme] of screens) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    // A figure is drawn anew a frame or two after its place has changed.
    await expect.poll(() => layoutFaults(page)).toEqual([]);
    expect(await axeFaults(page)).toEqual([]);
    if (process.env['SHOTS'] !== undefined)
      await page.screenshot({ path: `${process.env['SHOTS']}/${shot}-${width}-${colorScheme}.png`, fullPage: true });
  }
}
