// What Wireshark makes of our captures, and whether it comes to the figures that the run has.
import { execFile, spawnSync } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { RunRecord } from '#protocol/api';
import { testFolderOfFile } from '../testing/folder.ts';
import { TestServer } from '../testing/server.ts';

const there = spawnSync('tshark', ['--version']).status === 0;
const title = there ? 'Wireshark' : 'Wireshark cannot be asked here (apt install tshark)';

const folder = testFolderOfFile();
let server: TestServer;
let run: RunRecord;
let quic: RunRecord;
const captures = new Map<string, string>();

async function made(transport: 'tcp' | 'quic'): Promise<RunRecord> {
  const experiment = await server.submit({
    name: transport,
    duration_s: 8,
    traces: [{ rate_mbps: 12 }],
    ccas: [{ id: 'cubic' }],
    buffers: [{ bdp: 1 }],
    base_rtt_ms: [30],
    loss: [0.003],
    flows: [{ cca: '$cca', transport, handshake: 'full' }],
  });
  await server.over(experiment);
  const record = await server.json(`/runs/${experiment.runs[0]?.id ?? ''}`, RunRecord);
  const { body } = await fetch(server.url(`/runs/${record.id}/capture`));
  const file = join(folder(), `${transport}.pcapng`);
  await pipeline(Readable.fromWeb(body as ReadableStream), createWriteStream(file));
  captures.set(record.id, file);
  return record;
}

beforeAll(async () => {
  if (!there) return undefined;
  server = await TestServer.start();
  [run, quic] = await Promise.all([made('tcp'), made('quic')]);
  return () => server.close();
});

/** Its lines of fields, and what it complained of. */
async function ask(of: RunRecord, filter: string, ...fields: readonly string[]): Promise<string[][]> {
  const checks = ['-o', 'ip.check_checksum:TRUE', '-o', 'tcp.check_checksum:TRUE', '-o', 'udp.check_checksum:TRUE'];
  const words = ['-r', captures.get(of.id) ?? '', ...checks, '-Y', filter, '-T', 'fields'];
  const { stdout, stderr } = await promisify(execFile)(
    'tshark',
    [...words, ...fields.flatMap((field) => ['-e', field])],
    { maxBuffer: 64 * 1024 * 1024 },
  );
  expect(stderr.replace(/^Running as user "root".*\n/, '')).toBe('');
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split('\t'));
}

const AGAIN = ['retransmission', 'fast_retransmission', 'spurious_retransmission', 'out_of_order'];
const numbers = (lines: readonly (readonly string[])[]): number[] => lines.map(([value]) => Number(value));

describe.skipIf(!there)(title, () => {
  it('reads every packet without a complaint, and takes none for broken', async () => {
    const frames = await ask(run, 'ip', 'frame.interface_name', 'ip.src', 'tcp.len', 'frame.protocols');
    const sent = run.summary?.senders[0]?.sent_packets;
    const data = frames.filter(([place, from, bytes]) => place === 'sender' && from === '10.0.0.1' && bytes !== '0');
    expect(data).toHaveLength(sent ?? NaN);
    expect(new Set(frames.map(([, , , protocols]) => protocols))).toEqual(new Set(['raw:ip:tcp']));
    const broken = 'ip.checksum.status == 0 || tcp.checksum.status == 0 || _ws.malformed || !tcp';
    expect(await ask(run, broken, 'frame.number')).toEqual([]);
    // At the sender nothing is missing that was acknowledged.
    const unseen = 'frame.interface_id == 0 && (tcp.analysis.lost_segment || tcp.analysis.ack_lost_segment)';
    expect(await ask(run, unseen, 'frame.number')).toEqual([]);
  });

  it('finds as many retransmissions as there were', async () => {
    const again = `frame.interface_id == 0 && ip.src == 10.0.0.1 && (${AGAIN.map((one) => `tcp.analysis.${one}`).join(' || ')})`;
    const found = await ask(run, again, 'frame.number');
    expect(run.summary?.senders[0]?.retransmitted_packets).toBeGreaterThan(10);
    expect(found).toHaveLength(run.summary?.senders[0]?.retransmitted_packets ?? NaN);
  });

  it('comes to the same round-trip times', async () => {
    const times = numbers(
      await ask(run, 'frame.interface_id == 0 && ip.dst == 10.0.0.1 && tcp.analysis.ack_rtt', 'tcp.analysis.ack_rtt'),
    ).sort((a, b) => a - b);
    const { rtt } = run.summary?.senders[0] ?? {};
    const median = (times[Math.floor(times.length / 2)] ?? NaN) * 1e3;
    expect(times.length).toBeGreaterThan(1000);
    expect(times[0]).toBeGreaterThanOrEqual(run.manifest.reverse.delay_ms / 1e3);
    expect(Math.abs(median - (rtt?.p50_ms ?? NaN))).toBeLessThan(1);
    const mean = (times.reduce((sum, time) => sum + time, 0) / times.length) * 1e3;
    expect(Math.abs(mean / (rtt?.mean_ms ?? NaN) - 1)).toBeLessThan(0.03);
  });

  it('sees QUIC as datagrams, lost ones at one end only', async () => {
    const seen = async (place: number): Promise<number> =>
      (await ask(quic, `frame.interface_id == ${place} && ip.src == 10.0.${place}.1 && udp`, 'frame.number')).length;
    const [link] = quic.summary?.links ?? [];
    const [sent, received] = [await seen(0), await seen(1)];
    const gone = (link?.dropped_packets ?? NaN) + (link?.lost_packets ?? NaN);
    const underWay = quic.summary?.senders[0]?.inflight_packets ?? NaN;
    expect(gone).toBeGreaterThan(10);
    expect(sent - received).toBeGreaterThanOrEqual(gone);
    expect(sent - received).toBeLessThanOrEqual(gone + underWay);
    expect(await ask(quic, 'ip.checksum.status == 0 || udp.checksum.status == 0 || !udp', 'frame.number')).toEqual([]);
  });
});
