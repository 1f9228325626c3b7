import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { TraceList, TraceRecord } from '#protocol/api';
import { testFolder } from '../testing/folder.ts';
import { TestProcess, type Ended } from '../testing/process.ts';
import { TestServer } from '../testing/server.ts';

const folder = testFolder();
const paceline = (...args: string[]): Promise<Ended> =>
  new TestProcess('bin/paceline.mjs', args, folder(), { ...process.env, PACELINE_DATA_DIR: '' }).ended();

describe('paceline trace list', () => {
  it('lists what a running server has, sorted and searched as there', async () => {
    const server = await TestServer.start({ dataDir: folder() });
    try {
      await fetch(server.url('/traces?name=tram.down&technology=4G%20LTE'), {
        method: 'POST',
        body: '# ms count\n5 2\n',
      });
      const list = (...args: string[]): Promise<Ended> => paceline('trace', 'list', '--data-dir', folder(), ...args);
      const all = z.array(TraceRecord).parse(JSON.parse((await list('--json')).stdout));
      expect(all[0]?.name).toBe('tram.down');
      expect(all).toEqual((await server.json('/traces', TraceList)).traces);
      const { stdout } = await list('4g', '--sort=-mean', '--place', 'Road');
      expect(
        stdout
          .split('\n')
          .map((line) => line.split(/ {2,}/).at(-1))
          .slice(1, 3),
      ).toEqual(['4G drive, 104 Mbps', '4G drive, 76 Mbps']);
      expect((await list('4G drive, 60 Mbps')).stdout).toContain('4G drive, 76 Mbps');
      expect(await list('nowhere')).toMatchObject({ code: 0, stdout: '', stderr: 'no trace is like that\n' });
      expect(await list('--sort', 'age')).toMatchObject({ code: 2 });
    } finally {
      await server.stop();
    }
  });
});

describe('paceline run', () => {
  it('takes a spec that names a shipped trace as 0.1.0 did', async () => {
    const spec = { duration_s: 0.2, traces: [{ trace: '4G drive, 60 Mbps' }], ccas: [{ id: 'cubic' }] };
    writeFileSync(`${folder()}/spec.json`, JSON.stringify(spec));
    expect(await paceline('run', `${folder()}/spec.json`, '--out', `${folder()}/out`)).toMatchObject({ code: 0 });
    expect(readFileSync(`${folder()}/out/summary.json`, 'utf8')).toContain('"4G drive, 76 Mbps"');
  });
});
