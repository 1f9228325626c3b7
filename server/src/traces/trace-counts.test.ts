// What pages work out of a trace's text is what the native programs say of it.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { countsOf, previewOf } from '#analysis/trace-counts';
import { inspectTrace } from '#bridge/traces';

const MADE = new URL('../../../traces/made/', import.meta.url);
const fileOf = (name: string): URL => new URL(`${name}.trace.gz`, MADE);
const textOf = (name: string): string => gunzipSync(readFileSync(fileOf(name))).toString();

/** As long as a trace can be: to its end. */
const DAY_MS = 86_400_000;

const WINDOWS = [
  { bins: 200, fromMs: 0, toMs: DAY_MS },
  { bins: 1, fromMs: 1_234, toMs: 11_234 },
  { bins: 1000, fromMs: 0, toMs: 1_001 },
  { bins: 700, fromMs: 17, toMs: 3_000 },
  { bins: 97, fromMs: 10_003, toMs: 41_111 },
];

describe('a trace’s rates', () => {
  for (const name of ['1gbps-to-nothing-behind-a-house', '3g-drive-a'])
    for (const { bins, fromMs, toMs } of WINDOWS)
      it(`are those of the native programs: ${name}, ${bins} bins from ${fromMs} ms`, async () => {
        const told = await inspectTrace(fileOf(name).pathname, { bins, fromMs, toMs });
        expect(previewOf(countsOf(textOf(name)), { bins, fromMs, toMs })).toEqual(told.preview);
      });

  it('count what comes at the end of a lap at its beginning', () => {
    expect(previewOf(countsOf('1 1\n2 1\n4 2\n'), { bins: 4, fromMs: 0, toMs: 4 }).mean_mbps).toEqual([24, 12, 12, 0]);
  });
});
