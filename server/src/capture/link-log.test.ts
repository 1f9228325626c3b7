// The log of a run's link, read as Mahimahi's own scripts read theirs, against what the run counted itself.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Problem, RunRecord } from '#protocol/api';
import type { AskedSpecInput } from '#protocol/spec';
import { testFolder } from '../testing/folder.ts';
import { TestProcess } from '../testing/process.ts';
import { TestServer } from '../testing/server.ts';

const PLAIN: AskedSpecInput = {
  name: 'log',
  duration_s: 4,
  traces: [{ rate_mbps: 12 }],
  ccas: [{ id: 'cubic' }],
  buffers: [{ bdp: 1 }],
  base_rtt_ms: [40],
};
const ROUND = 'a trace that begins within and comes round';
const SPECS: Record<string, AskedSpecInput> = {
  'a constant rate, with losses before the queue': { ...PLAIN, loss: [0.005] },
  [ROUND]: {
    ...PLAIN,
    traces: [{ trace: 'Step between 12 and 48 Mbps' }],
    trace_from_s: 17.3,
    // Of what sets out in the very moment in which a run ends nothing is told; here nothing does.
    duration_s: 59.9995,
  },
  'a queue that drops from within': { ...PLAIN, queues: [{ id: 'codel' }], buffers: [{ infinite: true }] },
  // More than is told at once.
  'a fast link': { ...PLAIN, traces: [{ rate_mbps: 1000 }], duration_s: 2, buffers: [{ bdp: 0.2 }] },
};

