// What is gathered of programs' logs, and what is not: links, pipes, other folders, more than the bounds.
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  FILE_PART_BYTES,
  gatherLogs,
  keptEnds,
  MOST_FILES,
  PIECE_BYTES,
  prepareLogs,
  type KeptEnd,
} from './external-logs.ts';
import { manifest } from './testing/fake-programs.ts';

let folder: string;
let into: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'paceline-logs-'));
  into = join(folder, 'into');
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const [flow] = manifest({ engine: 'realtime', path: 'tun' }).flows;
const kept = (log?: boolean | string): KeptEnd[] => {
  const program = { id: 'external-tool', ...(log === undefined ? {} : { log }) };
  const flows = [flow!, { ...flow!, cca: { id: 'external-tool', params: {}, revision: 'r' } }];
  return keptEnds(manifest({ flows }), [program]);
};
const gather = async (log: string | boolean, written: () => void): Promise<string[]> => {
  await prepareLogs(folder, kept(log));
  written();
  await gatherLogs(folder, kept(log), into);
  return existsSync(into) ? readdirSync(into).sort() : [];
};
const put = (name: string, text: string | Uint8Array): void => writeFileSync(join(folder, name), text);
const got = (name: string): string => readFileSync(join(into, name), 'latin1');

it('keeps the output of the ends of external programs alone, unless it is refused', () => {
  expect(kept(false)).toEqual([]);
  expect(kept().map(({ flow, end, files }) => [flow, end, files])).toEqual([
    [1, 'sender', null],
    [1, 'receiver', null],
  ]);
  expect(kept('x.log').map(({ files }) => files)).toEqual([
    { folder: 'flow1-sender', pattern: 'x.log' },
    { folder: 'flow1-receiver', pattern: 'x.log' },
  ]);
});

it('makes one text of the pieces of an output, and says how much is not there', async () => {
  const piece = (letter: string): string => letter.repeat(PIECE_BYTES);
  const names = await gather(true, () => {
    put('output/flow1-sender-stdout.0', piece('a'));
    put('output/flow1-sender-stdout.9', piece('b'));
    put('output/flow1-sender-stdout.10', 'the end');
    put('output/flow1-sender-stderr.0', piece('c'));
    put('output/flow1-sender-stderr.1', 'd');
    put('output/flow1-receiver-stderr.0', '');
    put('output/flow1-receiver-stdout.x', 'not a piece');
  });
  expect(names).toEqual(['flow1-sender-stderr.txt', 'flow1-sender-stdout.txt']);
  expect(got('flow1-sender-stdout.txt')).toBe(
    `${piece('a')}\n[${8 * PIECE_BYTES} bytes are left out here]\n${piece('b')}the end`,
  );
  expect(got('flow1-sender-stderr.txt')).toBe(`${piece('c')}d`);
});

it('keeps the first and the last part of a file that is larger, and the first few of many', async () => {
  const names = await gather('*.log', () => {
    put('flow1-sender/a.log', 'begin');
    truncateSync(join(folder, 'flow1-sender/a.log'), 2 * FILE_PART_BYTES + 4096);
    writeFileSync(join(folder, 'flow1-sender/a.log'), 'end', { flag: 'a' });
    for (let i = 0; i < MOST_FILES + 3; i++) put(`flow1-receiver/r${i}.log`, String(i));
  });
  expect(names).toEqual([
    ...Array.from({ length: MOST_FILES }, (_, i) => `flow1-receiver-file-r${i}.log`),
    'flow1-sender-file-a.log',
  ]);
  const text = got('flow1-sender-file-a.log');
  const line = '\n[4099 bytes are left out here]\n';
  expect(text.length).toBe(2 * FILE_PART_BYTES + line.length);
  expect([text.slice(0, 5), text.indexOf(line), text.slice(-3)]).toEqual(['begin', FILE_PART_BYTES, 'end']);
});

it('follows no link, reads no pipe, and takes no name that could lead elsewhere', async () => {
  put('secret', 'not for everybody');
  const names = await gather('*', () => {
    for (const name of ['flow1-sender/link', 'output/flow1-sender-stdout.0'])
      symlinkSync(join(folder, 'secret'), join(folder, name));
    execFileSync('mkfifo', [join(folder, 'flow1-sender/pipe')]);
    mkdirSync(join(folder, 'flow1-sender/folder'));
    for (const name of ['.hidden', 'a b', '<script>', '-x', 'new\nline', 'x'.repeat(101)])
      put(`flow1-sender/${name}`, 'x');
    put('flow1-sender/good-1.log', 'x');
    rmSync(join(folder, 'flow1-receiver'), { recursive: true });
    symlinkSync(folder, join(folder, 'flow1-receiver'));
  });
  expect(names).toEqual(['flow1-sender-file-good-1.log']);
});

it.each([
  ['trace.log', 'trace.log', true],
  ['trace.log', 'traceXlog', false],
  ['run-*.csv', 'run-1.csv', true],
  ['run-*.csv', 'run-.csv', true],
  ['ab*ba', 'aba', false],
  ['*', 'any.thing', true],
])('%s means %s: %s', async (pattern, name, meant) => {
  const names = await gather(pattern, () => put(`flow1-sender/${name}`, 'x'));
  expect(names).toEqual(meant ? [`flow1-sender-file-${name}`] : []);
});
