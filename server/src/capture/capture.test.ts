// Runs as packet captures, with the real engine: every packet and acknowledgement that is told stands in the file, as a TCP would have sent it.
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Problem, RunRecord } from '#protocol/api';
import { PacketWindow } from '#protocol/packets';
import type { AskedSpecInput } from '#protocol/spec';
import { readPcapng, type ReadCapture, type SeenPacket } from '../testing/read-pcapng.ts';
import { TestServer } from '../testing/server.ts';
import { enhancedPacket, interfaceDescription, sectionHeader, type Frame } from './blocks.ts';
import { captureOf } from './capture.ts';
import type { TracedPacket } from './moments.ts';
import { TcpFlow } from './tcp-flow.ts';

const PLAIN: AskedSpecInput = {
  name: 'capture',
  duration_s: 4,
  traces: [{ rate_mbps: 12 }],
  ccas: [{ id: 'cubic' }],
  buffers: [{ bdp: 1 }],
  base_rtt_ms: [40],
  loss: [0.005],
};
const bulk = { cca: '$cca' } as const;
/** Packets that overtake each other, come twice, are marked, or end where a message ends; both transports, with and without a handshake. */
const SPECS: Record<string, AskedSpecInput> = {
  'two flows over a lossy link': {
    ...PLAIN,
    flows: [
      { ...bulk, handshake: 'full' },
      { ...bulk, start_s: 1 },
    ],
  },
  'a path that reorders and duplicates': {
    ...PLAIN,
    elements: {
      forward: [
        { element: 'reorder', params: { probability: 0.02, hold_ms: 5 } },
        { element: 'duplicate', params: { probability: 0.02 } },
        { element: 'loss', params: { probability: 0.01 } },
        { element: 'bottleneck' },
        { element: 'delay' },
      ],
      reverse: [{ element: 'loss', params: { probability: 0.05 } }, { element: 'bottleneck' }, { element: 'delay' }],
    },
  },
  'a trace whose packets come by the millisecond': {
    ...PLAIN,
    traces: [{ trace: '4G drive, 76 Mbps' }],
    duration_s: 8,
  },
  'messages over Fast Open': {
    ...PLAIN,
    flows: [{ ...bulk, handshake: 'early_data', source: { kind: 'transfers', bytes: 10_001, arrivals: 'after' } }],
  },
  'messages of eight bytes over Fast Open': {
    ...PLAIN,
    flows: [
      { ...bulk, handshake: 'early_data', source: { kind: 'transfers', bytes: 8, arrivals: 'every', interval_s: 0.1 } },
    ],
  },
  'messages whose SYN is as long as one without': {
    ...PLAIN,
    flows: [
      {
        ...bulk,
        handshake: 'early_data',
        source: { kind: 'transfers', bytes: 60, arrivals: 'every', interval_s: 0.1 },
      },
    ],
  },
  'marks in place of drops': {
    ...PLAIN,
    queues: [{ id: 'codel', params: { ecn: true } }],
    loss: [0],
    flows: [{ ...bulk, ecn: true }],
  },
  'an algorithm whose receiver says more': { ...PLAIN, ccas: [{ id: 'sprout' }] },
  QUIC: { ...PLAIN, flows: [{ ...bulk, transport: 'quic', handshake: 'full' }] },
};
const SYN = 2;
const FEEDBACK = 'an algorithm whose receiver says more';

interface Case {
  readonly run: RunRecord;
  readonly told: PacketWindow;
  readonly file: ReadCapture;
}

let server: TestServer;
const cases = new Map<string, Case>();
const download = async (id: string, query = ''): Promise<Buffer> =>
  Buffer.from(await (await fetch(server.url(`/runs/${id}/capture${query}`))).arrayBuffer());

beforeAll(async () => {
  server = await TestServer.start();
  await Promise.all(
    Object.entries(SPECS).map(async ([name, spec]) => {
      const experiment = await server.submit({ ...spec, name });
      await server.over(experiment);
      const run = await server.json(`/runs/${experiment.runs[0]?.id ?? ''}`, RunRecord);
      const told = await server.json(`/runs/${run.id}/packets?from_s=0&to_s=${run.manifest.duration_s}`, PacketWindow);
      cases.set(name, { run, told, file: readPcapng(await download(run.id)) });
    }),
  );
});
afterAll(() => server.close());

const caseOf = (name: string): Case => cases.get(name) ?? expect.fail(`no ${name}`);
const isData = ({ ports: [from] }: SeenPacket): boolean => from < 60_000;
const at = (file: ReadCapture, place: string, data: boolean): SeenPacket[] =>
  file.packets.filter((packet) => packet.interface === place && isData(packet) === data);

