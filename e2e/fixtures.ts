import { test as base, type BrowserContext, type BrowserContextOptions, type Page } from '@playwright/test';
import { give, teach, type Hands } from './hands/hands.ts';
import { PacelineServer } from './server.ts';

export interface Options {
  /** What the browser may complain of because the journey brings it about: a refused file, a server that is killed. */
  readonly expectedComplaints: readonly RegExp[];
  /** Whether browsers let the page fetch what one may go to next: twice the work of coming to it, so that few journeys do. */
  readonly fetchesAhead: boolean;
}

interface Fixtures {
  /** A server of its own for this test, with an empty data folder. */
  readonly server: PacelineServer;
  /** Somebody else's browser: nothing of the test's own page is known there. */
  readonly visitor: (options?: BrowserContextOptions) => Promise<Page>;
  /** Fails the test if any of its pages logged an error or a warning, or threw. */
  readonly complaints: Complaints;
}

export interface WorkerOptions {
  /** What the journeys go with. */
  readonly hands: Hands;
}

interface WorkerFixtures extends WorkerOptions {
  /** One server for all tests that do not care what else it holds. */
  readonly sharedServer: PacelineServer;
}

/** A browser whose owner has asked it to save data. */
const SPARING = `Object.defineProperty(navigator.connection, 'saveData', { value: true })`;

/** Everything the test's pages complained of. */
class Complaints {
  readonly #seen: string[] = [];
  readonly #expected: readonly RegExp[];
  readonly #fetchesAhead: boolean;
  #over = false;

  constructor(expected: readonly RegExp[], fetchesAhead: boolean) {
    this.#expected = expected;
    this.#fetchesAhead = fetchesAhead;
  }

  async watch(context: BrowserContext): Promise<void> {
    await teach(context);
    if (!this.#fetchesAhead) await context.addInitScript(SPARING);
    context.on('weberror', (event) => this.#add(event.error().stack ?? event.error().message));
    context.on('console', (message) => {
      const { url } = message.location();
      if (message.type() === 'error' || message.type() === 'warning')
        this.#add(`${message.type()}: ${message.text()} (${url})`);
    });
  }

  /** The test is over: that its server goes away is no fault of a page. */
  end(): void {
    this.#over = true;
  }

  #add(text: string): void {
    if (!this.#over && !this.#expected.some((expected) => expected.test(text))) this.#seen.push(text);
  }

  verdict(): void {
    if (this.#seen.length > 0) throw new Error(`The pages complained:\n${this.#seen.join('\n')}`);
  }
}

export const test = base.extend<Options & Fixtures, WorkerFixtures>({
  expectedComplaints: [[], { option: true }],
  fetchesAhead: [false, { option: true }],

  server: async ({ complaints }, use, testInfo) => {
    const server = await PacelineServer.start();
    await use(server);
    complaints.end();
    await server.dispose();
    if (testInfo.status !== testInfo.expectedStatus) await testInfo.attach('server log', { body: server.log });
  },

  sharedServer: [
    async ({}, use) => {
      const server = await PacelineServer.start();
      await use(server);
      await server.dispose();
    },
    { scope: 'worker' },
  ],

  visitor: async ({ browser, complaints, viewport, deviceScaleFactor }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async (options = {}) => {
      const context = await browser.newContext({ viewport, deviceScaleFactor: deviceScaleFactor ?? 1, ...options });
      await complaints.watch(context);
      contexts.push(context);
      return context.newPage();
    });
    for (const context of contexts) await context.close();
  },

  hands: ['mouse', { option: true, scope: 'worker' }],

  page: async ({ page, hands }, use) => {
    give(hands, page);
    await use(page);
  },

  complaints: [
    async ({ context, expectedComplaints, fetchesAhead }, use) => {
      const complaints = new Complaints(expectedComplaints, fetchesAhead);
      await complaints.watch(context);
      await use(complaints);
      complaints.verdict();
    },
    { auto: true },
  ],
});

export { expect } from '@playwright/test';
