import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../lib/paths.mjs';
import { copied, instructionsOf } from './dockerfile.mjs';

describe('a Dockerfile', () => {
  it('is read one instruction after the other, by its lines', () => {
    const text = '# what it is\nFROM node:20-bookworm\n\nRUN one && \\\n  # why\n  two \\\n  three\nCMD ["a", "b"]\n';
    expect(instructionsOf(text)).toEqual([
      { word: 'FROM', rest: 'node:20-bookworm', line: 2 },
      { word: 'RUN', rest: 'one && two three', line: 4 },
      { word: 'CMD', rest: '["a", "b"]', line: 8 },
    ]);
    expect(copied('--chown=node:node a.json b.json ./')).toEqual({
      owner: 'node:node',
      from: ['a.json', 'b.json'],
      to: './',
    });
  });

  it.each([
    ['FROM a\nMAINTAINER me\n', 'Dockerfile:2: MAINTAINER me'],
    ['FROM a\nRUN one \\\n', 'Dockerfile:2: it ends in the middle'],
  ])('is refused by the line of what is not known: %j', (text, why) => {
    expect(() => instructionsOf(text)).toThrow(why);
  });

  it('is ours', () => {
    const found = instructionsOf(readFileSync(join(ROOT, 'docker/Dockerfile'), 'utf8'));
    expect(found[0]?.rest).toMatch(/^node:\d+-[a-z]+$/);
    // Nothing of it runs as root but what installs packages.
    const user = found.findIndex(({ word }) => word === 'USER');
    const asRoot = found.slice(0, user).filter(({ word }) => word === 'RUN');
    expect(found[user]?.rest).toBe('node');
    for (const { rest } of asRoot) expect(rest).toMatch(/--only packages|^chown /);
    expect(JSON.parse(found.at(-1)?.rest ?? '')).toEqual(['node', 'scripts/start.mjs', '--host', '0.0.0.0']);
  });
});
