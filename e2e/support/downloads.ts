import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { parquetReadObjects } from 'hyparquet';

/** What the browser saves when something is pressed. */
export async function saved(page: Page, press: () => Promise<void>): Promise<Buffer> {
  const download = page.waitForEvent('download');
  await press();
  return readFile(await (await download).path());
}

/** Saves a figure through its own menu. */
export const saveFigure = (page: Page, title: string, format: 'SVG' | 'PNG' | 'CSV'): Promise<Buffer> =>
  saved(page, async () => {
    await page.getByRole('button', { name: `Save or share: ${title}`, exact: true }).click();
    await page.getByRole('menuitem', { name: new RegExp(`^${format}`) }).click();
  });

export async function readParquet(file: Buffer): Promise<Record<string, unknown>[]> {
  return parquetReadObjects({ file: new Uint8Array(file).buffer });
}
