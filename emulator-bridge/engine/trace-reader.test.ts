// The reader of traces as WebAssembly says what the native program says, of files that are traces and of those that are none.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nativeDir, programPath } from '#bridge/programs';
import { TraceProblem, TraceReport, type SourceChoices } from '#protocol/trace';
import {
  enhancedPacket,
  joined,
  networkInterface,
  pcap,
  section,
  simplePacket,
  udpFrame,
  udpPacket,
  type Captured,
} from './testing/captures.ts';
import { MORE_RECORDINGS } from '../../scripts/lib/recordings.mjs';
import { Dice } from './testing/random-manifests.ts';
import { createTraceReader, READER_LIMITS, type TraceReader, type TraceReading } from './trace-reader.ts';

const MODULE = join(nativeDir(), 'paceline-trace.wasm');
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BINS = 40;
const LONG_MS = 120_000;

const folder = mkdtempSync(join(tmpdir(), 'paceline-trace-reader-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

type Bytes = Uint8Array<ArrayBuffer>;

const bytesOf = (text: string): Bytes => new TextEncoder().encode(text);
const filesIn = (path: string): string[] => (existsSync(path) ? readdirSync(path).map((name) => join(path, name)) : []);
const contentOf = (file: string): Bytes => new Uint8Array(readFileSync(file));

function program(command: string, args: readonly string[]): { code: number | null; told: unknown; said: string } {
  const { status, stdout, stderr } = spawnSync(programPath('paceline-trace'), [command, ...args], {
    maxBuffer: 2 ** 28,
    encoding: 'utf8',
  });
  return { code: status, told: stdout === '' ? null : (JSON.parse(stdout) as unknown), said: stderr };
}

const wordsOf = (choices: SourceChoices | undefined): string[] => [
  ...(choices?.format === undefined ? [] : ['--format', choices.format]),
  ...Object.entries(choices?.options ?? {}).flatMap(([name, value]) => ['--set', `${name}=${value}`]),
];

/** What the program says of it: the report and the text, or the problem. */
function natively(bytes: Uint8Array, choices?: SourceChoices): unknown {
  const file = join(folder, 'uploaded');
  writeFileSync(file, bytes);
  const { code, told, said } = program('info', [
    file,
    '--bins',
    String(BINS),
    '--dynamics',
    'yes',
    ...wordsOf(choices),
  ]);
  if (code !== 0) return told === null ? { said } : { problem: TraceProblem.parse(told) };
  const stored = join(folder, 'stored');
  expect(program('import', [file, '--out-dir', stored, ...wordsOf(choices)]).code).toBe(0);
  const [only = ''] = readdirSync(stored);
  const text = readFileSync(join(stored, only), 'utf8');
  rmSync(stored, { recursive: true });
  return { report: TraceReport.parse(told), text };
}

const asTold = (reading: TraceReading): unknown =>
  reading.ok ? { report: reading.report, text: new TextDecoder().decode(reading.text) } : { problem: reading.problem };

const packets = (make: (from: number, to: number, bytes: number) => Uint8Array): Captured[] =>
  Array.from({ length: 60 }, (_, i) => ({
    atS: 1_700_000_000 + i * 0.004_321,
    frame: i % 7 === 0 ? make(2, 1, 60) : make(1, 2, 1500),
    wire: i % 7 === 0 ? 74 : 1514,
  }));
const ETHERNET = packets(udpFrame);
const RAW = packets(udpPacket);
const IEEE_802_11 = 105;

const ticks = (atS: number, perS: bigint): bigint => (BigInt(Math.round(atS * 1e6)) * perS) / 1_000_000n;
const pcapng = (resolution: number, perS: bigint, bigEndian = false): Bytes =>
  joined(
    section(bigEndian),
    networkInterface(resolution, bigEndian),
    ...ETHERNET.map(({ atS, frame, wire }) => enhancedPacket(ticks(atS, perS), frame, wire, bigEndian)),
  );

const CAPTURES: Record<string, Bytes> = {
  pcap: pcap(ETHERNET),
  'pcap, big-endian': pcap(ETHERNET, { bigEndian: true }),
  'pcap, nanoseconds': pcap(ETHERNET, { nano: true }),
  'pcap, lengths the other way round': pcap(ETHERNET, { minor: 2 }),
  'pcap, perhaps the other way round': pcap(ETHERNET, { minor: 3 }),
  'pcap, longer than it says': pcap(ETHERNET, { snapshot: 36 }),
  'pcap, of any length': pcap(ETHERNET, { snapshot: 0 }),
  'pcap, raw IP': pcap(RAW, { link: 101 }),
  'pcap, raw IP as programs number it': pcap(RAW, { link: 12 }),
  'pcap, IPv4': pcap(RAW, { link: 228 }),
  'pcap, wireless': pcap(ETHERNET, { link: IEEE_802_11 }),
  'pcap, of a link that nobody knows': pcap(ETHERNET, { link: 9999 }),
  'pcap of another version': pcap(ETHERNET, { minor: 9 }),
  'pcap without packets': pcap([]),
  pcapng: pcapng(0, 1_000_000n),
  'pcapng, big-endian': pcapng(0, 1_000_000n, true),
  'pcapng, nanoseconds': pcapng(9, 1_000_000_000n),
  'pcapng, picoseconds': pcapng(12, 1_000_000_000_000n),
  'pcapng, 2^-20 s': pcapng(0x80 | 20, 1n << 20n),
  'pcapng, 2^-34 s': pcapng(0x80 | 34, 1n << 34n),
  'pcapng, a clock that is too fine': pcapng(0x80 | 70, 1_000_000n),
  'pcapng, two sections': joined(pcapng(0, 1_000_000n), pcapng(0, 1_000_000n)),
  'pcapng, two byte orders': joined(pcapng(0, 1_000_000n), pcapng(0, 1_000_000n, true)),
  'pcapng, two kinds of interfaces': joined(pcapng(0, 1_000_000n), networkInterface(0, false, 200)),
  'pcapng, packets without times': joined(
    section(),
    networkInterface(),
    ...Array.from({ length: 3 }, () => simplePacket(udpFrame(1, 2, 1500))),
  ),
  'pcapng without an interface': section() as Bytes,
  'pcapng, a packet before its interface': joined(section(), simplePacket(udpFrame(1, 2, 1500))),
  'the beginning of a pcapng': bytesOf('\n\r\r\n some text'),
};

const CHOICES: readonly [string, string, SourceChoices][] = [
  ['a gap that is held', 'time_s,mbps\n0,1\n1,2\n2,3\n7,4\n8,1\n', { options: { gaps: 'hold' } }],
  ['a gap with nothing', 'time_s,mbps\n0,1\n1,2\n2,3\n7,4\n8,1\n', { options: { gaps: 'zero' } }],
  [
    'a gap with what is between',
    'time_s,mbps\n0,1.7\n1,2.3\n2,3.1\n7,4.9\n8,1\n',
    { options: { gaps: 'interpolate' } },
  ],
  ['columns that are told', '0 5\n1000 7\n2000 3\n', { options: { columns: 'ms count' } }],
  ['microseconds', '0\n1500\n1500\n9001\n', { options: { time_unit: 'us' } }],
  ['a unit that there is not', '0\n1\n', { options: { time_unit: 'weeks' } }],
  ['an option that there is not', '0\n1\n', { options: { colour: 'red' } }],
  ['a form that is told', '0,1\n1,2\n2,3\n', { format: 'table', options: {} }],
  ['a form that there is not', '0\n1\n', { format: 'morse', options: {} }],
  ['a form that it is not', '0\n1\n', { format: 'iperf3', options: {} }],
  ['a capture that it is not', 'not at all', { format: 'pcap', options: {} }],
];

const BROKEN: Record<string, string> = {
  nothing: '',
  'a blank': ' ',
  comments: '# nothing\n# more\n',
  'one time': '5\n',
  'times that go back': '1\n5\n3\n',
  'a word': '1\n2\nthree\n4\n',
  'two columns after one': '1\n2 3\n',
  'two columns or seconds': '0 5\n1 7\n2 3\n',
  'nothing but zeros': '0 0\n1 0\n2 0\n',
  'a huge time': '0\n99999999999999999999\n',
  'more than a day': '0\n86400001\n',
  'a huge count': '0 1\n5 4294967295\n6 4294967295\n',
  'a count of many digits': `0 1\n5 ${'9'.repeat(400)}\n`,
  'a minus': '-1\n2\n',
  'a rate beyond': 'time_s,mbps\n0,1e9\n1,1\n2,2\n',
  'a rate below': 'time_s,mbps\n0,-1\n1,1\n2,2\n',
  'a rate that is none': 'time_s,mbps\n0,nan\n1,inf\n2,2\n3,1\n',
  'rates in all spellings': 'time_s,mbps\n0,1e1\n1,+2.5\n2,.5\n3,1.\n4,1E+1\n5,0x10\n',
  'rates too small to tell': 'time_s,mbps\n0,1e-400\n1,1e-310\n2,1\n3,2\n',
  'times beyond': 'time_s,mbps\n0,1\n1e300,2\n',
  'times far apart': 'time_s,mbps\n0,1\n1,2\n2,3\n90000,4\n',
  'rows out of order': 'time_s,mbps\n0,1\n2,2\n1,3\n',
  'one row': 'time_s,mbps\n0,1\n',
  'no rate': 'a,b,c\nx,y,z\n',
  'too many columns': `${'a,'.repeat(5000)}\n`,
  'a binary file': '\u0001\u0002\u0003\u0000\u0004',
  'letters that are none': 'Zeit,Größe 😀\n0,1\n1,2\n',
  JSON: '{"a":1}',
  'half a report': '{"start":{},"intervals":[{"sum":{"start":0,"end":1,"bytes":1e6}},{"sum":{"st',
  'an interval that is too fast': '{"start":{},"intervals":[{"sum":{"start":0,"end":1,"bytes":1e18}}]}',
  'a report that is nested': `{"start":{},"intervals":${'['.repeat(100)}`,
  'a zip': 'PK\u0003\u0004....',
  'a page': '<html>404</html>',
  'a log of the recorder that is cut': 'arrival_ns,sequence,sent_ns\n1,2,3\n4,5\n',
};

let reader: TraceReader;

async function compare(bytes: Bytes, choices?: SourceChoices): Promise<void> {
  const reading = await reader.read(bytes, { bins: BINS, dynamics: true, choices });
  expect(asTold(reading)).toEqual(natively(bytes, choices));
}

describe.skipIf(!existsSync(MODULE))('the reader of traces as WebAssembly', () => {
  beforeAll(async () => {
    reader = await createTraceReader(contentOf(MODULE));
  });

  it('has the forms of the native program', () => {
    expect(reader.forms()).toEqual(program('formats', ['-']).told);
  });

  const seeds = filesIn(join(ROOT, 'emulator-bridge/native/fuzz/seeds')).filter((file) => file.endsWith('.txt'));
  it.each(seeds.map((file) => [basename(file), file] as const))('a file of any form: %s', async (_, file) => {
    await compare(contentOf(file));
  });

  it.each(Object.entries(CAPTURES))('a capture: %s', async (_, bytes) => {
    await compare(bytes);
  });

  it.each([
    ['all to an address', { to: '10.0.0.2' }],
    ['to an address that there is not', { to: '10.0.0.9' }],
    ['one flow', { flow: 'udp 10.0.0.2:5000 > 10.0.0.1:5001' }],
    ['a flow that there is not', { flow: 'udp nobody > nowhere' }],
  ])('of a capture %s', async (_, options) => {
    await compare(pcap(ETHERNET), { options });
  });

  it('captures that are cut anywhere', { timeout: LONG_MS }, async () => {
    for (const whole of [pcap(ETHERNET), pcapng(9, 1_000_000_000n)])
      for (let end = 4; end < 400; end += end < 60 ? 1 : 13) await compare(whole.slice(0, end));
  });

  it.each(CHOICES)('with choices: %s', async (_, text, choices) => {
    await compare(bytesOf(text), choices);
  });

  it.each(Object.entries(BROKEN))('refuses or reads as the program does: %s', async (_, text) => {
    await compare(bytesOf(text));
  });

  it('files in which something was changed', { timeout: LONG_MS }, async () => {
    const dice = new Dice(77);
    const files = [...seeds.map(contentOf), pcap(ETHERNET), pcapng(9, 1_000_000_000n)];
    for (const file of files)
      for (let round = 0; round < 6; round++) {
        const changed = file.slice(0, dice.whole(1, file.byteLength));
        for (let n = dice.whole(0, 4); n > 0; n--)
          changed[dice.whole(0, changed.byteLength - 1)] =
            dice.whole(0, 3) === 0 ? dice.whole(0, 255) : dice.whole(44, 57);
        await compare(changed);
      }
  });

  const shipped = filesIn(join(ROOT, 'traces/made')).filter((file) => file.endsWith('.gz'));
  const recordings = [join(ROOT, 'traces/recordings'), MORE_RECORDINGS]
    .flatMap(filesIn)
    .filter((file) => !/\.(md|json)$/.test(file) || file.includes('iperf3'));
  it.each([...shipped, ...recordings].map((file) => [basename(file), file] as const))(
    'a shipped trace or a recording: %s',
    { timeout: LONG_MS },
    async (_, file) => {
      const bytes = contentOf(file);
      await compare(bytes);
      if (file.endsWith('.gz')) await compare(new Uint8Array(gunzipSync(bytes)));
    },
  );

  it('says of a packed file that it is cut or damaged', async () => {
    const packed = new Uint8Array(
      gzipSync(Array.from({ length: 50_000 }, (_, i) => `${i} ${(i * 7919) % 13}\n`).join('')),
    );
    await compare(packed.slice(0, packed.byteLength - 3000));
    await compare(packed.slice(0, packed.byteLength - 3));
    await compare(new Uint8Array(gzipSync('')));
    const damaged = packed.slice();
    damaged.fill(255, packed.byteLength >> 1);
    const reading = await reader.read(damaged);
    expect(reading.ok ? null : reading.problem.code).toBe('gzip_damaged');
    const zstd = await reader.read(new Uint8Array([0x28, 0xb5, 0x2f, 0xfd, 1, 2, 3]));
    expect(zstd.ok ? null : zstd.problem.code).toBe('zstd_unknown');
  });

  it('refuses what is too large, too long or takes too long, and goes on', { timeout: LONG_MS }, async () => {
    const mb = 1_000_000;
    const codeOf = (reading: TraceReading): string => (reading.ok ? 'read' : reading.problem.code);
    expect(codeOf(await reader.read(new Uint8Array(50 * mb)))).toBe('line_too_long');
    expect(codeOf(await reader.read(new Uint8Array(50 * mb).fill(0x30)))).toBe('line_too_long');
    expect(codeOf(await reader.read(new Uint8Array(50 * mb).fill(0x0a)))).toBe('empty');
    expect(codeOf(await reader.read(bytesOf('0 1\n86400000 1\n')))).toBe('too_long');
    const limits = { ...READER_LIMITS, fileBytes: mb, unpackedBytes: 2 * mb, storedBytes: 1000, ms: 60_000 };
    const small = await createTraceReader(contentOf(MODULE), limits);
    expect(codeOf(await small.read(new Uint8Array(2 * mb)))).toBe('too_big');
    const bomb = Array.from({ length: 1_000_000 }, (_, i) => `${i} 1\n`).join('');
    expect(codeOf(await small.read(new Uint8Array(gzipSync(bomb))))).toBe('too_big');
    expect(
      codeOf(await small.read(bytesOf(bomb.slice(0, 5890)), { choices: { options: { columns: 'ms count' } } })),
    ).toBe('too_long');
    const hasty = await createTraceReader(contentOf(MODULE), { ...READER_LIMITS, ms: -1 });
    expect(codeOf(await hasty.read(bytesOf('0\n1\n')))).toBe('too_slow');
    await compare(bytesOf('0\n1\n5\n'));
  });
});