describe.each(Object.keys(SPECS))('%s', (name) => {
  it('is in the file packet by packet, in the order of time', () => {
    const { told, file, run } = caseOf(name);
    const { packets, acks } = told;
    expect(run.state).toBe('done');
    const originals = packets.flow.map((_, i) => i).filter((i) => packets.copy[i] === false);
    const arrived = packets.flow.map((_, i) => i).filter((i) => packets.fate[i] === 'received');
    const sorted = (times: readonly (number | null | undefined)[]): number[] =>
      times.map((time) => time ?? NaN).sort((a, b) => a - b);
    const times = (seen: readonly SeenPacket[]): number[] => seen.map(({ at_ns }) => at_ns);
    expect(times(at(file, 'sender', true))).toEqual(sorted(originals.map((i) => packets.sent_ns[i])));
    expect(times(at(file, 'receiver', true))).toEqual(sorted(arrived.map((i) => packets.ended_ns[i])));
    expect(times(at(file, 'receiver', false))).toEqual(sorted(acks.sent_ns));
    const taken = acks.ended_ns.filter((_, i) => acks.fate[i] === 'received');
    expect(times(at(file, 'sender', false))).toEqual(sorted(taken));
    expect(times(file.packets)).toEqual(sorted(times(file.packets)));
    const bytes = at(file, 'sender', true).reduce((sum, one) => sum + one.bytes, 0);
    const isAck = (i: number): boolean => packets.kind[i] === 'opening' && packets.bytes[i] === 52;
    const counted = (i: number): number => Math.max(packets.bytes[i] ?? NaN, isAck(i) || name === 'QUIC' ? 0 : 53);
    expect(bytes).toBe(originals.reduce((sum, i) => sum + counted(i), 0));
  });

  it('has headers that are right to the last bit, and says what was lost', () => {
    const { told, file } = caseOf(name);
    expect(file.packets.filter(({ soundIp, soundTransport }) => !soundIp || !soundTransport)).toEqual([]);
    const gone = (word: string): number =>
      at(file, 'sender', true).filter(({ comment }) => comment?.includes(word) === true).length;
    const fates = (fate: string): number =>
      told.packets.fate.filter((one, i) => one === fate && told.packets.copy[i] === false).length;
    expect([gone('dropped by'), gone('lost on'), gone('under way')]).toEqual(
      ['dropped', 'lost', 'under_way'].map(fates),
    );
  });

  // How long an acknowledgement is tells how many blocks the engine's receiver has put into it.
  it.skipIf(name === FEEDBACK)('acknowledges what the engine does, in as many blocks', () => {
    const { told, file } = caseOf(name);
    // In one moment several may be written, in an order that is not told.
    const sorted = (pairs: readonly (readonly [number, number])[]): unknown =>
      [...pairs].sort(([a, x], [b, y]) => a - b || x - y);
    expect(sorted(at(file, 'receiver', false).map(({ at_ns, bytes }) => [at_ns, bytes]))).toEqual(
      sorted(told.acks.sent_ns.map((at_ns, i) => [at_ns, told.acks.bytes[i] ?? 0])),
    );
  });
});

const MSS = 1448;
const HEAD = [sectionHeader('x', 'x'), interfaceDescription('sender', 'x'), interfaceDescription('receiver', 'x')];
const AS_LONG = 'messages whose SYN is as long as one without';
/** What is in that SYN does not show in it. */
const WITH_TCP = Object.keys(SPECS).filter((name) => name !== 'QUIC' && name !== AS_LONG);

