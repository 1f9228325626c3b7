import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Imported } from '#protocol/imported';
import { testFolder } from '../testing/folder.ts';
import { readImport } from './read-import.ts';

const folder = testFolder();
let files = 0;
const read = async (content: string | Uint8Array): Promise<Imported> => {
  const file = join(folder(), `${files++}`);
  writeFileSync(file, content);
  return (await readImport(file, 'theirs')).imported;
};
const refused = async (content: string | Uint8Array): Promise<unknown> => {
  try {
    return await read(content);
  } catch (error) {
    return error;
  }
};

const FLENT = {
  version: 4,
  x_values: [0, 0.2, 0.4],
  results: {
    'TCP upload': [14.48, null, 7.24],
    'TCP upload::tcp_cwnd': [10, 20, null],
    'TCP upload::tcp_rtt': [30, 31, 32],
    'TCP upload sum': [1, 2, 3],
    Retransmits: [0, 0, 1],
  },
  metadata: {
    NAME: 'tcp_1up',
    TITLE: 'Walk',
    TIME: '2026-01-02T03:04:05Z',
    SERIES_META: { 'TCP upload': { UNITS: 'Mbits/s' }, 'TCP upload::tcp_cwnd': { UNITS: 'packets' } },
  },
};

const event = (time: number, name: string, data: object): object => ({ time, name, data });
const EVENTS = [
  event(0, 'transport:parameters_set', {}),
  event(1, 'recovery:metrics_updated', { congestion_window: 12000, bytes_in_flight: 1200, latest_rtt: 40 }),
  event(2, 'transport:packet_sent', { raw: { length: 1222 } }),
  event(12, 'transport:packet_sent', { raw: { length: 1222 } }),
  event(13, 'transport:packet_received', { raw: { length: 40 } }),
  event(35, 'recovery:metrics_updated', { congestion_window: 24000 }),
  event(36, 'recovery:packet_lost', {}),
];
const HEAD = { qlog_version: '0.3', qlog_format: 'JSON-SEQ', trace: { common_fields: { time_format: 'relative' } } };
/** × 1250 / 1222: of the wire. */
const WINDOW = {
  quantity: 'cwnd_bytes',
  time_s: [0.01, 0.02, 0.03, 0.04],
  values: [12274.96, 12274.96, 12274.96, 24549.92],
};

describe('files of flent', () => {
  it('are flows with what their series say, on the wire', async () => {
    const found = await read(gzipSync(JSON.stringify(FLENT)));
    expect(found).toMatchObject({ form: 'flent', title: 'Walk', started_at: '2026-01-02T03:04:05Z', duration_s: 0.4 });
    expect(found.flows).toEqual([
      {
        label: 'TCP upload',
        cca: null,
        series: [
          { quantity: 'throughput_mbps', time_s: [0, 0.2, 0.4], values: [15, null, 7.5] },
          { quantity: 'cwnd_bytes', time_s: [0, 0.2, 0.4], values: [15000, 30000, null] },
          { quantity: 'rtt_ms', time_s: [0, 0.2, 0.4], values: [30, 31, 32] },
        ],
      },
    ]);
    expect(found.notes.join(' ')).toMatch(/1 series that flent makes of others.*1 series of other quantities/);
  });

  it('say the pings of a single flow’s path', async () => {
    const found = await read(
      JSON.stringify({ x_values: [0], results: { 'Ping (ms) ICMP': [20], 'TCP download': [1.448] } }),
    );
    expect(found.flows.map(({ series }) => series.map(({ quantity }) => quantity))).toEqual([
      ['throughput_mbps', 'rtt_ms'],
    ]);
    expect(found.notes.join(' ')).toContain('Ping (ms) ICMP');
  });
});

