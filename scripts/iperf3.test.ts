// iperf3's reports become traces and measurements that are laid over runs, by one reader: the bytes of both must be the same.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { iperf3Report } from '#analysis/testing-iperf3';
import { inspectTrace } from '#bridge/traces';
import { readMeasurement } from '../server/src/read-iperf3.ts';

const folder = mkdtempSync(join(tmpdir(), 'paceline-iperf3-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const RATES = [10, 20, 0, 30, 40];
const report = iperf3Report({ mbps: RATES, streams: 2 }) as { start: object; intervals: object[]; end: object };
const whole = JSON.stringify(report, null, 2);
const line = (event: string, data: object): string => `${JSON.stringify({ event, data })}\n`;
const byLines = [line('start', report.start), ...report.intervals.map((one) => line('interval', one))].join('');
const withoutSums = { ...report, intervals: report.intervals.map((one) => ({ ...one, sum: undefined })) };

it.each([
  ['whole', whole],
  ['cut in its last interval', whole.slice(0, whole.lastIndexOf('"sum"'))],
  ['line by line', byLines + line('end', report.end)],
  ['line by line and cut', byLines.slice(0, -20)],
  ['without sums', JSON.stringify(withoutSums)],
  ['UDP, of the receiver', JSON.stringify(iperf3Report({ mbps: RATES, protocol: 'UDP', sender: false }))],
  [
    'with what the receiver counted',
    JSON.stringify({ ...report, server_output_json: iperf3Report({ mbps: [9, 19, 0, 29, 39, 1], sender: false }) }),
  ],
  ['with omitted intervals', JSON.stringify(iperf3Report({ mbps: [1, 2, ...RATES], omit: 2 }))],
])('a report %s holds the same bytes as a trace and as a measurement', async (_, text) => {
  const file = join(folder, 'report.json');
  writeFileSync(file, text);
  const { info } = await inspectTrace(file);
  const { received, total, wire_factor } = await readMeasurement({ file }, 'report.json');
  const bytes = (received ?? total).map(
    (one) => (one.throughput_mbps * 1e6 * (one.end_s - one.start_s)) / 8 / wire_factor,
  );
  expect(info.source?.format).toBe('iperf3');
  expect(info.source?.bytes).toBeCloseTo(
    bytes.reduce((all, one) => all + one, 0),
    3,
  );
  expect(info.source?.bytes).toBeGreaterThan(100_000);
});
