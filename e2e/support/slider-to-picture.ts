import type { Locator, Page } from '@playwright/test';

declare global {
  interface Window {
    /** When a slider's key was pressed, on the page's clock, and when the frame began that follows the new picture. */
    sliderMovedAt?: number;
    sliderShownAt?: number;
  }
}

/**
 * Milliseconds from a slider's step to the frame in which map, figures and capacity have followed it, on the page's own clock.
 * What was drawn before a frame begins is on the screen when the next one begins.
 */
export async function sliderToPicture(page: Page, slider: Locator, key: 'ArrowLeft' | 'ArrowRight'): Promise<number> {
  await slider.focus();
  await page.evaluate(() => {
    delete window.sliderMovedAt;
    delete window.sliderShownAt;
    const mean = [...document.querySelectorAll('dt')].find(({ textContent }) => textContent === 'Mean');
    const figures = mean?.closest('dl');
    if (figures === undefined || figures === null) throw new Error('the page shows no figures');
    document.addEventListener('keydown', (event) => (window.sliderMovedAt = event.timeStamp), {
      capture: true,
      once: true,
    });
    const observer = new MutationObserver(() => {
      observer.disconnect();
      // The capacity is drawn at the beginning of the coming frame.
      requestAnimationFrame(() => requestAnimationFrame(() => (window.sliderShownAt = performance.now())));
    });
    observer.observe(figures, { characterData: true, childList: true, subtree: true });
  });
  await page.keyboard.press(key);
  const shown = await page.waitForFunction(() =>
    window.sliderShownAt === undefined ? null : window.sliderShownAt - (window.sliderMovedAt ?? Number.NaN),
  );
  return (await shown.jsonValue()) ?? Number.NaN;
}
