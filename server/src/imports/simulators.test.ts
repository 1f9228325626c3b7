// Files of the simulators that others work with: lines as ns-3.37 and OMNeT++ print them.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Imported, ImportedFlow, ImportedQuantity, ImportedSeries } from '#protocol/imported';
import { testFolder } from '../testing/folder.ts';
import { readImport } from './read-import.ts';

const folder = testFolder();
let files = 0;
async function read(content: string): Promise<Imported> {
  const file = join(folder(), `${files++}`);
  writeFileSync(file, content);
  return (await readImport(file, 'theirs')).imported;
}
const seriesOf = (flow: ImportedFlow | undefined, quantity: ImportedQuantity): ImportedSeries | undefined =>
  flow?.series.find((one) => one.quantity === quantity);
const valueAt = (series: ImportedSeries | undefined, time: number): number | null | undefined =>
  series?.values[series.time_s.findIndex((one) => one >= time - 1e-9)];

interface Tcp {
  readonly seq?: number;
  readonly ack?: number;
  readonly payload?: number;
  readonly stamps?: readonly [own: number, echo: number];
}
const A = ['10.1.1.1', 49153] as const;
const B = ['10.1.2.2', 5000] as const;
const DEVICE = '$ns3::PointToPointNetDevice';
const PLACE = { '+': 'TxQueue/Enqueue', '-': 'TxQueue/Dequeue', d: 'TxQueue/Drop', r: 'MacRx' } as const;

/** Of a packet from A to B, or of one that comes back. */
function tcp(
  what: keyof typeof PLACE,
  time: number,
  node: number,
  { seq = 1, ack = 1, payload = 0, stamps }: Tcp,
  back = false,
): string {
  const [[from, port], [to, other]] = back ? [B, A] : [A, B];
  const options = stamps === undefined ? '' : ` ns3::TcpOptionTS(${stamps[0]};${stamps[1]}) ns3::TcpOptionEnd(EOL)`;
  const carried = payload > 100 ? ` Payload Fragment [0:100] Payload (size=${payload - 100})` : '';
  return (
    `${what} ${time} /NodeList/${node}/DeviceList/1/${DEVICE}/${PLACE[what]} ns3::PppHeader (Point-to-Point Protocol: IP (0x0021)) ` +
    `ns3::Ipv4Header (tos 0x0 DSCP Default ECN Not-ECT ttl 64 id 4 protocol 6 offset (bytes) 0 flags [none] length: ${payload + 52} ${from} > ${to}) ` +
    `ns3::TcpHeader (${port} > ${other} [ACK] Seq=${seq} Ack=${ack} Win=62500${options})${carried}\n`
  );
}
/** Node 0 sends to 2 over the router 1, and has the acknowledgement of all that arrived. */
const way = (sent: number, data: Tcp, back: Tcp | null = null): string =>
  [
    tcp('+', sent, 0, data),
    tcp('-', sent, 0, data),
    tcp('r', sent + 0.001, 1, data),
    tcp('+', sent + 0.001, 1, data),
    tcp('-', sent + 0.002, 1, data),
    tcp('r', sent + 0.005, 2, data),
    ...(back === null
      ? []
      : [
          tcp('+', sent + 0.005, 2, back, true),
          tcp('r', sent + 0.008, 1, back, true),
          tcp('+', sent + 0.008, 1, back, true),
          tcp('r', sent + 0.0095, 0, back, true),
        ]),
  ].join('');

