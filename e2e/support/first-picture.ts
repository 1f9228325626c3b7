import type { Page } from '@playwright/test';

declare global {
  interface Window {
    /** When Run was pressed, on the page's clock. */
    pressedAt?: number;
    /** A frame has begun with samples on the live panel. */
    pictureSeen?: boolean;
  }
}

/** Milliseconds from the press of Run to the frame that shows the first samples on the live panel, on the page's own clock. */
export async function runToFirstPicture(page: Page): Promise<number> {
  await page.evaluate(() => {
    delete window.pressedAt;
    window.pictureSeen = false;
    // A button that is pressed by a key need not be clicked.
    for (const type of ['click', 'keydown'] as const)
      document.addEventListener(
        type,
        (event) => {
          if (!(event instanceof KeyboardEvent) || event.key === 'Enter') window.pressedAt ??= event.timeStamp;
        },
        { capture: true },
      );
  });
  const shown = page.waitForFunction(
    () => {
      const live = document.querySelector('section[aria-label="Live"]');
      const reached = Number.parseFloat(live?.querySelector('time')?.textContent ?? '');
      const canvas = live?.querySelector('canvas');
      if (!(reached > 0) || canvas === null || canvas === undefined || canvas.width === 0) return null;
      // What was drawn before a frame begins is on the screen when the next one begins.
      if (window.pictureSeen === true) return performance.now() - (window.pressedAt ?? Number.NaN);
      window.pictureSeen = true;
      return null;
    },
    undefined,
    { polling: 'raf' },
  );
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  return (await (await shown).jsonValue()) ?? Number.NaN;
}
