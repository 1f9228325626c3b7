import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { build, preview } from 'vite';
import { chromiumPath } from '../lib/chromium.mjs';
import type { Bench, Measurement } from './bench.ts';
import { WORK_CATEGORIES, workOf, type Work } from './frame-work.ts';

/** What web/src/gallery/bench.tsx leaves in the page. */
interface FrameTimes {
  readonly frames: number;
  readonly median_ms: number;
  readonly p95_ms: number;
  readonly worst_ms: number;
  readonly smooth: number;
}

interface Measured extends FrameTimes {
  readonly work: Work;
  /** Processor time of all of the browser's processes per frame: does not depend on what else the machine does. */
  readonly cpu_ms: number;
}

/** A frame at 60 per second, and half a frame of slack: one that is later is seen as a jerk. */
const AIM_P95_MS = 25;
/** What the page may take of a frame: with more, a screen of 120 frames per second would miss some. */
const AIM_WORK_P95_MS = 8;

const MODES = [
  {
    mode: 'live',
    what: 'live charts, 16 flows, 5 figures, rows for every frame',
    naive: 'every sample drawn on every frame',
  },
  {
    mode: 'million',
    what: 'pan and zoom through 1 000 000 rows, 5 figures',
    naive: 'every sample drawn on every frame',
  },
  { mode: 'packets', what: 'packets on their way, 10 000 in sight', naive: 'each an element' },
] as const;

const workText = ({ frame, parts }: Work): string =>
  `${frame.median_ms.toFixed(1)} ms median, ${frame.p95_ms.toFixed(1)} p95; on average ${parts.map(({ name, ms }) => `${name} ${ms.toFixed(1)}`).join(', ')} ms`;

async function framesOf(url: string): Promise<Measured> {
  const path = chromiumPath();
  const browser = await chromium.launch({
    ...(path !== undefined && path !== 'playwright' && { executablePath: path }),
    args: [
      '--no-sandbox',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 1600 } });
    const session = await browser.newBrowserCDPSession();
    const cpuSeconds = async (): Promise<number> => {
      const { processInfo } = await session.send('SystemInfo.getProcessInfo');
      return processInfo.reduce((sum, process) => sum + process.cpuTime, 0);
    };
    const once = async (name: 'started' | 'result'): Promise<unknown> => {
      const handle = await page.waitForFunction((key) => (globalThis as Record<string, unknown>)[key], name, {
        timeout: 120_000,
      });
      return handle.jsonValue();
    };
    await page.goto(url);
    await once('started');
    const before = await cpuSeconds();
    await browser.startTracing(page, { categories: [...WORK_CATEGORIES] });
    const result = (await once('result')) as FrameTimes;
    const work = workOf((await browser.stopTracing()).toString());
    return { ...result, work, cpu_ms: (1000 * ((await cpuSeconds()) - before)) / result.frames };
  } finally {
    await browser.close();
  }
}

/** Frame times of the real figures in a real browser without a graphics card, beside drawing every sample on every frame. */
export const bench: Bench = async () => {
  const root = fileURLToPath(new URL('../../web/', import.meta.url));
  const outDir = fileURLToPath(new URL('../../build/bench-web/', import.meta.url));
  const shared = { root, configFile: `${root}vite.config.ts`, logLevel: 'error' } as const;
  await build({ ...shared, build: { outDir, emptyOutDir: true, rolldownOptions: { input: `${root}bench.html` } } });
  const server = await preview({ ...shared, build: { outDir }, preview: { host: '127.0.0.1', port: 0 } });
  try {
    const base = server.resolvedUrls?.local[0] ?? '';
    const rows: Measurement[] = [];
    for (const { mode, what, naive: otherwise } of MODES) {
      const naive = await framesOf(`${base}bench.html?mode=${mode}&way=naive`);
      const own = await framesOf(`${base}bench.html?mode=${mode}&way=figures`);
      const text = ({ median_ms, p95_ms, smooth, cpu_ms }: Measured): string =>
        `${median_ms.toFixed(1)} ms median, ${p95_ms.toFixed(1)} p95, ${(100 * smooth).toFixed(0)} % at 60 per second; ${cpu_ms.toFixed(1)} ms of processor time a frame`;
      rows.push(
        { what: `${what}: ${otherwise}`, measured: text(naive) },
        {
          what: `${what}: the page's own processor time of a frame`,
          measured: workText(own.work),
          aim: { text: `p95 <= ${AIM_WORK_P95_MS} ms`, met: own.work.frame.p95_ms <= AIM_WORK_P95_MS },
        },
        {
          what,
          measured: `${text(own)}; ${(naive.cpu_ms / own.cpu_ms).toFixed(1)} times less`,
          aim: { text: `p95 <= ${AIM_P95_MS} ms`, met: own.p95_ms <= AIM_P95_MS },
        },
      );
    }
    return rows;
  } finally {
    await server.close();
    rmSync(outDir, { recursive: true, force: true });
  }
};
