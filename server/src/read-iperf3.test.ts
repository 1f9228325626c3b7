import { spawn, spawnSync } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { iperf3Report } from '#analysis/testing-iperf3';
import { AppError } from './errors.ts';
import { readMeasurement } from './read-iperf3.ts';

const parseIperf3 = (report: string) => readMeasurement({ text: report }, 'live.json');
const text = (report: object): string => JSON.stringify(report, null, 2);
const RATES = [10, 20, 30, 40];

describe('a report of iperf3', () => {
  it('of a TCP sender gives rates on the wire, windows and RTTs over time', async () => {
    const measured = await parseIperf3(
      text(iperf3Report({ mbps: RATES, cwnd_bytes: (i) => 1448 * (i + 1), rtt_ms: (i) => 20 + i })),
    );
    expect(measured).toMatchObject({
      protocol: 'tcp',
      side: 'sender',
      cca: 'cubic',
      version: 'iperf 3.12',
      started_at: '2026-07-11T10:15:00.000Z',
      complete: true,
      streams: [],
    });
    // 1448 bytes of a 1500-byte packet are payload.
    expect(measured.wire_factor).toBeCloseTo(1500 / 1448, 12);
    expect(measured.total.map((one) => one.throughput_mbps / (1500 / 1448))).toEqual(
      RATES.map((rate) => expect.closeTo(rate, 4) as number),
    );
    expect(measured.total.map((one) => one.cwnd_bytes)).toEqual(
      [0, 1, 2, 3].map((i) => expect.closeTo(1500 * (i + 1), 6) as number),
    );
    expect(measured.total.map((one) => one.rtt_ms)).toEqual([20, 21, 22, 23]);
    expect(measured.total.map((one) => one.retransmits)).toEqual([1, 0, 0, 0]);
    expect(measured.interval_s).toBeCloseTo(0.1, 3);
    expect(measured.mean_mbps).toBeCloseTo((25 * 1500) / 1448, 3);
    expect(measured.notes).toEqual([expect.stringContaining('sender')]);
  });

  it('of a receiver has no windows, and none are made up', async () => {
    const measured = await parseIperf3(text(iperf3Report({ mbps: RATES, sender: false, congestion: 'bbr' })));
    expect(measured).toMatchObject({ side: 'receiver', cca: 'bbr', notes: [] });
    expect(measured.total.every((one) => one.cwnd_bytes === null && one.rtt_ms === null)).toBe(true);
  });

  it('of several connections is their sum, and each of them', async () => {
    const measured = await parseIperf3(
      text(iperf3Report({ mbps: RATES, streams: 3, cwnd_bytes: () => 14_480, rtt_ms: () => 30 })),
    );
    const single = await parseIperf3(text(iperf3Report({ mbps: RATES })));
    expect(measured.mean_mbps).toBeCloseTo(single.mean_mbps, 4);
    expect(measured.total[0]).toMatchObject({ cwnd_bytes: expect.closeTo(45_000, 6) as number, rtt_ms: 30 });
    expect(measured.streams.map(({ socket, intervals }) => [socket, intervals.length])).toEqual([
      [5, 4],
      [7, 4],
      [9, 4],
    ]);
    expect(measured.streams[1]?.intervals[3]?.throughput_mbps).toBeCloseTo((40 / 3) * (1500 / 1448), 4);
  });

  it('adds the connections up when the file has no sum', async () => {
    const report = iperf3Report({ mbps: RATES, streams: 2 }) as { intervals: { sum?: object }[] };
    const whole = await parseIperf3(text(report));
    for (const interval of report.intervals) delete interval.sum;
    expect((await parseIperf3(text(report))).total).toEqual(whole.total);
  });

  it('of UDP counts its headers and its losses', async () => {
    const measured = await parseIperf3(text(iperf3Report({ mbps: RATES, protocol: 'UDP', sender: false })));
    expect(measured).toMatchObject({ protocol: 'udp', cca: null });
    expect(measured.wire_factor).toBeCloseTo(1476 / 1448, 12);
    expect(measured.total[0]?.lost_packets).toBe(2);
  });

  it('leaves out what was measured while the test warmed up', async () => {
    const measured = await parseIperf3(text(iperf3Report({ mbps: [1, 2, ...RATES], omit: 2 })));
    expect(measured.total).toHaveLength(4);
    expect(measured.total[0]?.start_s).toBe(0);
  });

  it('leaves out the few milliseconds after the last whole interval', async () => {
    const report = iperf3Report({ mbps: RATES }) as { intervals: { sum: object; streams: object[] }[] };
    const last = report.intervals.at(-1);
    const sliver = { start: 0.4, end: 0.402, seconds: 0.002, bytes: 65_536, omitted: false, sender: true };
    report.intervals.push({ sum: { ...last?.sum, ...sliver }, streams: [{ ...last?.streams[0], ...sliver }] });
    expect((await parseIperf3(text(report))).total).toEqual(
      (await parseIperf3(text(iperf3Report({ mbps: RATES })))).total,
    );
  });

  it('assumes a segment size when the accepting side does not tell it, and says so', async () => {
    const measured = await parseIperf3(text(iperf3Report({ mbps: RATES, sender: false, mss: 0 })));
    expect(measured.wire_factor).toBeCloseTo(1500 / 1448, 12);
    expect(measured.notes).toEqual([expect.stringContaining('1448')]);
  });
});

