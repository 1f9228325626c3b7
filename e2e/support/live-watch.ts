// Watches the live panels from within the page: what a person sees change, noted at every frame.
import type { Page, WebSocket } from '@playwright/test';

export interface Sighting {
  /** The run whose panels were on the screen, and how far it was. */
  readonly run: string;
  readonly time: string;
  /** Hash of the pixels of its first panel. */
  readonly picture: number;
  /** How full the experiment's progress bar was. */
  readonly progress: number;
}

declare global {
  interface Window {
    sightings?: Sighting[];
    shifts?: number[];
  }
}

/** Begins to note what changes on the page's live panels; stays through navigation within the page. */
export async function watchLive(page: Page): Promise<void> {
  await page.evaluate(() => {
    const seen: Sighting[] = [];
    window.sightings = seen;
    // A small copy is enough to see a change, and reading it back does not slow the panel's own canvas.
    const copy = document.createElement('canvas');
    [copy.width, copy.height] = [300, 60];
    const pixels = copy.getContext('2d', { willReadFrequently: true });
    let last = '';
    const look = (): void => {
      requestAnimationFrame(look);
      const live = document.querySelector('section[aria-label="Live"]');
      const canvas = live?.querySelector('canvas') ?? null;
      if (live === null || canvas === null || canvas.width === 0) return;
      const time = live.querySelector('time')?.textContent ?? '';
      const run = live.querySelector('h2')?.textContent ?? '';
      if (run + time === last) return;
      last = run + time;
      pixels?.clearRect(0, 0, copy.width, copy.height);
      pixels?.drawImage(canvas, 0, 0, copy.width, copy.height);
      let picture = 0;
      for (const value of pixels?.getImageData(0, 0, copy.width, copy.height).data ?? [])
        picture = (picture * 31 + value) | 0;
      const bar = document.querySelector('[role="progressbar"]');
      seen.push({ run, time, picture, progress: Number(bar?.getAttribute('aria-valuenow') ?? 0) });
    };
    look();
  });
}

export const sightings = (page: Page): Promise<Sighting[]> => page.evaluate(() => window.sightings ?? []);

/** Begins to note how much of the page moved by itself (Cumulative Layout Shift: what nobody's press or key brought about). */
export const watchShifts = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const shifts: number[] = [];
    window.shifts = shifts;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
        if (!entry.hadRecentInput) shifts.push(entry.value);
    }).observe({ type: 'layout-shift' });
  });

export const shiftOf = (page: Page): Promise<number> =>
  page.evaluate(() => (window.shifts ?? []).reduce((sum, shift) => sum + shift, 0));

/** Counts the binary frames (samples) that reach the page over its socket. */
export function countSamples(page: Page): { readonly frames: number; readonly bytes: number } {
  const count = { frames: 0, bytes: 0 };
  page.on('websocket', (socket: WebSocket) =>
    socket.on('framereceived', ({ payload }) => {
      if (typeof payload === 'string') return;
      count.frames += 1;
      count.bytes += payload.length;
    }),
  );
  return count;
}