describe('what TCP says', () => {
  it.each(WITH_TCP)('is true of what came: %s', (name) => {
    const arrived = new Map<number, Set<number>>();
    const ends = new Map<number, number>();
    let blocks = 0;
    for (const { interface: place, ports, seq, ack, blocks: said, bytes, kept, flags } of caseOf(name).file.packets) {
      if (place !== 'receiver') continue;
      const flow = Math.min(...ports);
      const bytesThere = arrived.get(flow) ?? new Set<number>();
      arrived.set(flow, bytesThere);
      if (ports[0] === flow) {
        const begin = flags === SYN ? 1 : seq;
        if (bytes === kept) continue;
        bytesThere.add(begin);
        ends.set(begin, begin + bytes - kept);
        continue;
      }
      // Segment by segment up to the acknowledged byte, and not one further.
      let next = 1;
      while (bytesThere.has(next)) next = ends.get(next) ?? NaN;
      expect(ack).toBe(next);
      for (const [begin, end] of said) {
        blocks++;
        let byte = begin;
        while (byte < end && bytesThere.has(byte)) byte = ends.get(byte) ?? NaN;
        expect(byte).toBe(end);
      }
      if (next > 200 * MSS) break;
    }
    expect(arrived.size).toBeGreaterThan(0);
    if (name === 'two flows over a lossy link') expect(blocks).toBeGreaterThan(10);
  });

  it('begins with a handshake where the run has one, and with data where it has none', () => {
    const [first, second] = [50_000, 50_001].map((port) =>
      caseOf('two flows over a lossy link').file.packets.filter(({ ports }) => ports.includes(port)),
    );
    expect(first?.filter(({ interface: place }) => place === 'sender').map(({ flags }) => flags)[0]).toBe(SYN);
    expect(first?.find(({ ports }) => ports[0] === 60_000)).toMatchObject({ flags: 0x12, ack: 1, seq: 0, bytes: 60 });
    expect(second?.[0]).toMatchObject({ flags: 0x10, seq: 1, bytes: 1500 });
    const [opening] = caseOf('messages over Fast Open').file.packets;
    expect(opening).toMatchObject({ flags: SYN, seq: 0, bytes: 1500, kept: 52 });
  });

  it('marks what was marked', () => {
    const { told, file } = caseOf('marks in place of drops');
    const marks = at(file, 'receiver', true).filter(({ ecn }) => ecn === 3).length;
    expect(marks).toBe(told.packets.ce.filter(Boolean).length);
    expect(marks).toBeGreaterThan(0);
    expect(new Set(at(file, 'sender', true).map(({ ecn }) => ecn))).toContain(2);
  });

  it('comes round at 2^32', () => {
    const size = 60_052;
    const round = Math.floor(2 ** 32 / (size - 52));
    const { flows } = caseOf('two flows over a lossy link').run.manifest;
    const flow = new TcpFlow(1, { ...flows[1]!, handshake: 'none' });
    const packet = (sequence: number): TracedPacket => ({
      flow: 1,
      number: sequence,
      sequence,
      bytes: size,
      kind: 'data',
      fate: 'received',
      ce: false,
      copy: false,
      sent_ns: sequence,
      queued_ns: null,
      departed_ns: null,
      ended_ns: sequence,
    });
    const seen: Frame[] = [];
    for (let sequence = 0; sequence < round + 2; sequence++) {
      const one = packet(sequence);
      const frame = flow.sent(one);
      if (sequence >= round && frame !== null) seen.push(frame);
      if (sequence !== round - 1) flow.received(one, sequence);
    }
    const ack = {
      flow: 1,
      cumulative: round - 1,
      sequence: round,
      bytes: 64,
      fate: 'received',
      sent_ns: 1e9,
      ended_ns: null,
    } as const;
    seen.push(flow.acknowledged(ack));
    const file = Buffer.concat([...HEAD, ...seen.map(enhancedPacket)]);
    const [across, beyond, said] = readPcapng(file).packets;
    const begin = 1 + round * (size - 52);
    expect([across?.seq, beyond?.seq]).toEqual([begin, begin + size - 52 - 2 ** 32]);
    expect(said).toMatchObject({ ack: begin - (size - 52), blocks: [[begin, begin + 2 * (size - 52) - 2 ** 32]] });
    expect([across, beyond, said].map((one) => one?.soundTransport)).toEqual([true, true, true]);
  });
});

describe('a part of a run', () => {
  it('is as it is in the whole', async () => {
    const { run, file } = caseOf('two flows over a lossy link');
    const part = readPcapng(await download(run.id, '?from_s=1.5&to_s=2.5'));
    expect(part.packets).toEqual(file.packets.filter(({ at_ns }) => at_ns >= 1.5e9 && at_ns < 2.5e9));
    expect(part.packets.length).toBeGreaterThan(1000);
  });

  it.each([
    ['that ends before it begins', '?from_s=2&to_s=1'],
    ['behind the end', '?from_s=4'],
    ['of no time', '?from_s=x'],
  ])('%s is refused', async (_, query) => {
    const { run } = caseOf('QUIC');
    const response = await fetch(server.url(`/runs/${run.id}/capture${query}`));
    expect([response.status, Problem.parse(await response.json()).code]).toEqual([400, 'REQUEST_INVALID']);
  });

  it('is made in pieces that follow each other without a seam', async () => {
    const { run, told, file } = caseOf('a path that reorders and duplicates');
    const pieces = [0.7, 1.3, 2.2, 4].map((end) => ({ ...told, complete_until_ns: end * 1e9 }));
    const made: Uint8Array[] = [];
    const of = { run: run.id, engine_version: 'x', manifest: run.manifest, from_ns: 0, to_ns: Infinity };
    for await (const piece of captureOf(of, Readable.from(pieces) as AsyncIterable<PacketWindow>)) made.push(piece);
    const { application, comment, packets } = readPcapng(Buffer.concat(made));
    expect(packets).toEqual(file.packets);
    expect(application).toBe('Paceline x');
    expect(comment).toContain(run.id);
  });
});
