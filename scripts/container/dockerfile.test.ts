import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../lib/paths.mjs';
import { copied, instructionsOf, stagesOf } from './dockerfile.mjs';

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
      stage: undefined,
      from: ['a.json', 'b.json'],
      to: './',
    });
    expect(copied('--from=build /a/ /b/')).toEqual({ owner: undefined, stage: 'build', from: ['/a/'], to: '/b/' });
    expect(stagesOf(instructionsOf('FROM a AS build\nRUN one\nFROM b\nRUN two\n'))).toEqual([
      { image: 'a', name: 'build', line: 1, steps: [{ word: 'RUN', rest: 'one', line: 2 }] },
      { image: 'b', name: undefined, line: 3, steps: [{ word: 'RUN', rest: 'two', line: 4 }] },
    ]);
  });

  it.each([
    ['FROM a\nMAINTAINER me\n', 'Dockerfile:2: MAINTAINER me'],
    ['FROM a\nRUN one \\\n', 'Dockerfile:2: it ends in the middle'],
  ])('is refused by the line of what is not known: %j', (text, why) => {
    expect(() => instructionsOf(text)).toThrow(why);
  });

  it('is ours: of two stages, the last without compilers and for somebody without rights', () => {
    const [build, image, ...more] = stagesOf(instructionsOf(readFileSync(join(ROOT, 'docker/Dockerfile'), 'utf8')));
    expect(more).toEqual([]);
    // One Node, to the last digit: what is compiled for it runs on no other.
    expect(build?.image).toMatch(/^node:\d+\.\d+\.\d+-[a-z]+$/);
    expect(image?.image).toBe(`${build?.image}-slim`);
    // Nothing runs as root but what installs packages of the system.
    for (const stage of [build, image]) {
      const steps = stage?.steps ?? [];
      const user = steps.findIndex(({ word }) => word === 'USER');
      expect(steps[user]?.rest).toBe('node');
      for (const { word, rest } of steps.slice(0, user))
        if (word === 'RUN') expect(rest).toMatch(/--only packages|^apt-get |^mkdir /);
    }
    expect(image?.steps.filter(({ word }) => word === 'COPY').map(({ rest }) => rest)).toEqual([
      '--from=build /opt/image/ /opt/',
    ]);
    expect(JSON.parse(image?.steps.at(-1)?.rest ?? '')).toEqual([
      'node',
      'bin/paceline.mjs',
      'serve',
      '--host',
      '0.0.0.0',
    ]);
  });

  it('installs the libraries that docs/package.md names', () => {
    const image = stagesOf(instructionsOf(readFileSync(join(ROOT, 'docker/Dockerfile'), 'utf8'))).at(-1);
    const [, list = ''] = /apt-get install ([^`]+)`/.exec(readFileSync(join(ROOT, 'docs/package.md'), 'utf8')) ?? [];
    const apt = image?.steps.find(({ rest }) => rest.startsWith('apt-get'))?.rest.split(/\s+/) ?? [];
    expect(apt).toEqual(expect.arrayContaining([...list.split(' '), 'iproute2']) as string[]);
  });
});
