// The command line as it is called: exit codes, what goes where, and the same numbers as the server's.
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import type { CellSampled } from '#protocol/sampled';
import { iperf3Report } from '#analysis/testing-iperf3';
import { quicHelper } from '#bridge/quic';
import { EngineListing } from '#protocol/cca';
import { RunManifest } from '#protocol/manifest';
import { TraceInfo } from '#protocol/trace';
import { testFolder } from '../testing/folder.ts';
import { compare } from './compare.ts';
import { explain } from './exit.ts';
import { run } from './run.ts';
import { eventually, stillThere, TestProcess, type Ended } from '../testing/process.ts';
import { LONG, QUICK, TestServer } from '../testing/server.ts';

const folder = testFolder();
const open: TestProcess[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((command) => command.kill('SIGKILL')));
});

function start(...args: string[]): TestProcess {
  const command = new TestProcess('bin/paceline.mjs', args, folder());
  open.push(command);
  return command;
}
const paceline = (...args: string[]): Promise<Ended> => start(...args).ended();
const file = (name: string): string => `${folder()}/${name}`;
const write = (name: string, content: unknown): string => {
  writeFileSync(file(name), typeof content === 'string' ? content : JSON.stringify(content));
  return file(name);
};

const TRACE = Array.from({ length: 2000 }, (_, i) => `${i + 1}\n`).join('');

/** Why a run in real time does not count where the machine did not keep up. */
const LATE =
  /^(?!.*(lost outside|never started|ended after|fault of the engine)).*(woke up to .* late|served more than 1 ms late|could not keep up)/;

