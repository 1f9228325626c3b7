import { test as base } from '@playwright/test';
import { PacelineServer } from './server.ts';

interface Fixtures {
  /** A server of its own for this test, with an empty data folder. */
  readonly server: PacelineServer;
  /** Fails the test if the page logged an error or threw. */
  readonly noConsoleErrors: undefined;
}

interface WorkerFixtures {
  /** One server for all tests of a file that do not care what else it holds. */
  readonly sharedServer: PacelineServer;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  server: async ({}, use) => {
    const server = await PacelineServer.start();
    await use(server);
    await server.dispose();
  },

  sharedServer: [
    async ({}, use) => {
      const server = await PacelineServer.start();
      await use(server);
      await server.dispose();
    },
    { scope: 'worker' },
  ],

  noConsoleErrors: [
    async ({ page }, use) => {
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(error.stack ?? error.message));
      page.on('console', (message) => {
        if (message.type() === 'error') errors.push(message.text());
      });
      await use(undefined);
      if (errors.length > 0) throw new Error(`The page reported errors:\n${errors.join('\n')}`);
    },
    { auto: true },
  ],
});

export { expect } from '@playwright/test';
