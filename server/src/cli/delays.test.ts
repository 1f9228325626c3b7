import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';

const PROGRAM = fileURLToPath(new URL('../../../bin/paceline.mjs', import.meta.url));
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'paceline-delays-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, text: string): string => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};
const spec = (recorded: object): string =>
  write(
    'spec.json',
    JSON.stringify({
      traces: [{ rate_mbps: 10 }],
      ccas: [{ id: 'cubic' }],
      duration_s: 2,
      elements: {
        forward: [
          { element: 'jitter', params: { distribution: 'recorded' }, recorded },
          { element: 'bottleneck' },
          { element: 'delay' },
        ],
      },
    }),
  );
const run = (file: string, out: string) =>
  spawnSync('node', [PROGRAM, 'run', file, '--out', join(folder, out), '--series', 'none'], {
    encoding: 'utf8',
  });

it('a spec names the file of the delays that its jitter repeats', () => {
  write('delays.csv', '# ms\n7\n7\n');
  expect(run(spec({ file: 'delays.csv', interval_ms: 20 }), 'out').status).toBe(0);
  const text = readFileSync(join(folder, 'out', 'summary.json'), 'utf8');
  expect(text).toContain('"recorded":{"name":"delays.csv","times_ms":[0,20],"delays_ms":[7,7]}');
  expect(text).toContain('"delay_mean_ms":7}');
});

it.each([
  ['a line that is none', 'delays.csv: line 2: “soon” is not a number', '7\nsoon\n'],
  ['more than there may be', 'line 10001: is more than the 10000 delays there may be', '7\n'.repeat(10_001)],
  ['a file that is far too large', 'delays.csv: is larger than 1000000 bytes', '7\n'.repeat(600_000)],
  ['nothing', 'delays.csv: there are no delays in it', ''],
])(
  'refuses %s',
  (_, sentence, text) => {
    write('delays.csv', text);
    const { status, stderr } = run(spec({ file: 'delays.csv' }), 'refused');
    expect(status).toBe(2);
    expect(stderr).toContain(sentence);
  },
  60_000,
);

it('refuses a file that is not there', () => {
  const { status, stderr } = run(spec({ file: 'gone.csv' }), 'refused');
  expect(status).toBe(2);
  expect(stderr).toContain('gone.csv');
});
