import type { Page } from '@playwright/test';

declare global {
  interface Window {
    /** When the last byte of the upload had been sent, on the page's clock. */
    sentAt?: number;
    /** A frame has begun with the trace's picture on the page. */
    traceSeen?: boolean;
  }
}

const TIMEOUT_MS = 120_000;

/** Uploads the file on the page of traces; milliseconds from its last byte to the frame that shows its capacity. */
export async function uploadToPicture(page: Page, url: string, file: string): Promise<number> {
  await page.addInitScript(() => {
    // oxlint-disable-next-line typescript/unbound-method -- called with the request as `this` below
    const send = XMLHttpRequest.prototype.send;
    XMLHttpRequest.prototype.send = function (body) {
      this.upload.addEventListener('load', () => (window.sentAt = performance.now()));
      send.call(this, body);
    };
  });
  await page.goto(`${url}/traces`);
  await page.waitForLoadState('networkidle');
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Upload a trace' }).click();
  await (await chooser).setFiles(file);
  const shown = await page.waitForFunction(
    () => {
      const canvas = document.querySelector<HTMLCanvasElement>('figure canvas');
      if (!/^\/traces\/[0-9a-f]{64}$/.test(location.pathname) || canvas === null || canvas.width === 0) return null;
      // What was drawn before a frame begins is on the screen when the next one begins.
      if (window.traceSeen === true) return performance.now() - (window.sentAt ?? Number.NaN);
      window.traceSeen = true;
      return null;
    },
    undefined,
    { polling: 'raf', timeout: TIMEOUT_MS },
  );
  return (await shown.jsonValue()) ?? Number.NaN;
}
