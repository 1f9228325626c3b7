// The examples of own algorithms: each is read, fills a link, and does what it says of itself.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { nativeDir } from '#bridge/programs';
import { manifest as fakeManifest } from '#bridge/testing/fake-programs';
import type { RunSummary } from '#protocol/summary';
import { createEngine } from '../engine.ts';
import { interpreterModule, runOwn } from '../testing/own.ts';

const MOST_LINES = 80;
const MODULE = join(nativeDir(), 'paceline.wasm');
const there = existsSync(MODULE);
const engine = there ? await createEngine(new Uint8Array(readFileSync(MODULE)), interpreterModule) : null;

const folder = fileURLToPath(new URL('examples/', import.meta.url));
const files = readdirSync(folder).filter((name) => name.endsWith('.ts'));
const textOf = (file: string): string => readFileSync(join(folder, file), 'utf8');

async function ran(file: string): Promise<RunSummary> {
  if (engine === null) throw new Error('there is no engine');
  const usual = fakeManifest({ engine_version: engine.version, duration_s: 20 });
  const forward = { ...usual.forward, capacity: { kind: 'constant', rate_mbps: 20 } } as const;
  const { outcome, reason, summary } = await runOwn(engine, { ...usual, forward }, textOf(file));
  expect([outcome, reason]).toEqual(['done', null]);
  if (summary === null) throw new Error('it has no summary');
  return summary;
}
const delayOf = ({ links }: RunSummary): number => links[0]?.queueing_delay.mean_ms ?? Infinity;

describe('the examples of own algorithms', () => {
  it.each(files)('%s is short, and says first what it is', (file) => {
    expect(textOf(file).trimEnd().split('\n').length).toBeLessThanOrEqual(MOST_LINES);
    expect(textOf(file)).toMatch(/^\/\/ (A )?[\w -]+: /);
  });

  it.skipIf(!there).each(files)('%s fills a steady link', async (file) => {
    const summary = await ran(file);
    expect(summary.links[0]?.utilisation).toBeGreaterThan(0.8);
  });

  it.skipIf(!there)(
    'those that look at delay or rate leave a shorter queue than the one that waits for loss',
    async () => {
      const aimd = delayOf(await ran('aimd.ts'));
      for (const file of ['delay.ts', 'rate.ts', 'policy.ts']) expect(delayOf(await ran(file))).toBeLessThan(aimd);
    },
  );
});
