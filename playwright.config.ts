import { availableParallelism } from 'node:os';
import { defineConfig, devices } from '@playwright/test';
import type { Options, WorkerOptions } from './e2e/fixtures.ts';
import { CHOSEN } from './e2e/hands/chosen.ts';
import { chromiumPath } from './scripts/lib/chromium.mjs';
import { serverBundle } from './scripts/lib/server-bundle.mjs';

await serverBundle();

const chromium = chromiumPath();

/** Pages look the same on every machine, and nothing but the server under test is called. */
const args = [
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

/** Journeys whose runs go in real time, or that are live while they are watched: one at a time, and not beside others. */
const TIMED = ['**/{external-program,kernel-tcp,live-measurements,main-job,quic,realtime,robustness,run-page}.spec.ts'];
/** What only looks. */
const NOTHING_PRESSED = ['**/{first-look,looks,tab-order,unknown-ids}.spec.ts'];
const KEYBOARD = {
  testMatch: '**/*.spec.ts',
  grepInvert: /of the views|in any view/,
  use: { hands: 'keyboard' as const, fetchesAhead: true },
};
const outputDir = 'build/test-results/playwright';

/** Chromium's sandbox refuses to work for root (containers, CI). */
const isRoot = process.getuid?.() === 0;

export default defineConfig<Options, WorkerOptions>({
  testDir: 'e2e',
  snapshotPathTemplate: '{testDir}/{testFileDir}/{testFileName}-snapshots/{arg}{ext}',
  // Each journey starts its own server (see e2e/fixtures.ts).
  workers: availableParallelism(),
  // `npm test` runs one after the other; each has a folder of its own, because a run empties its folder.
  projects: [
    { name: 'journeys', testMatch: '**/*.spec.ts', testIgnore: TIMED, outputDir: `${outputDir}/journeys` },
    {
      name: 'timed',
      testMatch: TIMED,
      outputDir: `${outputDir}/timed`,
      workers: 1,
      use: { fetchesAhead: true },
    },
    // The same journeys without a mouse (docs/page-tests.md): those of `npm test`, and all that press anything.
    {
      ...KEYBOARD,
      name: 'keyboard-chosen',
      testMatch: `**/{${CHOSEN.join()}}.spec.ts`,
      outputDir: `${outputDir}/keyboard-chosen`,
    },
    { ...KEYBOARD, name: 'keyboard', testIgnore: NOTHING_PRESSED, outputDir: `${outputDir}/keyboard` },
  ],
  timeout: 300_000,
  expect: { timeout: 30_000 },
  forbidOnly: process.env['CI'] !== undefined,
  retries: 0,
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 1440, height: 900 },
    deviceScaleFactor: 1,
    // Recording what could be replayed costs a quarter of the processor's time: `--trace=retain-on-failure` when something fails.
    trace: 'off',
    screenshot: 'only-on-failure',
    // What hangs is named, and not the step after it at which the whole time was over.
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    launchOptions: {
      ...(chromium === undefined || chromium === 'playwright' ? {} : { executablePath: chromium }),
      chromiumSandbox: !isRoot,
      args,
    },
  },
});
