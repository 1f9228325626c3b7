/**
 * `npm run check:static [-- DIR] [-- --base FOLDER] [-- --small]`: whether a site that was built (docs/static-site.md) has all that it must
 * have, is small enough, and opens: served as any host of files does, in a browser, some addresses of each kind. Exits with 1 where not.
 */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import { SiteHost } from '../e2e/support/site-host.ts';
import { chromiumPath } from './lib/chromium.mjs';
import { baseOf } from './static/base.ts';
import { complete } from './static/complete.ts';
import { readContents } from './static/contents.ts';
import { opened } from './static/opened.ts';
import { MOST_BYTES, sizesOf } from './static/sizes.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { base: { type: 'string', default: '/' }, small: { type: 'boolean', default: false } },
});
const folder = resolve(positionals[0] ?? fileURLToPath(new URL('../build/static-site', import.meta.url)));

async function inBrowser(addresses: readonly string[]): Promise<string[]> {
  const path = chromiumPath();
  if (path === undefined) return ['no address was opened: there is no Chromium here (npx playwright install chromium)'];
  const host = await SiteHost.of(folder, baseOf(values.base));
  const browser = await chromium.launch({
    ...(path === 'playwright' ? {} : { executablePath: path }),
    chromiumSandbox: process.getuid?.() !== 0,
  });
  try {
    const faults: string[] = [];
    for (const address of addresses) {
      const found = await opened(browser, host.url, address);
      console.log(`${found.length === 0 ? 'opens ' : 'FAILS '} ${address}`);
      faults.push(...found);
    }
    return faults;
  } finally {
    await browser.close();
    await host.cut();
  }
}

const sizes = sizesOf(folder);
for (const { kind, files, bytes } of sizes)
  console.log(`${kind.padEnd(8)} ${String(files).padStart(6)} files ${(bytes / 1e6).toFixed(2).padStart(8)} MB`);
const bytes = sizes.reduce((sum, one) => sum + one.bytes, 0);
const faults = bytes > MOST_BYTES ? [`it has ${(bytes / 1e6).toFixed(1)} MB, and may have ${MOST_BYTES / 1e6}`] : [];
const { missing, addresses } = complete(folder, readContents(values.small ? 'small' : 'whole'));
faults.push(...missing, ...(await inBrowser(addresses)));
for (const fault of faults) console.error(fault);
console.log(`${folder}: ${faults.length === 0 ? 'complete' : `${faults.length} faults`}`);
if (faults.length > 0) process.exitCode = 1;