describe('ASCII traces of ns-3', () => {
  it('tell what arrives where a flow ends, its round trips, and what is in flight', async () => {
    const found = await read(
      way(1, { seq: 1, payload: 1448 }, { ack: 1449 }) +
        way(1.02, { seq: 1449, payload: 1448 }) +
        way(1.04, { seq: 2897, payload: 1448 }, { ack: 4345 }),
    );
    expect(found).toMatchObject({ form: 'ns3', duration_s: 1.05 });
    const [flow, ...others] = found.flows;
    expect([flow?.label, others]).toEqual(['TCP 10.1.1.1:49153 > 10.1.2.2:5000', []]);
    // 1500 bytes in 10 ms, counted at node 2 alone.
    const rate = seriesOf(flow, 'throughput_mbps');
    expect([1.01, 1.02, 1.03, 1.04, 1.05].map((time) => valueAt(rate, time))).toEqual([1.2, 0, 1.2, 0, 1.2]);
    expect(rate?.values.reduce((sum: number, value) => sum + (value ?? 0), 0)).toBeCloseTo(3.6, 9);
    const rtt = seriesOf(flow, 'rtt_ms');
    expect([valueAt(rtt, 1.01), valueAt(rtt, 1.05)]).toEqual([9.5, 9.5]);
    // Of the wire: × 1500 / 1448.
    const inflight = seriesOf(flow, 'inflight_bytes');
    expect([1.01, 1.03, 1.04, 1.05].map((time) => valueAt(inflight, time))).toEqual([0, 1500, 3000, 0]);
  });

  it('tell no round trip of what was sent twice, but by what the receiver echoes', async () => {
    const lost =
      tcp('+', 1, 0, { seq: 1, payload: 1448, stamps: [1000, 0] }) +
      tcp('d', 1, 0, { seq: 1, payload: 1448, stamps: [1000, 0] });
    const again = (stamps: boolean): string =>
      way(
        2,
        { seq: 1, payload: 1448, ...(stamps ? { stamps: [2000, 0] as const } : {}) },
        { ack: 1449, ...(stamps ? { stamps: [2005, 2000] as const } : {}) },
      );
    const without = await read(lost + again(false));
    expect(seriesOf(without.flows[0], 'rtt_ms')).toBeUndefined();
    expect(without.notes.join(' ')).toContain('1 packets were dropped by queues of devices');
    const echoed = await read(lost + again(true));
    expect(valueAt(seriesOf(echoed.flows[0], 'rtt_ms'), 2.01)).toBe(9.5);
  });

  it('end with the last whole line, and leave out what is neither TCP nor UDP over IPv4', async () => {
    const other = `r 1.5 /NodeList/2/DeviceList/1/$ns3::CsmaNetDevice/MacRx ns3::ArpHeader (request source mac: 02)\n`;
    const udp = `r 2 /NodeList/2/DeviceList/1/$ns3::CsmaNetDevice/MacRx ns3::Ipv4Header (tos 0x0 ttl 63 id 0 protocol 17 offset (bytes) 0 flags [none] length: 1028 10.1.1.1 > 10.1.2.2) ns3::UdpHeader (length: 1008 9 > 49153) Payload (size=1000)\n`;
    const found = await read(`${way(1, { payload: 1448 })}${other}${udp}r 2.1 /NodeList/2/Devi`);
    expect(found.flows.map(({ label }) => label)).toEqual([
      'TCP 10.1.1.1:49153 > 10.1.2.2:5000',
      'UDP 10.1.1.1:9 > 10.1.2.2:49153',
    ]);
    expect(valueAt(seriesOf(found.flows[1], 'throughput_mbps'), 2)).toBeCloseTo(0.8224, 9);
    expect(found.notes.join(' ')).toContain('1 lines of packets that are neither');
  });

  const line = tcp('r', 1, 2, { payload: 1448 });
  it.each([
    ['a line of something else', `${line}hello\n${line}`, /not a line of an ASCII trace/, 'theirs: line 2'],
    ['times that go back', `${line}${tcp('r', 0.5, 2, {})}`, /before the one before it/, 'theirs: line 2'],
    ['a time that nobody waits for', `${line}${tcp('r', 1e300, 2, {})}`, /not between 0 and/, 'theirs: line 2'],
    [
      'a line without end',
      `${line}r 1 /NodeList/1/DeviceList/1/${'ns3::Ipv4Header ('.repeat(1e5)}\n`,
      /may have 4096 characters/,
      'theirs: line 2',
    ],
    [
      'flows without end',
      Array.from({ length: 200 }, (_, i) => line.replace('49153', String(i))).join(''),
      /more than 32 flows/,
      'theirs: line 33',
    ],
    ['nothing of use', line.replaceAll('Ipv4', 'Ipv6'), /no series of throughput/, 'theirs'],
  ])('%s is refused', async (_, content, message, where) => {
    const error: unknown = await read(content).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'MEASUREMENT_REFUSED', details: { where } });
    expect((error as Error).message).toMatch(message);
  });
});

