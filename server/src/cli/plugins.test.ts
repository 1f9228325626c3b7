// Plug-ins from the command line: found by every command, and run like any other algorithm.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EngineListing } from '#protocol/cca';
import { testFolder } from '../testing/folder.ts';
import { TestProcess } from '../testing/process.ts';
import { QUICK } from '../testing/server.ts';
import { withPlugins } from './plugins.ts';

const folder = testFolder();
const EXAMPLE = join(import.meta.dirname, '../../../examples/cca-plugin');

describe('the words of a command', () => {
  it('lose the option, which goes into the environment', () => {
    const here = import.meta.filename;
    const env: NodeJS.ProcessEnv = { PACELINE_CCA_PLUGINS: '/a.so' };
    expect(withPlugins(['run', '--cca-plugin', here, 'x.json', `--cca-plugin=${here}`], env)).toEqual([
      'run',
      'x.json',
    ]);
    expect(env['PACELINE_CCA_PLUGINS']).toBe(`/a.so:${here}`);
    const bare: NodeJS.ProcessEnv = {};
    expect(withPlugins(['shell', '--', 'run', '--cca-plugin', 'x'], bare)).toEqual([
      'shell',
      '--',
      'run',
      '--cca-plugin',
      'x',
    ]);
    expect(bare).toEqual({});
  });

  it.each([
    [['serve', '--cca-plugin'], /wants a file/],
    [['serve', '--cca-plugin', '/nowhere/a.so'], /there is no file/],
  ])('%s is refused', (words, why) => {
    expect(() => withPlugins(words, {})).toThrow(why);
  });
});

describe('a plug-in', () => {
  const file = (name: string): string => join(folder(), name);
  const paceline = (...words: string[]) =>
    new TestProcess('bin/paceline.mjs', ['--cca-plugin', file('built/aimd.so'), ...words], folder()).ended();

  it('is listed, and competes in an experiment beside ours', { timeout: 300_000 }, async () => {
    execFileSync('cmake', ['-S', EXAMPLE, '-B', file('built')], { stdio: 'pipe' });
    execFileSync('cmake', ['--build', file('built')], { stdio: 'pipe' });
    const listed = await paceline('ccas', '--json');
    const found = EngineListing.parse(JSON.parse(listed.stdout)).ccas.find(({ id }) => id === 'example-aimd');
    expect(found).toMatchObject({ kind: 'sender', revision: expect.stringMatching(/^[0-9a-f]{12}$/) as string });

    const spec = {
      ...QUICK,
      ccas: [{ id: 'example-aimd', params: { increase: 2 } }, { id: 'newreno' }],
      full_scores: true,
    };
    writeFileSync(file('spec.json'), JSON.stringify(spec));
    const ran = await paceline('run', file('spec.json'), '--out', file('out'), '--workers', '1');
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining('6 of 6 runs')]);
    const rows = readFileSync(file('out/summary.csv'), 'utf8').split('\n');
    expect(rows.filter((row) => row.includes('example-aimd')).length).toBeGreaterThan(0);
  });
});