describe('a report that was cut short', () => {
  const whole = text(iperf3Report({ mbps: RATES, streams: 2 }));

  it('anywhere gives the intervals before the cut, or is refused', async () => {
    const all = (await parseIperf3(whole)).total;
    let before = 0;
    for (let at = 0; at < whole.length; at += 97) {
      let total: readonly unknown[] = [];
      try {
        const measured = await parseIperf3(whole.slice(0, at));
        expect(measured.complete).toBe(false);
        total = measured.total;
      } catch (error) {
        expect(error).toMatchObject({ code: 'MEASUREMENT_REFUSED' });
      }
      expect(total).toEqual(all.slice(0, total.length));
      expect(total.length).toBeGreaterThanOrEqual(before);
      before = total.length;
    }
    expect(before).toBe(4);
  });

  it('by Ctrl-C says so', async () => {
    const { intervals, start } = iperf3Report({ mbps: RATES }) as { intervals: object[]; start: object };
    const measured = await parseIperf3(
      text({ start, intervals, end: {}, error: 'interrupt - the client has terminated' }),
    );
    expect(measured).toMatchObject({
      complete: false,
      notes: [expect.stringContaining('cut short'), expect.anything()],
    });
  });

  it('or written line by line is read alike', async () => {
    const { start, intervals, end } = iperf3Report({ mbps: RATES }) as Record<string, unknown> & {
      intervals: object[];
    };
    const line = (event: string, data: unknown): string => `${JSON.stringify({ event, data })}\n`;
    const lines = line('start', start) + intervals.map((one) => line('interval', one)).join('');
    expect(await parseIperf3(lines + line('end', end))).toEqual(await parseIperf3(text(iperf3Report({ mbps: RATES }))));
    const cut = await parseIperf3(lines.slice(0, -20));
    expect([cut.complete, cut.total.length]).toEqual([false, 3]);
  });
});

describe('what is no measurement', () => {
  const refusal = async (source: string): Promise<string> => {
    try {
      await parseIperf3(source);
    } catch (error) {
      if (error instanceof AppError) return `${error.message}. ${error.details.hint ?? ''}`;
      throw error;
    }
    return 'accepted';
  };
  const { start, intervals } = iperf3Report({ mbps: RATES }) as Record<string, object>;
  it.each<[string, string, string]>([
    ['an empty file', '', 'not JSON'],
    ['text', '[ ID] Interval           Transfer     Bitrate', 'not JSON'],
    ['JSON of something else', '{"spec": 1}', 'no "start"'],
    ['a list', '[1, 2]', 'not JSON'],
    [
      'a refused test',
      text({ start: { test_start: { protocol: 'TCP' } }, intervals: [], end: {}, error: 'unable to connect' }),
      'unable to connect',
    ],
    ['a test that stopped before its first interval', text({ start, intervals: [] }), 'no interval'],
    [
      'a wrong interval',
      text({ start, intervals: [{ streams: [{ socket: 5, start: 0, end: 1, bytes: 'many' }] }] }),
      'intervals.0.streams.0.bytes',
    ],
    ['SCTP', text({ start: { test_start: { protocol: 'SCTP' } }, intervals }), 'SCTP'],
    ['both directions', text({ start: { test_start: { protocol: 'TCP', bidir: 1 } }, intervals }), '--bidir'],
    ['two reports', text(iperf3Report({ mbps: RATES })) + text(iperf3Report({ mbps: RATES })), 'several tests'],
  ])('%s is refused with the reason', async (_, source, reason) => {
    expect(await refusal(source)).toContain(reason);
  });
});

