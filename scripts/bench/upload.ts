import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { PacelineServer } from '../../e2e/server.ts';
import { uploadToPicture } from '../../e2e/support/upload-picture.ts';
import { chromiumPath } from '../lib/chromium.mjs';
import { mahimahiLines, writeLarge } from '../lib/large-traces.ts';
import { webPage } from '../setup/web.mjs';
import { median, type Bench } from './bench.ts';

const LINES = 15_000_000;
const REPEATS = 3;
const AIM_MS = 3000;

/** The most memory that a process had, in MB. */
const peakMb = (pid: number): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? NaN) / 1024;

/** A person uploads a trace of 15 million lines in a real browser; the same file each time, to a server that does not know it yet. */
export const bench: Bench = async () => {
  await webPage();
  const path = chromiumPath();
  const folder = mkdtempSync(join(tmpdir(), 'paceline-upload-'));
  const file = join(folder, 'long.down');
  writeLarge(file, mahimahiLines(LINES));
  const browser = await chromium.launch({
    ...(path !== undefined && path !== 'playwright' && { executablePath: path }),
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  });
  const times: number[] = [];
  const grown: number[] = [];
  try {
    for (let i = 0; i < REPEATS; i++) {
      const server = await PacelineServer.start();
      try {
        const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
        const before = peakMb(server.pid);
        times.push(await uploadToPicture(page, server.url, file));
        grown.push(peakMb(server.pid) - before);
        await page.close();
      } finally {
        await server.dispose();
      }
    }
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  }
  const typical = median(times);
  return [
    {
      what: `a trace of ${LINES / 1e6} million lines: last byte of the upload to its picture`,
      measured: `${(typical / 1000).toFixed(1)} s (median of ${REPEATS}, ${(Math.min(...times) / 1000).toFixed(1)}–${(Math.max(...times) / 1000).toFixed(1)})`,
      aim: { text: `< ${AIM_MS / 1000} s`, met: typical < AIM_MS },
    },
    { what: "the server's memory meanwhile", measured: `${Math.max(...grown).toFixed(0)} MB more` },
  ];
};
