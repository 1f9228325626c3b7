// What external programs write, and how long they wait for a processor, from a real run over TUN to HTTP and the command line.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ExperimentRecord, Problem, RunRecord } from '#protocol/api';
import { ProgramLogs } from '#protocol/program-logs';
import type { ExperimentSpecInput } from '#protocol/spec';
import { nativeDir } from '#bridge/programs';
import { TestProcess } from './testing/process.ts';
import { QUICK, TestServer } from './testing/server.ts';

const trial = spawnSync(join(nativeDir(), 'paceline-tun'), ['--check'], { encoding: 'utf8' });
const missing = trial.status === 0 ? null : trial.stderr.trim();

const PIN = "taskset -cp $(taskset -cp $$ | grep -o '[0-9]*$') $$ > /dev/null";
const shell = (text: string): string[] => ['sh', '-c', text];
/** One packet, so that the flow has begun. */
const SEND =
  'import os, socket; socket.socket(type=socket.SOCK_DGRAM).sendto(b"x", (os.environ["PACELINE_RECEIVER"], 9))';
const sends = (rest: string): string[] => shell(`python3 -c '${SEND}'; ${rest}`);
/** Is there when the first of them has said all that it says. */
const SPOKEN = join(tmpdir(), `paceline-has-spoken-${process.pid}`);
const PROGRAMS = [
  {
    name: 'talks',
    sender: sends(
      `echo "<b>hello</b>"; echo sent > trace.log; echo other > other.txt; echo > ${SPOKEN}; exec sleep 30`,
    ),
    receiver: shell('echo careful >&2; echo got > trace.log; exec sleep 30'),
    log: 'trace.log',
  },
  { name: 'fails', sender: sends('echo before; echo no such door >&2; exit 3'), receiver: shell('exec sleep 30') },
  {
    name: 'starved',
    // Pinned to the last of its processors, as is what the test runs beside it.
    sender: sends(`${PIN}; while :; do :; done`),
    receiver: shell('exec sleep 30'),
  },
  { name: 'silent', sender: sends('echo hello; exec sleep 30'), receiver: shell('exec sleep 30'), log: false },
].map((program) => ({ ...program, label: program.name, summary: 'A test.' }));

let folder: string;
let endpoints: string;
let server: TestServer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'paceline-program-logs-'));
  endpoints = join(folder, 'programs.json');
  writeFileSync(endpoints, JSON.stringify({ programs: PROGRAMS }));
  server = await TestServer.start({ endpoints });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
  rmSync(SPOKEN, { force: true });
});

// A busy machine takes more than a second until Python has begun and a program has said what it says.
const spec = (...names: string[]): ExperimentSpecInput => ({
  duration_s: 5,
  traces: [{ rate_mbps: 10 }],
  ccas: names.map((name) => ({ id: `external-${name}` })),
  vary: [],
});

it('a run without external programs has none, and a name is no way out of the folder', async () => {
  const experiment = await server.submit(QUICK);
  await server.over(experiment);
  const run = experiment.runs[0]!.id;
  expect(await server.json(`/runs/${run}/logs`, ProgramLogs)).toEqual({ logs: [] });
  const none = await fetch(server.url(`/runs/${run}/logs/flow0-sender-stdout.txt`));
  expect(none.status).toBe(404);
  expect(Problem.parse(await none.json())).toMatchObject({ code: 'RUN_WITHOUT_LOG' });
  for (const name of ['..%2F..%2Fpaceline.db', 'flow0-sender-file-..', 'paceline.db', 'flow0-sender-stdout.txt%00'])
    expect((await fetch(server.url(`/runs/${run}/logs/${name}`))).status, name).toBe(400);
  expect((await fetch(server.url(`/runs/${'a'.repeat(20)}/logs`))).status).toBe(404);
});

