import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { NATIVE_SOURCE } from '../lib/paths.mjs';
import { compilerCache } from './native.mjs';

it('commands stay as they were when ccache comes to a machine after the programs were compiled', () => {
  const folder = mkdtempSync(join(tmpdir(), 'paceline-native-'));
  const configure = (there: boolean): string[] => {
    const options = ['-DCMAKE_BUILD_TYPE=Release', '-DCCACHE=/usr/bin/env', ...compilerCache(folder, there)];
    execFileSync('cmake', ['-S', NATIVE_SOURCE, '-B', folder, '-G', 'Ninja', ...options]);
    const rules = readFileSync(`${folder}/CMakeFiles/rules.ninja`, 'utf8');
    return [...rules.matchAll(/^ *command = .*$/gm)].map(([line]) => line);
  };
  try {
    const without = configure(false);
    expect(configure(true)).toEqual(without);
    rmSync(`${folder}/CMakeCache.txt`);
    expect(configure(true)).not.toEqual(without);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
