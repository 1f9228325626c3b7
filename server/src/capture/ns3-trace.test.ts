// Runs as ASCII traces of ns-3: every packet that is told, at each of the three nodes, and what a reader makes of them is what the run counted.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RunRecord } from '#protocol/api';
import type { ImportedQuantity } from '#protocol/imported';
import { PacketWindow } from '#protocol/packets';
import type { AskedSpecInput } from '#protocol/spec';
import { importedMean } from '#analysis/imported-series';
import { readImport } from '../imports/read-import.ts';
import { testFolderOfFile } from '../testing/folder.ts';
import { TestServer } from '../testing/server.ts';

const PLAIN: AskedSpecInput = {
  name: 'ns-3',
  duration_s: 6,
  traces: [{ rate_mbps: 12 }],
  ccas: [{ id: 'cubic' }],
  buffers: [{ bdp: 1 }],
  base_rtt_ms: [40],
};
const bulk = { cca: '$cca' } as const;
const SPECS: Record<string, AskedSpecInput> = {
  'two flows over a lossy link': {
    ...PLAIN,
    loss: [0.005],
    flows: [
      { ...bulk, handshake: 'full' },
      { ...bulk, start_s: 1 },
    ],
  },
  'marks in place of drops': {
    ...PLAIN,
    queues: [{ id: 'codel', params: { ecn: true } }],
    flows: [{ ...bulk, ecn: true }],
  },
  QUIC: { ...PLAIN, flows: [{ ...bulk, transport: 'quic', handshake: 'full' }] },
};

interface Case {
  readonly run: RunRecord;
  readonly told: PacketWindow;
  readonly text: string;
  readonly lines: readonly string[];
}
const folder = testFolderOfFile();
let server: TestServer;
const cases = new Map<string, Case>();
const traceOf = async (id: string, query = ''): Promise<string> =>
  (await fetch(server.url(`/runs/${id}/ns3-trace${query}`))).text();
beforeAll(async () => {
  server = await TestServer.start();
  for (const [name, spec] of Object.entries(SPECS)) {
    const experiment = await server.submit({ ...spec, name });
    await server.over(experiment);
    const run = await server.json(`/runs/${experiment.runs[0]?.id ?? ''}`, RunRecord);
    const told = await server.json(`/runs/${run.id}/packets?from_s=0&to_s=${run.manifest.duration_s}`, PacketWindow);
    const text = await traceOf(run.id);
    cases.set(name, { run, told, text, lines: text.trimEnd().split('\n') });
  }
}, 120_000);
afterAll(() => server.close());
const caseOf = (name: string): Case => cases.get(name) ?? expect.fail(`no ${name}`);

const timeOf = (line: string): number => Number(line.split(' ', 2)[1]);
const at = ({ lines }: Case, what: string, node: number, device: number): string[] =>
  lines.filter((line) => line.startsWith(`${what} `) && line.includes(` /NodeList/${node}/DeviceList/${device}/`));
const nanoseconds = (lines: readonly string[]): number[] => lines.map((line) => Math.round(timeOf(line) * 1e9));
const sorted = (times: readonly (number | null | undefined)[]): number[] =>
  times.filter((time) => time !== null && time !== undefined).toSorted((a, b) => a - b);

describe.each(Object.keys(SPECS))('%s', (name) => {
  it('has each packet at each node, in the order of time', () => {
    const one = caseOf(name);
    const { packets, acks } = one.told;
    const times = one.lines.map(timeOf);
    expect(times.filter((time, i) => time < (times[i - 1] ?? 0))).toEqual([]);
    expect(nanoseconds(at(one, '+', 0, 1))).toEqual(sorted(packets.sent_ns));
    expect(nanoseconds(at(one, '+', 1, 2))).toEqual(sorted(packets.queued_ns));
    expect(nanoseconds(at(one, '-', 1, 2))).toEqual(sorted(packets.departed_ns));
    const ended = (fate: string): (number | null | undefined)[] =>
      packets.ended_ns.filter((_, i) => packets.fate[i] === fate);
    expect(nanoseconds(at(one, 'd', 1, 2))).toEqual(sorted(ended('dropped')));
    expect(nanoseconds(at(one, 'r', 2, 1))).toEqual(sorted(ended('received')));
    expect(nanoseconds(at(one, '+', 2, 1))).toEqual(sorted(acks.sent_ns));
    expect(nanoseconds(at(one, 'r', 0, 1))).toEqual(
      sorted(acks.ended_ns.filter((_, i) => acks.fate[i] === 'received')),
    );
    expect(at(one, 'd', 1, 2).length).toBeGreaterThan(0);
  });

  it('comes back with the throughput and the round trips of the run', async () => {
    const { run, text } = caseOf(name);
    const file = join(folder(), `${name}.tr`);
    writeFileSync(file, text);
    const { imported } = await readImport(file, name);
    expect(imported.flows).toHaveLength(run.manifest.flows.length);
    for (const [i, flow] of imported.flows.entries()) {
      const bytes = at(caseOf(name), 'r', 2, 1)
        .filter((line) => line.includes(`(${50_000 + i} > `) || line.includes(` ${50_000 + i} > `))
        .reduce((sum, line) => sum + Number(/ length: (\d+) 10/.exec(line)?.[1]), 0);
      const { time_s, values } = flow.series.find(
        ({ quantity }) => quantity === ('throughput_mbps' satisfies ImportedQuantity),
      )!;
      const carried = values.reduce(
        (sum: number, value, row) => sum + ((value ?? 0) * (time_s[row]! - (time_s[row - 1] ?? 0)) * 1e6) / 8,
        0,
      );
      expect(carried / bytes).toBeCloseTo(1, 3);
      const rtt = importedMean(flow, 'rtt_ms');
      if (name === 'QUIC') expect(rtt).toBeNull();
      else expect(rtt).toBeGreaterThan(40);
    }
  });
});

it('says what is marked, what is capable, and what TCP has in its options', () => {
  const marks = caseOf('marks in place of drops');
  const marked = at(marks, 'r', 2, 1).filter((line) => line.includes(' ECN CE '));
  expect(marked).toHaveLength(marks.told.packets.ce.filter(Boolean).length);
  expect(marked.length).toBeGreaterThan(0);
  expect(at(marks, '+', 0, 1)[0]).toContain(' ECN ECT(0) ');
  const [syn] = at(caseOf('two flows over a lossy link'), '+', 0, 1);
  expect(syn).toMatch(
    /\[SYN\] Seq=0 Ack=0 Win=65535 ns3::TcpOptionSackPermitted\(\[sack_perm\]\) ns3::TcpOptionTS\(\d+;0\) ns3::TcpOptionWinScale\(\d+\)\)$/,
  );
  expect(caseOf('two flows over a lossy link').text).toMatch(/ns3::TcpOptionSack\(blocks: 1,\[\d+,\d+\]\)/);
});

it('is of a span as it is of the whole, and of nothing else', async () => {
  const { run, lines } = caseOf('two flows over a lossy link');
  const part = await traceOf(run.id, '?from_s=1.5&to_s=2.5');
  expect(part.trimEnd().split('\n')).toEqual(lines.filter((line) => timeOf(line) >= 1.5 && timeOf(line) < 2.5));
  expect((await fetch(server.url(`/runs/${run.id}/ns3-trace?from_s=2&to_s=1`))).status).toBe(400);
});
