import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { findProgram } from './find.mjs';

/** Where Playwright keeps browsers that it downloaded itself (its own default, unless the variable says otherwise). */
function playwrightFolder() {
  const chosen = process.env['PLAYWRIGHT_BROWSERS_PATH'];
  if (chosen !== undefined && chosen !== '0') return chosen;
  return process.platform === 'darwin'
    ? `${homedir()}/Library/Caches/ms-playwright`
    : `${homedir()}/.cache/ms-playwright`;
}

/** Whether `npx playwright install chromium` was run on this machine. */
export function playwrightHasChromium() {
  const folder = playwrightFolder();
  return existsSync(folder) && readdirSync(folder).some((name) => name.startsWith('chromium-'));
}

/**
 * The Chromium that tests drive: $CHROMIUM, the system's, or the word for Playwright's own; undefined if there is none.
 * @returns {string | undefined}
 */
export function chromiumPath() {
  // The one without windows draws the same pages for less.
  const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];
  const system = process.env['CHROMIUM'] ?? findProgram(...names);
  return system ?? (playwrightHasChromium() ? 'playwright' : undefined);
}
