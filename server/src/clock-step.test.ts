// Somebody sets the machine's clock while the server works: by a day forwards, then two back.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ExperimentList, TraceList, type RunRecord } from '#protocol/api';
import { Client } from './testing/client.ts';
import { testFolder } from './testing/folder.ts';
import { eventually, TestProcess } from './testing/process.ts';
import { LONG, QUICK } from './testing/server.ts';

// A server starts, and runs take their time, beside the other tests.
vi.setConfig({ testTimeout: 300_000 });

const LIBRARY = ['/usr/lib', ...readdirSync('/usr/lib').map((name) => join('/usr/lib', name))]
  .map((place) => join(place, 'faketime/libfaketime.so.1'))
  .find((path) => existsSync(path));

const folder = testFolder();
const open: TestProcess[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.kill('SIGKILL')));
});

/** Processor time of a process so far; 0 when it is gone. */
function cpuTicks(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[11] ?? 0);
  } catch {
    return 0;
  }
}

describe.skipIf(LIBRARY === undefined)('a clock that is set (needs libfaketime: apt install faketime)', () => {
  it('fails nothing, keeps nothing waiting, and leaves lists in the order in which things came', async () => {
    const clock = join(folder(), 'clock');
    const set = (offset: string): void => writeFileSync(clock, offset);
    set('+0');
    const env = {
      ...process.env,
      PACELINE_LOG: 'silent',
      LD_PRELOAD: LIBRARY,
      FAKETIME_TIMESTAMP_FILE: clock,
      FAKETIME_NO_CACHE: '1',
      // What a machine's clock is set to changes nothing in the time since it was started.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      FAKETIME_FORCE_MONOTONIC_FIX: '0',
    };
    const words = ['--port', '0', '--workers', '8', '--data-dir', join(folder(), 'data')];
    const started = new TestProcess('server/src/main.ts', words, undefined, env);
    open.push(started);
    const client = await Client.of(started);
    const names: string[] = [];
    const submit = async (spec: typeof QUICK): Promise<string> => {
      names.push(`${names.length}`);
      const [run = ''] = await client.submit({ ...spec, name: `${names.length - 1}`, seed: names.length });
      return run;
    };
    const bring = async (name: string, text: string): Promise<void> => {
      const response = await client.post(`traces?name=${name}`, text, 'application/octet-stream');
      expect(response.status).toBe(201);
    };
    const programs = (): number[] =>
      client.process.natives().flatMap(({ name, pid }) => (name === 'paceline-simula' ? [pid] : []));
    const virtual = await submit({ ...LONG, duration_s: 2000 });
    const real = await submit({ ...QUICK, engine: 'realtime', duration_s: 15 });
    await client.reaches(virtual, 'running');
    await client.reaches(real, 'running');
    // The others have made the runs of the home page, and rest.
    const busiest = (): number | undefined => programs().toSorted((a, b) => cpuTicks(b) - cpuTicks(a))[0];
    await eventually(() => cpuTicks(busiest() ?? -1) > 50);
    const ofVirtual = busiest();
    /** A run whose program was killed so often that it waits some time for its next try, and how long. */
    const setBack = async (): Promise<{ readonly run: string; readonly waitsS: number }> => {
      const run = await submit({ ...LONG, duration_s: 60 });
      for (;;) {
        const { setback, state } = await client.run(run);
        // On a busy machine it may be over before it was killed often enough: then it is another one's turn.
        if (state === 'done') return await setBack();
        const waitsS = setback?.retry_in_s ?? 0;
        if (waitsS > 1.5) return { run, waitsS };
        const spared = (await client.run(virtual)).state === 'running' ? ofVirtual : undefined;
        for (const pid of programs()) if (pid !== spared) process.kill(pid, 'SIGKILL');
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };

    await bring('before', '1\n2\n');
    const runs = [virtual, real];
    for (const [offset, days, name] of [
      ['+1d', 1, 'tomorrow'],
      ['-1d', -1, 'yesterday'],
    ] as const) {
      const { run: waits, waitsS } = await setBack();
      set(offset);
      const { setback } = await client.run(waits);
      expect(setback?.retry_in_s ?? 0).toBeLessThanOrEqual(waitsS);
      const next = await submit(QUICK);
      await bring(name, `1\n${name.length}\n`);
      expect(Math.round((Date.parse((await client.run(next)).created_at) - Date.now()) / 86_400_000)).toBe(days);
      await client.over(waits);
      runs.push(waits, next);
    }
    for (const run of runs) await client.over(run);
    expect(await client.run(real)).toMatchObject({ time_s: 15 });

    const ends = await Promise.all(runs.map((run) => client.run(run)));
    // A machine that did not keep up with real time says so; that is not the clock's doing.
    const late = (end: RunRecord): boolean => end.id === real && end.summary?.lateness?.overrun === true;
    expect(ends.filter((end) => end.state !== 'done' && !late(end))).toEqual([]);
    const { experiments } = ExperimentList.parse(await (await client.get('experiments')).json());
    expect(experiments.map(({ name }) => name).filter((name) => names.includes(name))).toEqual(names.toReversed());
    const { traces } = TraceList.parse(await (await client.get('traces')).json());
    expect(traces.filter(({ origin }) => origin === 'upload').map(({ name }) => name)).toEqual([
      'yesterday',
      'tomorrow',
      'before',
    ]);
    expect(await client.notReady()).toBeNull();
    // Ends as it was asked to, at once.
    expect((await started.kill('SIGTERM')).code).toBe(0);
  });
});
