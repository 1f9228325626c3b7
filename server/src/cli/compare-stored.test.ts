// Runs and experiments of a data folder against each other, and files of other programs brought into it, as they are called.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { testFolder } from '../testing/folder.ts';
import { TestProcess, type Ended } from '../testing/process.ts';
import { QUICK } from '../testing/server.ts';

const folder = testFolder();
const paceline = (...args: string[]): Promise<Ended> => new TestProcess('bin/paceline.mjs', args, folder()).ended();
const write = (name: string, content: string | Uint8Array): string => {
  const path = join(folder(), name);
  writeFileSync(path, content);
  return path;
};
interface Ran {
  readonly id: string;
  readonly runs: readonly { readonly id: string }[];
}
const run = async (name: string): Promise<Ran> => {
  const spec = { ...QUICK, name, traces: [{ rate_mbps: 24 }], ccas: [{ id: 'cubic' }, { id: 'bbr' }] };
  const words = ['run', write('spec.json', JSON.stringify(spec)), '--out', join(folder(), 'out'), '--series', 'none'];
  const { stdout, stderr } = await paceline(...words, '--data-dir', 'data', '--json');
  expect(stderr).toContain('2 of 2 runs');
  return JSON.parse(stdout) as Ran;
};

it('compare says what differs between two runs, and that nothing moved between two experiments of one spec', async () => {
  const [first, second] = [await run('One'), await run('Two')];
  const runs = await paceline('compare', first.runs[0]!.id, first.runs[1]!.id, '--data-dir', 'data');
  expect(runs.code).toBe(0);
  expect(runs.stdout).toMatch(/^algorithm +cubic +bbr$/m);
  expect(runs.stdout).toMatch(/^utilisation +[\d.]+\s% +[\d.]+\s% +[+-]?[\d.]+\s%$/m);
  expect(runs.stdout).toMatch(/^\d+ fields of their manifests are the same$/m);

  const regression = await paceline('compare', first.id, second.id, '--data-dir', 'data');
  expect(regression.stdout).toMatch(/^Nothing moved: all \d+ metrics of 2 cells are the same\.$/m);
  const mixed = await paceline('compare', first.id, first.runs[0]!.id, '--data-dir', 'data');
  expect([mixed.code, mixed.stderr]).toEqual([2, expect.stringContaining('one is a run and the other an experiment')]);
});

it('import keeps the series of other programs, and refuses with the place what is none', async () => {
  const flent = { version: 4, x_values: [0.2, 0.4], results: { 'TCP upload': [14.48, 14.48] } };
  const file = write('walk.flent.gz', gzipSync(JSON.stringify(flent)));
  const kept = await paceline('import', file, '--data-dir', 'data');
  expect(kept.stdout).toMatch(/^flent, 0\.4 s; on average\nTCP upload +15 Mbps/);
  expect(kept.stdout).toMatch(/\/compare\?runs=RUN&files=[0-9a-f]{16}\n$/);
  const refused = await paceline('import', write('bad.json', '{"x_values": [1,\n oops]}'), '--data-dir', 'data');
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('bad.json: line 2, column 2')]);
});
