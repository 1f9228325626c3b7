import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import { manifest } from '#bridge/testing/fake-programs';
import { testFolder } from '../testing/folder.ts';
import { Shelf } from './shelf.ts';

const folder = testFolder();

it('a trace that is too large for Redis is not lent: its runs are made where it lies', () => {
  const sha256 = 'a'.repeat(64);
  const path = join(folder(), `${sha256}.trace`);
  const shelf = new Shelf({ redis: {} as Redis, tracesDir: folder(), program: () => null });
  const { forward } = manifest();
  const run = manifest({ forward: { ...forward, capacity: { kind: 'trace', sha256, name: 'x', offset_ms: 0 } } });
  writeFileSync(path, '1 1\n');
  expect(shelf.fits(run)).toBe(true);
  // Without taking room on the disk.
  truncateSync(path, 300 * 2 ** 20);
  expect(shelf.fits(run)).toBe(false);
});
