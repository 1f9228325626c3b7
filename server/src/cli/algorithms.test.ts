// Own algorithms from a terminal: in a folder of one's own, and at a server.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nativeDir } from '#bridge/programs';
import { testFolder } from '../testing/folder.ts';
import { ownText } from '../testing/own-texts.ts';
import { TestProcess, type Ended } from '../testing/process.ts';
import { TestServer } from '../testing/server.ts';

const there = existsSync(join(nativeDir(), 'paceline.wasm'));
const folder = testFolder();
const paceline = (...words: string[]): Promise<Ended> => new TestProcess('bin/paceline.mjs', words, folder()).ended();
const file = (name: string, text: string): string => {
  writeFileSync(join(folder(), name), text);
  return name;
};

describe.skipIf(!there)('paceline algorithms', () => {
  it('checks a file, and names the place where it is none', async () => {
    const good = await paceline('algorithms', 'check', file('mine.ts', ownText('Mine')));
    expect([good.code, good.stderr]).toEqual([0, '']);
    expect(good.stdout).toMatch(
      /^Mine: Of a test\.\nNeeds: pacing window.*\nParameters\n {4}beta = 0\.5 \(0\.1 to 0\.9\)/,
    );
    const bad = await paceline('algorithms', 'check', file('bad.ts', 'const a = 1;\nlet b = ;\n'));
    expect(bad).toMatchObject({ code: 2, stdout: '', stderr: 'bad.ts:2:9: SyntaxError: Unexpected token\n' });
    const none = await paceline('algorithms', 'check', 'nowhere.ts');
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('nowhere.ts: ENOENT')]);
  });

  it.each(['a folder', 'a server'])('keeps, lists, shows, deletes and restores in %s', async (where) => {
    const server = where === 'a server' ? await TestServer.start() : null;
    const words = server === null ? ['--data-dir', 'data'] : ['--server', server.page];
    const algorithms = (...given: string[]): Promise<Ended> => paceline('algorithms', ...given, ...words);
    try {
      const first = await algorithms('add', file('mine.ts', ownText('Mine')));
      const [id = ''] = /^own-[0-9a-f]{40}/.exec(first.stdout) ?? [];
      expect(first).toMatchObject({ code: 0, stdout: `${id}  “Mine”, version 1\n` });
      expect((await algorithms('add', 'mine.ts')).stdout).toBe(first.stdout);
      const second = await algorithms('add', file('next.ts', `${ownText('Mine')}// next`));
      expect(second.stdout).toMatch(/“Mine”, version 2\n$/);
      expect(await algorithms('add', file('bad.ts', 'let b = ;'))).toMatchObject({ code: 2, stdout: '' });
      expect((await algorithms('add', 'bad.ts')).stderr).toBe('bad.ts:1:9: SyntaxError: Unexpected token\n');
      expect((await algorithms('show', id)).stdout).toBe(ownText('Mine'));
      expect((await algorithms('skeleton', id)).stdout).toContain('paceline_get_plugin()');
      expect((await algorithms()).stdout).not.toContain(id);
      expect((await algorithms('list', '--all')).stdout).toContain(`${id}  1 `);
      expect((await algorithms('delete', id)).stdout).toMatch(/is deleted\. For 24 hours/);
      expect((await algorithms('show', id)).code).toBe(2);
      expect((await algorithms('restore', id)).code).toBe(0);
      expect((await algorithms('show', id)).code).toBe(0);
    } finally {
      await server?.close();
    }
  });

  it('runs an algorithm by its file, which need not be kept before', async () => {
    file('mine.ts', ownText('Mine'));
    const spec = { traces: [{ rate_mbps: 12 }], ccas: [{ id: 'mine.ts', params: { beta: 0.7 } }], duration_s: 3 };
    const other = { ...spec, flows: [{}, { cca: { id: 'mine.ts' } }] };
    for (const [name, asked] of [
      ['one.json', spec],
      ['two.json', other],
    ] as const) {
      const ran = await paceline(
        'run',
        file(name, JSON.stringify(asked)),
        '--out',
        name.slice(0, 3),
        '--series',
        'csv',
      );
      expect([ran.code, ran.stderr]).toEqual([0, expect.not.stringContaining('failed') as string]);
      expect(ran.stdout).toContain('Mine (beta 0.7)');
    }
    const { runs } = JSON.parse(readFileSync(join(folder(), 'two/summary.json'), 'utf8')) as {
      runs: { state: string }[];
    };
    expect(runs.map(({ state }) => state)).toEqual(['done']);
    const kind = await paceline(
      'kind',
      'inter-fairness',
      '--ccas',
      'mine.ts,cubic',
      '--rate-mbps',
      '12',
      '--no-stacks',
    );
    expect(kind.stdout).toContain('"mine.ts"');
    const asked = { ...(JSON.parse(kind.stdout) as object), duration_s: 3 };
    const met = await paceline('run', file('kind.json', JSON.stringify(asked)), '--out', 'kind', '--series', 'none');
    expect([met.code, met.stdout]).toEqual([0, expect.stringMatching(/^Mine /m)]);
    file('bad.ts', ownText('Bad').replace('onAck(ack) {', 'onAck(ack) { let x = ;'));
    const refused = await paceline(
      'run',
      file('bad.json', JSON.stringify({ ...spec, ccas: [{ id: 'bad.ts' }] })),
      '--out',
      'no',
    );
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/^paceline: bad\.ts:10:\d+: SyntaxError/);
    const missing = await paceline(
      'run',
      file('gone.json', JSON.stringify({ ...spec, ccas: [{ id: 'gone.ts' }] })),
      '--out',
      'no',
    );
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('there is no file gone.ts')]);
  });
});