describe.skipIf(missing !== null)(`programs${missing === null ? '' : ` cannot be run here: ${missing}`}`, () => {
  it('have what they said and wrote kept with the run, however it ended, unless that is refused', async () => {
    const experiment = await server.submit(spec('talks', 'fails', 'silent'));
    await server.over(experiment);
    const { runs, cells } = await server.json(`/experiments/${experiment.id}`, ExperimentRecord);
    const runOf = (name: string) => {
      const cell = cells.find(({ cca }) => cca.id === `external-${name}`)?.key;
      return runs.find((run) => run.cell === cell)!;
    };
    const logsOf = async (name: string): Promise<Record<string, string>> => {
      const run = runOf(name).id;
      const { logs } = await server.json(`/runs/${run}/logs`, ProgramLogs);
      const texts = logs.map(async (log) => {
        const response = await fetch(server.url(`/runs/${run}/logs/${log.name}`));
        expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
        expect(response.headers.get('x-content-type-options')).toBe('nosniff');
        expect(response.headers.get('content-disposition')).toBe(`attachment; filename="paceline-${run}-${log.name}"`);
        const text = await response.text();
        expect(text.length).toBe(log.bytes);
        return [log.name, text] as const;
      });
      return Object.fromEntries(await Promise.all(texts));
    };
    expect(await logsOf('talks')).toEqual({
      'flow0-sender-stdout.txt': '<b>hello</b>\n',
      'flow0-sender-file-trace.log': 'sent\n',
      'flow0-receiver-stderr.txt': 'careful\n',
      'flow0-receiver-file-trace.log': 'got\n',
    });
    expect(runOf('fails').state).toBe('failed');
    expect(await logsOf('fails')).toEqual({
      'flow0-sender-stdout.txt': 'before\n',
      'flow0-sender-stderr.txt': 'no such door\n',
    });
    expect(await logsOf('silent')).toEqual({});
  });

  it('that others keep from the processor make the run one that does not count, and it says why', async () => {
    const busy = Array.from({ length: 3 }, () =>
      spawn('sh', ['-c', `${PIN}; while :; do :; done`], { stdio: 'ignore', detached: true }),
    );
    const experiment = await server.submit({ ...spec('starved'), duration_s: 3 });
    await server.over(experiment).finally(() => busy.forEach((one) => one.kill('SIGKILL')));
    const run = await server.json(`/runs/${experiment.runs[0]!.id}`, RunRecord);
    const [sender, receiver] = run.summary!.programs!;
    expect(sender!.kept_waiting_s / sender!.looked_s).toBeGreaterThan(0.3);
    expect(receiver!.ran_s).toBeLessThan(0.5);
    expect(run.summary!.host!.processors).toBeGreaterThan(0);
    expect(run.state).toBe('invalid');
    expect(run.reason).toMatch(
      /the program that is the sender of flow 1 waited \d+ % of the time for a processor \(at most 7 % is allowed; load average [\d.]+ on/,
    );
  });

  it('have it kept when the run is stopped', async () => {
    rmSync(SPOKEN, { force: true });
    const experiment = await server.submit({ ...spec('talks'), duration_s: 60 });
    const run = experiment.runs[0]!.id;
    // The link's time goes on while a busy machine has not come to the program yet.
    await expect.poll(() => existsSync(SPOKEN), { timeout: 30_000 }).toBe(true);
    await server.post(`/runs/${run}/stop`, {});
    const { logs } = await server.json(`/runs/${run}/logs`, ProgramLogs);
    expect(logs.map(({ name }) => name)).toContain('flow0-sender-stdout.txt');
    expect(logs.map(({ name }) => name)).toContain('flow0-sender-file-trace.log');
  });

  it('have it among the results of the command line', async () => {
    const file = join(folder, 'spec.json');
    writeFileSync(file, JSON.stringify(spec('talks')));
    const words = ['run', file, '--out', join(folder, 'out'), '--endpoints', endpoints];
    const { stderr } = await new TestProcess('bin/paceline.mjs', words, folder).ended();
    const written = readdirSync(join(folder, 'out', 'logs')).sort();
    expect(
      written.map((name) => name.replace(/^paceline-[a-z2-7]{20}-/, '')),
      stderr,
    ).toEqual([
      'flow0-receiver-file-trace.log',
      'flow0-receiver-stderr.txt',
      'flow0-sender-file-trace.log',
      'flow0-sender-stdout.txt',
    ]);
    expect(readFileSync(join(folder, 'out', 'logs', written[3]!), 'utf8')).toBe('<b>hello</b>\n');
  });
});
