import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { testFolder } from '../../server/src/testing/folder.ts';
import { packed } from './packed.mjs';

const folder = testFolder();
afterEach(() => vi.unstubAllEnvs());

it('finds the package that npm makes, whatever else npm says', async () => {
  const [stage, bin] = [join(folder(), 'stage'), join(folder(), 'bin')];
  for (const one of [stage, bin]) mkdirSync(one);
  writeFileSync(join(stage, 'package.json'), JSON.stringify({ name: 'of-a-test', version: '1.2.3' }));
  const npm = join(bin, 'npm');
  writeFileSync(
    npm,
    '#!/bin/sh\nPATH=${PATH#*:} npm "$@"\necho "npm notice New major version of npm available!" >&2\n',
  );
  chmodSync(npm, 0o755);
  vi.stubEnv('PATH', `${bin}:${process.env['PATH'] ?? ''}`);
  const file = await packed(stage, join(folder(), 'out'));
  expect(file).toBe(join(folder(), 'out', 'of-a-test-1.2.3.tgz'));
  expect(existsSync(file)).toBe(true);
});