describe('paceline run', () => {
  it('prints what came out, and minds nobody who stops reading', async () => {
    const spec = write('spec.json', { ...QUICK, traces: [{ rate_mbps: 24 }], ccas: [{ id: 'cubic' }, { id: 'bbr' }] });
    const words = ['run', spec, '--out', file('out'), '--series', 'none'];
    const { code, stdout } = await paceline(...words);
    expect([code, stdout.split('\n')[0]]).toEqual([0, expect.stringMatching(/^algorithm +limit +utilisation, % /)]);
    expect(stdout).toMatch(/^Cubic +1 BDP +\d/m);
    const program = fileURLToPath(new URL('../../../bin/paceline.mjs', import.meta.url));
    const script = 'node "$@" | true; exit "${PIPESTATUS[0]}"';
    const cut = await promisify(execFile)('bash', ['-c', script, 'bash', program, ...words], { cwd: folder() });
    expect(cut.stderr).toMatch(/2 of 2 runs\n$/);
  });

  it('gives the numbers that the server gives, for traces by file, by name and by rate', async () => {
    write('lte.down', TRACE);
    const traces = [{ trace: 'lte.down' }, { trace: 'Constant, 48 Mbps' }, { rate_mbps: 24 }];
    const spec = { ...QUICK, traces, ccas: [{ id: 'cubic' }, { id: 'bbr' }], buffers: [{ bdp: 1 }, { bdp: 5 }] };
    const { code, stdout, stderr } = await paceline('run', write('spec.json', spec), '--out', file('out'), '--json');
    expect(stderr).toContain('12 of 12 runs');
    expect(code).toBe(0);
    const summary = JSON.parse(readFileSync(file('out/summary.json'), 'utf8')) as {
      id: string;
      runs: { id: string; summary: unknown }[];
    };
    expect(JSON.parse(stdout)).toEqual(summary);
    expect(readFileSync(file('out/summary.csv'), 'utf8').trim().split('\n')).toHaveLength(13);
    expect(readFileSync(file('out/summary.tex'), 'utf8')).toContain(String.raw`\begin{tabular}`);
    for (const { id } of summary.runs) {
      expect(RunManifest.parse(JSON.parse(readFileSync(file(`out/manifests/${id}.json`), 'utf8'))).duration_s).toBe(5);
      expect(readFileSync(file(`out/series/${id}.csv`), 'utf8').split('\n').length).toBeGreaterThan(500);
    }

    const server = await TestServer.start();
    try {
      await fetch(server.url('/traces?name=lte.down'), { method: 'POST', body: TRACE });
      const experiment = await server.submit(spec);
      await server.over(experiment);
      expect(experiment.id).toBe(summary.id);
      const theirs = (await server.lab.experiments.get(experiment.id)).runs;
      expect(theirs.map(({ id }) => id)).toEqual(summary.runs.map(({ id }) => id));
      expect(theirs.map((run) => run.summary)).toEqual(summary.runs.map((run) => run.summary));
    } finally {
      await server.close();
    }
  });

  it.each(['virtual', 'realtime'])('lets a network from a weights file act, engine %s', async (engine) => {
    // always the smallest action: the window shrinks to Orca's least, four packets per round trip of 40 ms
    write('least.json', {
      format: 'paceline-weights',
      version: 1,
      name: 'always less',
      algorithm: 'orca',
      inputs: ['delay_metric'],
      layers: [{ activation: 'linear', weights: [[0]], bias: [-1] }],
    });
    const ccas = ['network', 'neutral'].map((policy) => ({
      id: 'orca',
      params: policy === 'network' ? { policy, weights: 'least.json' } : { policy },
    }));
    const spec = write('spec.json', { ...QUICK, engine, duration_s: 6, traces: [{ rate_mbps: 12 }], ccas });
    const { code, stderr } = await paceline('run', spec, '--out', file('out'));
    expect(stderr).toContain('2 of 2 runs');
    const { runs } = JSON.parse(readFileSync(file('out/summary.json'), 'utf8')) as {
      runs: { state: string; reason: string | null; summary: { receivers: { throughput_mbps: number }[] } }[];
    };
    // A machine that is busy with something else is late at times: then the run says so, and so does the command.
    const late = runs.filter(
      ({ state, reason }) => state === 'invalid' && engine === 'realtime' && LATE.test(`${reason}`),
    );
    expect(runs.filter(({ state }) => state !== 'done')).toEqual(late);
    expect(code).toBe(late.length === 0 ? 0 : 1);
    const [network = NaN, neutral = NaN] = runs.map(({ summary }) => summary.receivers[0]?.throughput_mbps ?? NaN);
    expect(network).toBeLessThan(0.5 * neutral);
  });

  it('does not do again what is done in a data folder', async () => {
    const spec = write('spec.json', { ...QUICK, duration_s: 100, traces: [{ rate_mbps: 500 }] });
    const args = ['run', spec, '--out', file('out'), '--data-dir', file('data'), '--series', 'none'];
    expect((await paceline(...args)).code).toBe(0);
    expect(existsSync(file('out/series'))).toBe(false);
    const before = readFileSync(file('out/summary.json'), 'utf8');
    expect((await paceline(...args)).code).toBe(0);
    expect(readFileSync(file('out/summary.json'), 'utf8')).toBe(before);
    // The folder keeps everything, also what was not asked for as a file.
    expect((await paceline('run', spec, '--out', file('out'), '--data-dir', file('data'))).code).toBe(0);
    const [series = ''] = readdirSync(file('out/series'));
    expect(readFileSync(file(`out/series/${series}`), 'utf8').split('\n').length).toBeGreaterThan(5000);
  });

  it('gives the same figures when no samples are made', async () => {
    const named = 'gilbert-elliott jitter reorder duplicate mark shaper bottleneck handover harq uplink-grant delay';
    const forward = named.split(' ').map((element) => ({ element }));
    const ccas = [{ id: 'copa' }, { id: 'verus' }];
    const spec = write('spec.json', { ...QUICK, traces: [{ rate_mbps: 24 }], ccas, elements: { forward } });
    for (const series of ['csv', 'none'])
      expect((await paceline('run', spec, '--out', file(series), '--series', series)).code).toBe(0);
    const runs = (series: string): { summary: unknown }[] =>
      (JSON.parse(readFileSync(file(`${series}/summary.json`), 'utf8')) as { runs: { summary: unknown }[] }).runs;
    expect(runs('none').map(({ summary }) => summary)).toEqual(runs('csv').map(({ summary }) => summary));
    expect(readFileSync(file('none/summary.csv'), 'utf8')).toBe(readFileSync(file('csv/summary.csv'), 'utf8'));
  });

  it('writes what samples come to, also where no series are wanted', async () => {
    const spec = write('spec.json', { ...QUICK, traces: [{ rate_mbps: 24 }], ccas: [{ id: 'cubic' }] });
    expect((await paceline('run', spec, '--out', file('out'), '--series', 'none', '--sampled')).code).toBe(0);
    const [cell] = (JSON.parse(readFileSync(file('out/sampled.json'), 'utf8')) as { cells: CellSampled[] }).cells;
    const { mean = NaN, n = 0 } = cell?.values['throughput_p50_mbps'] ?? {};
    expect(mean).toBeGreaterThan(20);
    const rows = readFileSync(file('out/sampled.csv'), 'utf8').split(/\r?\n/);
    expect(rows.find((row) => row.includes(',throughput_p50_mbps,'))).toMatch(
      new RegExp(`,24 Mbps,Cubic,.*,throughput_p50_mbps,Mbps,${mean},,,,${n},`),
    );
    expect(existsSync(file('out/series'))).toBe(false);
  });

  it.each<[string, () => string[], string]>([
    ['no spec', () => ['--out', file('out')], 'which spec?'],
    ['no folder for the results', () => [write('spec.json', QUICK)], '--out: is needed'],
    ['a spec that is not there', () => [file('none.json'), '--out', file('out')], 'no such file'],
    ['a spec that is not JSON', () => [write('bad.json', '{'), '--out', file('out')], 'bad.json'],
    [
      'a spec with a wrong value',
      () => [write('bad.json', { ...QUICK, duration_s: -1 }), '--out', file('out')],
      'duration_s',
    ],
    [
      'a spec with an unknown CCA',
      () => [write('bad.json', { ...QUICK, ccas: [{ id: 'cubik' }] }), '--out', file('out')],
      'ccas.0.id: there is no CCA “cubik”',
    ],
    [
      'a spec with an unknown trace',
      () => [write('bad.json', { ...QUICK, traces: [{ trace: 'nowhere' }] }), '--out', file('out')],
      'traces.0.trace',
    ],
    [
      'a file that is not a trace',
      () => {
        write('bad.down', '5\n4\n');
        return [write('bad.json', { ...QUICK, traces: [{ trace: 'bad.down' }] }), '--out', file('out')];
      },
      'bad.down, line 2',
    ],
    ['an unknown option', () => [write('spec.json', QUICK), '--out', file('out'), '--fast'], '--fast'],
    ['no workers', () => [write('spec.json', QUICK), '--out', file('out'), '--workers', '0'], '--workers'],
  ])('with %s gives 2 and says so', async (_, args, reason) => {
    const refused = await run(args()).then(
      (code) => new Error(`it gave ${code}`),
      (error: unknown) => error,
    );
    expect(explain(refused)).toEqual({ code: 2, text: expect.stringContaining(reason) });
    expect(existsSync(file('out'))).toBe(false);
  });

  it('stops everything on Ctrl-C and leaves nothing behind', async () => {
    const command = start('run', write('spec.json', { ...LONG, repetitions: 3 }), '--out', file('out'));
    await eventually(() => command.natives().length > 0);
    const natives = command.natives();
    const { code } = await command.kill('SIGINT');
    expect(code).toBe(130);
    expect(stillThere(natives)).toEqual([]);
    expect(existsSync(file('out'))).toBe(false);
  });
});