interface Line {
  readonly ms: number;
  readonly kind: string;
  readonly words: readonly number[];
}
const LINE = /^\d+ (?:[+#] \d+|[-d] \d+ \d+)$/;
/** As mm-throughput-graph takes a log apart, which dies of what is none. */
function read(log: string): { readonly head: readonly string[]; readonly lines: readonly Line[] } {
  const all = log.trimEnd().split('\n');
  const head = all.filter((line) => line.startsWith('#'));
  const rest = all.slice(head.length);
  expect(rest.filter((line) => !LINE.test(line))).toEqual([]);
  const lines = rest.map((line): Line => {
    const [ms = '', kind = '', ...words] = line.split(' ');
    return { ms: Number(ms), kind, words: words.map(Number) };
  });
  return { head, lines };
}
const of = (lines: readonly Line[], kind: string): readonly Line[] => lines.filter((line) => line.kind === kind);
const sum = (lines: readonly Line[], place = 0): number =>
  lines.reduce((before, { words }) => before + (words[place] ?? NaN), 0);

let server: TestServer;
/** Asked for before anything is read: a connection that stands idle meanwhile is closed. */
let span: string;
let none: unknown;
const made = new Map<string, { readonly run: RunRecord; readonly log: string }>();
const logOf = async (id: string, query = ''): Promise<Response> => fetch(server.url(`/runs/${id}/link-log${query}`));
beforeAll(async () => {
  server = await TestServer.start();
  for (const [name, spec] of Object.entries(SPECS)) {
    const experiment = await server.submit({ ...spec, name });
    await server.over(experiment);
    const run = await server.json(`/runs/${experiment.runs[0]?.id ?? ''}`, RunRecord);
    made.set(name, { run, log: await (await logOf(run.id)).text() });
  }
  const { id } = caseOf(ROUND).run;
  [span, none] = await Promise.all([
    logOf(id, '?from_s=20&to_s=31.5').then((answer) => answer.text()),
    logOf(id, '?from_s=20&to_s=20').then((answer) => answer.json()),
  ]);
}, 300_000);
afterAll(() => server.close());
const caseOf = (name: string) => made.get(name) ?? expect.fail(`no ${name}`);

describe.each(Object.keys(SPECS))('%s', (name) => {
  it('has what came, left and was dropped, in the order of time', () => {
    const { run, log } = caseOf(name);
    const { head, lines } = read(log);
    expect(head.slice(1)).toEqual([
      expect.stringMatching(/^# queue: \w+( \[bytes=\d+\])?$/),
      '# init timestamp: 0',
      '# base timestamp: 0',
    ]);
    expect(lines.filter(({ ms }, i) => ms < (lines[i - 1]?.ms ?? 0))).toEqual([]);
    const link = run.summary?.links[0] ?? expect.fail('no link');
    expect(of(lines, '+')).toHaveLength(link.arrived_packets);
    expect(of(lines, 'd')).toHaveLength(link.dropped_packets);
    expect(link.dropped_packets).toBeGreaterThan(0);
    expect(of(lines, '-')).toHaveLength(link.delivered_packets);
    expect(sum(of(lines, '-'))).toBe(link.delivered_bytes);
  });

  it('has every opportunity, used or not', () => {
    const { run, log } = caseOf(name);
    const link = run.summary?.links[0] ?? expect.fail('no link');
    // That counts from the first flow's start.
    const counted = of(read(log).lines, '#').filter(({ ms }) => ms > link.from_s * 1e3);
    expect(link.to_s).toBe(run.manifest.duration_s);
    // A constant rate is told by the millisecond, in whole packets.
    const { capacity } = run.manifest.forward;
    const allowed = capacity.kind === 'constant' ? capacity.rate_mbps * 125 + 1500 : 0;
    expect(Math.abs(link.capacity_bytes - sum(counted))).toBeLessThanOrEqual(allowed);
  });

  it('has delays that are the run’s, but for whole milliseconds and the time on the wire', () => {
    const { run, log } = caseOf(name);
    const departures = of(read(log).lines, '-');
    const { capacity } = run.manifest.forward;
    const wire = capacity.kind === 'constant' ? 12 / capacity.rate_mbps : 0;
    const mean = run.summary?.links[0]?.queueing_delay.mean_ms ?? NaN;
    expect(Math.abs(sum(departures, 1) / departures.length - wire - mean)).toBeLessThan(0.5);
  });
});

it('is of a span as it is of the whole', () => {
  const part = read(span).lines;
  expect(part).toEqual(read(caseOf(ROUND).log).lines.filter(({ ms }) => ms >= 20_000 && ms < 31_500));
  expect(part.length).toBeGreaterThan(10_000);
  expect(Problem.parse(none).code).toBe('REQUEST_INVALID');
});

describe('paceline packets --mahimahi, --ns3', () => {
  const folder = testFolder();
  it('writes the log of a run of a data folder, and its trace', async () => {
    const paceline = (...words: string[]) => new TestProcess('bin/paceline.mjs', words, folder()).ended();
    writeFileSync(join(folder(), 'spec.json'), JSON.stringify({ ...PLAIN, loss: [0.005] }));
    await paceline('run', 'spec.json', '--out', 'out', '--data-dir', 'data');
    const found = await paceline('runs', '--json', '--data-dir', 'data');
    const [run] = z.object({ rows: z.array(z.object({ id: z.string() })) }).parse(JSON.parse(found.stdout)).rows;
    const written = await paceline('packets', run?.id ?? '', '--mahimahi', '-', '--data-dir', 'data');
    expect([written.code, written.stdout]).toEqual([
      0,
      // All but the engine's and the run's line, which names the run.
      caseOf('a constant rate, with losses before the queue').log.replace(/run \w+/, `run ${run?.id ?? ''}`),
    ]);
    const both = await paceline('packets', run?.id ?? '', '--mahimahi', '-', '--pcapng', 'x');
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('one file at a time')]);
    const trace = await paceline('packets', run?.id ?? '', '--ns3', '-', '--to', '1', '--data-dir', 'data');
    expect([trace.code, trace.stdout.slice(0, 40)]).toEqual([
      0,
      expect.stringMatching(/^\+ 0\.\d{9} \/NodeList\/0\/DeviceList\/1/),
    ]);
  });
});
