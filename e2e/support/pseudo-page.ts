// The page in the language that nobody speaks, built into a folder of its own and shown in place of the server's page.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { BrowserContext } from '@playwright/test';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DIST = `${ROOT}build/texts/xx`;

export async function buildPseudoPage(): Promise<void> {
  const vite = `${ROOT}node_modules/vite/bin/vite.js`;
  const args = ['build', '--config', 'web/vite.config.ts', '--outDir', DIST, '--emptyOutDir', '--logLevel', 'error'];
  await promisify(execFile)(process.execPath, [vite, ...args], {
    cwd: ROOT,
    env: { ...process.env, PACELINE_LANGUAGE: 'xx' },
  });
}

/** What the server answers stays its own, and so does the engine, which says nothing in any language. */
export const showPseudoPage = (context: BrowserContext): Promise<unknown> =>
  context.route(
    ({ pathname }) => !pathname.startsWith('/api/') && !pathname.startsWith('/engine/'),
    (route) => {
      const file = DIST + new URL(route.request().url()).pathname;
      return route.fulfill({ path: !file.endsWith('/') && existsSync(file) ? file : `${DIST}/index.html` });
    },
  );
