// The browser that draws figures without a window: the one that the journeys drive, found in the same places.
import type { Browser } from 'playwright-core';
import { z } from 'zod';

const Lookup = z.object({ chromiumPath: z.custom<() => string | undefined>((value) => typeof value === 'function') });

export class ChromiumMissing extends Error {
  override readonly name = 'ChromiumMissing';
  readonly code = 'CHROMIUM_MISSING';
}

const HOW =
  'Install Chromium (Debian, Ubuntu: apt install chromium-headless-shell or chromium; elsewhere: npx playwright-core install chromium), or name one in $CHROMIUM.';

/** Drawn alike on every machine; what is asked of other servers is nothing. */
const FLAGS = [
  '--disable-lcd-text',
  '--font-render-hinting=none',
  '--force-device-scale-factor=1',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** `flags`: more of them. */
export async function openChromium(flags: readonly string[] = []): Promise<Browser> {
  const lookup: unknown = await import(new URL('../../../scripts/lib/chromium.mjs', import.meta.url).href);
  const path = Lookup.parse({ ...(lookup as object) }).chromiumPath();
  if (path === undefined) throw new ChromiumMissing(`there is no Chromium to draw figures with. ${HOW}`);
  const { chromium } = await import('playwright-core');
  try {
    return await chromium.launch({
      ...(path === 'playwright' ? {} : { executablePath: path }),
      // Its sandbox refuses to work for root (containers).
      chromiumSandbox: process.getuid?.() !== 0,
      args: [...FLAGS, ...flags],
    });
  } catch (error) {
    const [first = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new ChromiumMissing(`${path} does not start: ${first}. ${HOW}`);
  }
}
