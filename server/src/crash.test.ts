// The server as a process: what a crash, a restart and an orderly end leave behind.
import { afterEach, describe, expect, it } from 'vitest';
import { ExperimentRecord, RunRecord } from '#protocol/api';
import type { ExperimentSpecInput } from '#protocol/spec';
import { testFolder } from './testing/folder.ts';
import { eventually, stillThere, TestProcess } from './testing/process.ts';
import { LONG, QUICK } from './testing/server.ts';

const folder = testFolder();
const open: TestProcess[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.kill('SIGKILL')));
});

class Server {
  readonly process: TestProcess;
  readonly url: string;

  private constructor(started: TestProcess, url: string) {
    this.process = started;
    this.url = url;
  }

  static async start(): Promise<Server> {
    const started = new TestProcess('server/src/main.ts', ['--port', '0', '--data-dir', folder()]);
    open.push(started);
    const [, url = ''] = await started.says(/^Paceline is ready: (http:\S+)/m);
    return new Server(started, url);
  }

  async submit(spec: ExperimentSpecInput): Promise<string> {
    const response = await fetch(new URL('/api/v1/experiments', this.url), {
      method: 'POST',
      body: JSON.stringify(spec),
      headers: { 'content-type': 'application/json' },
    });
    return ExperimentRecord.parse(await response.json()).runs[0]!.id;
  }

  async run(id: string): Promise<RunRecord> {
    return RunRecord.parse(await (await fetch(new URL(`/api/v1/runs/${id}`, this.url))).json());
  }

  reaches(id: string, state: string): Promise<void> {
    return eventually(async () => (await this.run(id)).state === state);
  }
}

/** The three processes of a real-time run; those of virtual time stay for the next run. */
const ofRealtime = ({ process }: Server): ReturnType<TestProcess['natives']> =>
  process.natives().filter(({ name }) => name !== 'paceline-simula');

const realtime: ExperimentSpecInput = { ...QUICK, name: 'real time', engine: 'realtime', duration_s: 60 };

describe('a server that is killed', () => {
  it('leaves no process behind; interrupted runs run again after a restart, finished ones stay', async () => {
    const first = await Server.start();
    const done = await first.submit(QUICK);
    await first.reaches(done, 'done');
    const finished = await first.run(done);
    const interrupted = await first.submit({ ...LONG, duration_s: 400 });
    await first.reaches(interrupted, 'running');
    const waiting = await first.submit({ ...QUICK, seed: 2, duration_s: 8 });
    const natives = first.process.natives();
    expect(natives.map(({ name }) => name)).toContain('paceline-simula');
    await first.process.kill('SIGKILL');
    await eventually(() => stillThere(natives).length === 0);

    const second = await Server.start();
    await Promise.all([second.reaches(interrupted, 'done'), second.reaches(waiting, 'done')]);
    expect((await second.run(interrupted)).time_s).toBe(400);
    expect(await second.run(done)).toEqual(finished);
  });

  it('leaves no process of a real-time run behind', async () => {
    const server = await Server.start();
    const run = await server.submit(realtime);
    await server.reaches(run, 'running');
    await eventually(() => ofRealtime(server).length === 3);
    const natives = server.process.natives();
    await server.process.kill('SIGKILL');
    await eventually(() => stillThere(natives).length === 0);
  });
});

describe('a server that is told to end', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('by %s stops its runs, says nothing more and gives 0', async (signal) => {
    const server = await Server.start();
    const run = await server.submit(realtime);
    await server.reaches(run, 'running');
    await eventually(() => ofRealtime(server).length === 3);
    const natives = server.process.natives();
    const { code, stdout } = await server.process.kill(signal);
    expect(code).toBe(0);
    expect(stdout.trim().split('\n')).toHaveLength(1);
    expect(stillThere(natives)).toEqual([]);

    const next = await Server.start();
    expect(['queued', 'running']).toContain((await next.run(run)).state);
  });
});

it('refuses a data folder that another server works on', async () => {
  await Server.start();
  const second = new TestProcess('server/src/main.ts', ['--port', '0', '--data-dir', folder()]);
  open.push(second);
  const { code, stderr } = await second.ended();
  expect(code).toBe(1);
  expect(stderr).toContain('is in use by another Paceline');
});