describe('qlogs', () => {
  it('are read as a sequence, with and without separators, and as one document', async () => {
    const records = [HEAD, ...EVENTS].map((one) => JSON.stringify(one));
    const forms = [
      records.map((one) => `\u001e${one}\n`).join(''),
      `${records.join('\n')}\n`,
      JSON.stringify({ qlog_version: '0.3', traces: [{ ...HEAD.trace, events: EVENTS }] }),
    ];
    for (const form of forms) {
      const { form: kind, flows, notes } = await read(form);
      expect(kind).toBe('qlog');
      expect(flows[0]?.series).toContainEqual(WINDOW);
      // 1250 bytes with IP and UDP in 10 ms are 1 Mbps.
      expect(flows[0]?.series[0]).toEqual({ quantity: 'throughput_mbps', time_s: [0.01, 0.02], values: [1, 1] });
      expect(notes.join(' ')).toMatch(/sent, retransmissions included.*1 packets were declared lost/);
    }
  });

  it('have times from the first event on where they are absolute, and added up where they are differences', async () => {
    const of = async (time_format: string, times: readonly number[]): Promise<readonly number[] | undefined> => {
      const events = times.map((time) => event(time, 'quic:recovery_metrics_updated', { latest_rtt: 5 }));
      const { flows } = await read(
        JSON.stringify({ file_schema: 'urn:x', traces: [{ common_fields: { time_format }, events }] }),
      );
      return flows[0]?.series[0]?.time_s;
    };
    expect(await of('absolute', [1.7e12, 1.7e12 + 20])).toEqual([0.01, 0.02]);
    expect(await of('delta', [10, 10, 10])).toEqual([0.01, 0.02, 0.03]);
  });

  it('that were cut short end with their last whole record', async () => {
    const records = [HEAD, ...EVENTS].map((one) => `\u001e${JSON.stringify(one)}\n`).join('');
    expect((await read(`${records}\u001e{"time": 40, "na`)).flows[0]?.series).toContainEqual(WINDOW);
  });
});

describe('what is refused, and where', () => {
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  const flent = (change: object): string => JSON.stringify({ ...FLENT, ...change });
  it.each([
    ['nothing', '', /it is empty/, 'theirs'],
    ['another JSON', '{"a": 1}', /nothing that is read here/, 'theirs'],
    ['no JSON', '{"x_values": [1,\n2, NaN]}', /not JSON: expected a value/, 'theirs: line 2, column 4'],
    ['no text', new Uint8Array([0xff, 0xfe, 0, 1]), /not a text/, 'theirs'],
    ['what only begins as gzip', new Uint8Array([0x1f, 0x8b, 8, 0, 0]), /cannot be unpacked/, 'theirs'],
    ['a bomb', gzipSync(new Uint8Array(80 * 2 ** 20)), /67108864 are the most/, 'theirs'],
    [
      'a huge number',
      flent({}).replace('14.48', '1e999'),
      /expected number|Infinity|Invalid/,
      /results\.TCP upload\.0/,
    ],
    [
      'a rate that nobody has',
      flent({}).replace('14.48', '1e30'),
      /is not between 0 and 1000000/,
      'theirs: results["TCP upload"][0]',
    ],
    ['a word for a number', flent({}).replace('14.48', '"fast"'), /expected number/, /TCP upload/],
    [
      'times that go back',
      flent({ x_values: [0, 2, 1] }),
      /before the one before it/,
      'theirs: results["TCP upload"][2]',
    ],
    [
      'fewer times than values',
      flent({ x_values: [0] }),
      /there are 1 times, but 3 values/,
      'theirs: results["TCP upload"]',
    ],
    ['nothing of use', flent({ results: { Retransmits: [1, 2, 3] } }), /no series of throughput/, 'theirs'],
    ['depth without end', deep, /nothing that is read here/, 'theirs'],
    [
      'a bad record',
      `\u001e${JSON.stringify(HEAD)}\n\u001e{"time": "now", "name": "a:b"}\n\u001e{}\n`,
      /expected number/,
      'theirs: record 2.time',
    ],
    ['a broken record', `\u001e${JSON.stringify(HEAD)}\n\u001e{"time": \n\u001e{}\n`, /not JSON/, /record 2, line/],
  ])('%s', async (_, content, message, where) => {
    const error = await refused(content);
    expect(error).toMatchObject({ code: 'MEASUREMENT_REFUSED' });
    expect((error as Error).message).toMatch(message);
    const told = (error as { details: { where?: string } }).details.where;
    if (typeof where === 'string') expect(told).toBe(where);
    else expect(told).toMatch(where);
  });

  it('names that would do harm are plain', async () => {
    const name = `\u202eTCP upload\u0000 <script>${'x'.repeat(500)}`;
    const { flows } = await read(JSON.stringify({ x_values: [1], results: { [name]: [1], __proto__: [1] } }));
    expect(flows[0]?.label).toMatch(/^TCP upload {2}<script>x+$/);
    expect(flows[0]?.label.length).toBeLessThanOrEqual(120);
  });
});