describe('the other commands', () => {
  it('ccas --json prints the listing', async () => {
    const { code, stdout } = await paceline('ccas', '--json');
    expect(code).toBe(0);
    expect(EngineListing.parse(JSON.parse(stdout)).ccas.map(({ id }) => id)).toContain('cubic');
  });

  it('ccas prints for people', async () => {
    const { stdout } = await paceline('ccas');
    expect(stdout).toMatch(/^ {2}cubic {2}\S/m);
  });

  it('trace info says what a trace is, for people and as JSON', async () => {
    const path = write('lte.down', TRACE);
    expect((await paceline('trace', 'info', path)).stdout).toMatch(/^mean\s+12 Mbps$/m);
    const { stdout } = await paceline('trace', 'info', path, '--json');
    const { info } = JSON.parse(stdout) as { info: unknown };
    expect(TraceInfo.parse(info)).toMatchObject({ period_ms: 2000, mean_mbps: 12 });
  });

  it('trace info says how a trace moves, what to mind, where, and what to do', async () => {
    const { stdout } = await paceline('trace', 'info', write('gap.down', `${TRACE.replace(/\n$/, '')}\n4500`));
    expect(stdout).toMatch(/^silent for 100 ms\s+once, 55.56 % of the time, longest 2500 ms, median 2500 ms$/m);
    expect(stdout).toMatch(/^coherence time\s+/m);
    expect(stdout).toMatch(/^! Nothing is delivered for up to 2.5 s.*\n {2}at 2–4.5 s\n {2}Flows time out there/m);
    expect(stdout).toMatch(/^! The file’s last line|^! The file's last line has no newline/m);
  });

  it('trace info tells the handovers and the signal of what a shipped recipe makes', async () => {
    const { stdout } = await paceline('trace', 'info', 'city-drive');
    expect(stdout).toMatch(/^handovers\s+10 times, median 28.51 ms; at 8.922, /m);
    expect(stdout).toMatch(/^signal \(SNR\)\s+.* dB/m);
    expect(stdout).not.toContain('recorder');
    const { marks } = JSON.parse((await paceline('trace', 'info', 'city-drive', '--json')).stdout) as {
      readonly marks: { readonly count: number };
    };
    expect(marks.count).toBe(10);
  });

  it('trace info and validate refuse what is not a trace with 2, the line and the reason', async () => {
    const path = write('bad.down', '1\n2\n1\n');
    const info = await paceline('trace', 'info', path);
    expect([info.code, info.stderr.includes('bad.down, line 3')]).toEqual([2, true]);
    const validate = await paceline('trace', 'validate', path);
    expect([validate.code, validate.stderr.includes('3')]).toEqual([2, true]);
  });

  it.each([
    [['validate'], 'empty.trace', 'the file holds no rows'],
    [['convert', '--to', 'csv'], 'empty.trace', 'the file holds no rows'],
    [['info'], 'empty.trace', 'the file holds no rows'],
    [['info', '--json'], 'empty.trace', 'the file holds no rows'],
    [['import'], 'empty.trace', 'the file holds no rows'],
    [['edit', '--reverse'], 'empty.trace', 'the file holds no rows'],
    [['cut', '0s..1s'], 'empty.trace', 'the file holds no rows'],
    [['make'], 'empty.json', 'the recipe is not JSON'],
    [['sketch'], 'empty.json', 'the recipe is not JSON'],
  ])('trace %j names the empty file', async ([command = '', ...options], name, reason) => {
    const path = write(name, '');
    const data = command === 'import' ? ['--data-dir', file('data')] : [];
    const { code, stderr } = await paceline('trace', command, path, ...options, ...data);
    expect(code).toBe(2);
    expect(stderr).toContain(`${name}: ${reason}`);
    expect(stderr.split(name)).toHaveLength(2);
  });

  it('trace import puts a trace where the server finds it', async () => {
    const path = write('lte.down', TRACE);
    const about = ['--name', 'My walk', '--licence', 'CC0', '--source', 'my own phone'];
    const { code, stdout } = await paceline('trace', 'import', path, ...about, '--data-dir', file('data'));
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^[0-9a-f]{64} {2}My walk\n$/)]);
    const [id = ''] = stdout.split(' ');
    const server = await TestServer.start({ dataDir: file('data') });
    const said = { name: 'My walk', licence: 'CC0', source: 'my own phone' };
    expect(server.lab.traces.get(id)).toMatchObject({ ...said, origin: 'file' });
    await server.close();
  });

  it('trace convert turns one form into the other and back', async () => {
    const path = write('lte.down', TRACE);
    const there = await paceline('trace', 'convert', path, '--to', 'ms-count', '--out', file('compact'));
    expect(there.code).toBe(0);
    const back = await paceline('trace', 'convert', file('compact'), '--to', 'mahimahi');
    expect([back.code, back.stdout]).toEqual([0, TRACE]);
  });

  it('trace edit makes its steps in the order in which they are given', async () => {
    const path = write('lte.down', TRACE);
    const edit = (...steps: string[]) => paceline('trace', 'edit', path, ...steps);
    // Half a packet per millisecond, then a pause; and the other way round.
    const cut = await edit('--cut', '1500ms..', '--scale', '0.5', '--outage', '0+400ms:insert', '--out', file('cut'));
    expect([cut.code, cut.stdout, cut.stderr]).toEqual([0, '', '']);
    const lines = readFileSync(file('cut'), 'utf8').trim().split('\n');
    expect([lines.length, lines[1], lines.at(-1)]).toEqual([251, '402 1', '900 1']);
    const other = await edit('--outage', '0+400ms:insert', '--cut', '..1s', '--concatenate', file('cut'), '--reverse');
    expect(other.stdout.split('\n').filter((line) => line.startsWith('1900 '))).toEqual(['1900 0']);
    write('steps.json', { schema: 1, source: '0'.repeat(64), steps: [{ op: 'handover', at_ms: 1000, ramp_ms: 4 }] });
    expect((await edit('--steps', file('steps.json'))).stdout).toContain('\n1000 1\n1033 1\n1034 1\n1035 1\n');
    expect((await paceline('trace', 'cut', path, '..20ms')).stdout.trim().split('\n').at(-1)).toBe('20 1');
    expect((await paceline('trace', 'edit', '--help')).stdout).toContain('--handover');
  });

  it('trace edit refuses with 2, the step and the reason', async () => {
    const path = write('lte.down', TRACE);
    const beyond = await paceline('trace', 'edit', path, '--cut', '..1s', '--cut', '0s..1500ms');
    expect([beyond.code, beyond.stderr]).toEqual([
      2,
      "paceline-trace: steps[1].to_ms: beyond the trace's end, 1000 ms, after the steps before\n",
    ]);
    for (const [words, reason] of [
      [['edit', path], 'which steps?'],
      [['edit', '--reverse'], 'which file?'],
      [['edit', path, '--loop', '10'], 'is not a time'],
      [['edit', path, '--concatenate', '0'.repeat(64)], 'there is no trace 000'],
      [['edit', path, '--steps', write('bad.json', [{ op: 'melt' }])], 'bad.json: 0.op'],
      [['cut', path], 'which part?'],
    ] as const) {
      const { code, stderr } = await paceline('trace', ...words);
      expect([code, stderr]).toEqual([2, expect.stringContaining(reason)]);
    }
  });

  it('record makes a trace that trace info reads, and Ctrl-C ends a server', async () => {
    const server = start('record', 'server', '--host', '127.0.0.1', '--port', '0');
    const [, port = ''] = await server.says(/listening at UDP port (\d+)/);
    const recording = await paceline(
      ...['record', 'client', '127.0.0.1', '--port', port, '--mbps', '6', '--seconds', '1', '--out', file('path')],
    );
    expect(recording.stderr).toBe('');
    expect([recording.code, recording.stdout.includes('Source-limited')]).toEqual([0, true]);
    const { stdout } = await paceline('trace', 'info', file('path.trace'), '--json');
    const { info } = JSON.parse(stdout) as { info: unknown };
    expect(TraceInfo.parse(info).opportunities).toBeGreaterThan(200);
    const natives = server.natives();
    expect(natives).toHaveLength(1);
    expect((await server.kill('SIGINT')).code).toBe(0);
    expect(stillThere(natives)).toEqual([]);
  });

  it('compare lays a report of iperf3 over a run, by its series or by its id', async () => {
    const args = ['run', write('spec.json', QUICK), '--out', file('out'), '--data-dir', file('data'), '--json'];
    const { runs } = JSON.parse((await paceline(...args)).stdout) as { runs: { id: string }[] };
    const id = runs[0]?.id ?? '';
    const report = write('live.json', iperf3Report({ mbps: Array.from({ length: 45 }, (_, i) => 5 + (i % 2)) }));
    const text = await paceline('compare', file(`out/series/${id}.csv`), report);
    expect(text.stdout).toMatch(/^Different: 100 % of the live intervals/m);
    expect(text.code).toBe(0);
    const received = iperf3Report({ mbps: Array.from({ length: 45 }, (_, i) => 5 + (i % 2)), sender: false });
    const json = await paceline(
      'compare',
      id,
      write('received.json', received),
      '--data-dir',
      file('data'),
      '--offset',
      '0.2',
      '--json',
    );
    expect(JSON.parse(json.stdout)).toMatchObject({
      similar: false,
      live: { intervals: 45, mean: expect.closeTo((5.49 * 1500) / 1448, 1) as number },
      kolmogorov_smirnov: { d: 1, method: 'exact' },
      mann_whitney: { share: 0 },
    });
  });

  it.each<[string, () => string[], string]>([
    [
      'a run that is not there',
      () => [file('none.csv'), write('live.json', iperf3Report({ mbps: [1] }))],
      'no such file',
    ],
    [
      'a file that is no series',
      () => [write('x.csv', 'a,b\n'), write('live.json', iperf3Report({ mbps: [1] }))],
      'time_s',
    ],
    [
      'a file that is no report',
      () => [write('x.csv', 'time_s\n'), write('live.json', '{}')],
      'not a report of iperf3',
    ],
    [
      'too few intervals',
      () => [
        write('x.csv', 'time_s,receiver0_throughput_mbps\n0.1,1\n0.2,1\n'),
        write('live.json', iperf3Report({ mbps: [1, 2, 3] })),
      ],
      'fewer than 5',
    ],
    ['no report', () => ['x.csv'], 'which run'],
  ])('compare with %s gives 2 and says so', async (_, args, reason) => {
    const refused = await compare(args()).catch((error: unknown) => error);
    expect(explain(refused)).toEqual({ code: 2, text: expect.stringContaining(reason) as string });
  });

  it('doctor names every native program', async () => {
    const { code, stdout } = await paceline('doctor', '--data-dir', file('data'));
    expect(code).toBe(0);
    for (const name of ['simulate', 'trace', 'emulator', 'sender', 'receiver', 'tun', 'shell', 'recorder'])
      expect(stdout).toMatch(new RegExp(`^ok  paceline-${name}: `, 'm'));
  });

  it('quic is the helper itself, or the reason why there is none', async () => {
    const { unavailable } = quicHelper();
    const { code, stdout, stderr } = await paceline('quic', '--list-ccas');
    if (unavailable === null) expect([code, stdout]).toEqual([0, expect.stringContaining('paceline:cubic\n')]);
    else expect([code, stderr]).toEqual([1, expect.stringContaining(unavailable)]);
    expect((await paceline('quic', 'fly')).code).toBe(unavailable === null ? 2 : 1);
  });

  it.each([
    [['--help'], 0],
    [['--version'], 0],
    [['run', '--help'], 0],
    [[], 2],
    [['fly'], 2],
    [['trace'], 2],
    [['trace', 'fly', 'x'], 2],
    [['record', '--help'], 0],
    [['record'], 2],
    [['record', 'client', '--mbps', '3'], 2],
    [['trace', 'info'], 2],
    [['serve', '--port', 'http'], 2],
    [['serve', '--prot', '1'], 2],
  ])('%j gives %i', async (args, expected) => {
    const { code, stdout, stderr } = await paceline(...args);
    expect(code).toBe(expected);
    expect((expected === 0 ? stdout : stderr).length).toBeGreaterThan(0);
  });
});