const VECTORS = `version 2
run Net-0-20260101-00:00:00-1
attr configname "Two \\"hosts\\""
attr datetime 20260101-00:00:00
param **.numHosts 2
vector 7  Net.client.tcp.conn-1  cwnd:vector  ETV
attr title "congestion window"
attr unit B
vector 8  Net.client.tcp.conn-1  rtt:vector  ETV
vector 9  Net.client.tcp.conn-1  "sent seq:vector"  ETV
vector 12  "Net.server.app[0]"  "throughput:vector(sumPerDuration)"  TV
attr unit bps
7	1	0.001	536
7	9	0.015	1072
8	9	0.015	0.0123
9	9	0.015	-7
12	0.1	1500000
12	0.2	nan
12	0.3	2e6
`;

describe('output vectors of OMNeT++', () => {
  it('are a flow with what its modules record, in our units', async () => {
    const found = await read(VECTORS);
    expect(found).toMatchObject({
      form: 'omnetpp',
      title: 'Two "hosts"',
      started_at: '20260101-00:00:00',
      duration_s: 0.3,
    });
    const [flow, ...others] = found.flows;
    expect([flow?.label, others]).toEqual(['Net.client.tcp.conn-1 and Net.server.app[0]', []]);
    expect(seriesOf(flow, 'throughput_mbps')).toEqual({
      quantity: 'throughput_mbps',
      time_s: [0.1, 0.2, 0.3],
      values: [1.5, null, 2],
    });
    const cwnd = seriesOf(flow, 'cwnd_bytes');
    expect([0.01, 0.02, 0.3].map((time) => valueAt(cwnd, time))).toEqual([536, 1072, 1072]);
    expect(valueAt(seriesOf(flow, 'rtt_ms'), 0.02)).toBe(12.3);
    expect(found.notes.join(' ')).toContain('1 vectors of other quantities are left out');
  });

  it('of several modules stay apart', async () => {
    const second = 'vector 20 Net.other.tcp.conn-2 cwnd:vector ETV\n20\t30\t0.4\t1000\n';
    expect((await read(VECTORS + second)).flows.map(({ label }) => label)).toEqual([
      'Net.client.tcp.conn-1',
      'Net.server.app[0]',
      'Net.other.tcp.conn-2',
    ]);
  });

  it.each([
    ['a second run', `${VECTORS}run other\n`, /more than one run/, 'theirs: line 20'],
    ['a value of no vector', `${VECTORS}99\t1\t1\t1\n`, /no vector 99/, 'theirs: line 20'],
    ['a vector twice', `${VECTORS}vector 7 a b\n`, /a vector 7 already/, 'theirs: line 20'],
    ['columns of something else', 'version 3\nvector 1 a b EX\n', /not of time and value/, 'theirs: line 2'],
    ['a value that is none', `${VECTORS}7\t1\t1\tabc\n`, /has a time and a value/, 'theirs: line 20'],
    ['times that go back', `${VECTORS}7\t1\t0.002\t1\n`, /before the one before it/, 'theirs: line 20'],
    [
      'a unit of something else',
      VECTORS.replace('unit B', 'unit dBm'),
      /dBm is no unit of cwnd_bytes/,
      'theirs: Net.client.tcp.conn-1 cwnd:vector',
    ],
    ['a line of something else', 'version 3\n<html>\n', /no line that begins with <html>/, 'theirs: line 2'],
    [
      'a rate that nobody has',
      VECTORS.replace('1500000', '1e300'),
      /not between 0 and/,
      'theirs: Net.server.app[0] throughput:vector(sumPerDuration), value 1',
    ],
    [
      'vectors without end, over all the time there is',
      `version 2\n${Array.from({ length: 9000 }, (_, i) => `vector ${i} M[${i}] cwnd TV\n${i}\t0\t1\n${i}\t9e6\t1\n`).join('')}`,
      /it holds \d+ values; 1000000 are the most/,
      'theirs',
    ],
    ['nothing of use', 'version 2\nvector 1 a other TV\n1\t1\t1\n', /no series of throughput/, 'theirs'],
  ])('%s is refused', async (_, content, message, where) => {
    const error: unknown = await read(content).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'MEASUREMENT_REFUSED', details: { where } });
    expect((error as Error).message).toMatch(message);
  });
});