describe('a report with what its other end counted', () => {
  const REPORT = iperf3Report({ mbps: [0, 100, 0, 100] });
  const other = iperf3Report({ mbps: [48, 48, 48, 48, 48], sender: false });
  const line = (event: string, data: unknown): string => `${JSON.stringify({ event, data })}\n`;

  it('has both: throughput of the receiver, windows and RTTs of the sender', async () => {
    const measured = await parseIperf3(text({ ...REPORT, server_output_json: other }));
    const receiver = await parseIperf3(text(other));
    expect(measured).toMatchObject({ side: 'sender', complete: true, total: (await parseIperf3(text(REPORT))).total });
    expect(measured.received).toEqual(receiver.total);
    expect(measured.notes).toEqual([expect.stringContaining('the receiver counted')]);
    const { start, intervals, end } = REPORT as { start: object; intervals: object[]; end: object };
    const lines = [
      line('start', start),
      ...intervals.map((one) => line('interval', one)),
      line('server_output_json', other),
      line('end', end),
    ];
    expect(await parseIperf3(lines.join(''))).toEqual(measured);
  });

  it('has no use for a server that sent, nor for a report in words, and says of the latter what to do', async () => {
    const sent = await parseIperf3(
      text({ ...iperf3Report({ mbps: [9, 9], sender: false }), server_output_json: REPORT }),
    );
    expect([sent.side, sent.received]).toEqual(['receiver', undefined]);
    const words = await parseIperf3(text({ ...REPORT, server_output_text: '[  5]   0.00-1.00   sec  5.52 MBytes' }));
    expect(words.received).toBeUndefined();
    expect(words.notes.join()).toContain('-J -i 0.1');
  });
});

describe('what would harm whoever reads it', () => {
  const endless = '{"start":{"test_start":{"protocol":"TCP"}},"intervals":[';
  it.each<[string, string, string]>([
    ['a depth of 100,000', `${endless}${'['.repeat(100_000)}`, 'nested deeper'],
    ['a string of 5 MB', `{"start":{"version":"${'x'.repeat(5_000_000)}"}}`, 'more than 4 MB'],
    ['an interval of 2000 connections', `${endless}{"streams":[${'{},'.repeat(2000)}{}]}]}`, '1000 connections'],
    ['a million intervals of nothing', `${endless}${'{"streams":[]},'.repeat(1_000_001)}{}]}`, 'more intervals'],
    ['no number', `${endless}{"streams":[{"socket":5,"start":0,"end":NaN,"bytes":1}]}]}`, 'not JSON'],
    ['a number beyond all', `${endless}{"streams":[{"socket":5,"start":0,"end":1e999,"bytes":1}]}]}`, 'not JSON'],
    ['a time beyond all', `${endless}{"streams":[{"socket":5,"start":0,"end":1e300,"bytes":1}]}]}`, 'streams.0.end'],
    ['bytes below nothing', `${endless}{"streams":[{"socket":5,"start":0,"end":1,"bytes":-1}]}]}`, 'streams.0.bytes'],
  ])('is refused: %s', async (_, source, reason) => {
    await expect(parseIperf3(source)).rejects.toThrow(reason);
  });

  it('is read in time when it is only long: ten connections by 0.1 s for an hour and a half', async () => {
    const long = JSON.stringify(iperf3Report({ mbps: Array<number>(5400).fill(40), streams: 10 }));
    const measured = await parseIperf3(long);
    expect([measured.total.length, measured.streams.length]).toEqual([5400, 10]);
  });
});

const installed = spawnSync('iperf3', ['--version']).status === 0;
describe.skipIf(!installed)('iperf3 of this machine', () => {
  it('writes reports that are understood', async () => {
    const port = String(40_000 + (process.pid % 20_000));
    const listening = spawn('iperf3', ['-s', '-1', '-p', port, '-B', '127.0.0.1', '-J', '-i', '0.1', '--forceflush']);
    try {
      await setTimeout(300); // with -J it says nothing before the end
      const client = spawnSync(
        'iperf3',
        ['-c', '127.0.0.1', '-p', port, '-J', '-i', '0.1', '-t', '1', '-b', '20M', '--get-server-output'],
        {
          encoding: 'utf8',
          timeout: 20_000,
        },
      );
      const measured = await parseIperf3(client.stdout);
      expect(measured.received?.length).toBeGreaterThanOrEqual(9);
      expect(measured).toMatchObject({ protocol: 'tcp', side: 'sender', complete: true });
      expect(measured.cca).toMatch(/^\w+$/);
      expect(measured.total.length).toBeGreaterThanOrEqual(9);
      expect(measured.total.every((one) => (one.cwnd_bytes ?? 0) > 0)).toBe(true);
    } finally {
      listening.kill();
    }
  });
});
