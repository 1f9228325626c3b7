import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inspectTrace, traceForms } from '#bridge/traces';
import { fuzzed } from './run.mjs';
import { writeSeeds } from './seeds.mjs';

const CHOICES = 6;

describe('what fuzzing begins with', () => {
  it('are files that are read, in every form', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'paceline-seeds-'));
    try {
      writeSeeds(folder);
      const forms = new Set<string>();
      const plain = readdirSync(folder).filter(
        (name) => readFileSync(join(folder, name)).subarray(0, CHOICES).toString() === '000000',
      );
      for (const name of plain) {
        const file = join(folder, 'file');
        writeFileSync(file, readFileSync(join(folder, name)).subarray(CHOICES));
        const report = await inspectTrace(file).catch(() => null);
        if (report !== null) forms.add(report.info.source?.format ?? '');
      }
      expect([...forms].sort()).toEqual((await traceForms()).map(({ id }) => id).sort());
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('what libFuzzer says', () => {
  const OUTPUT = `stat::number_of_executed_units: 22336
stat::peak_rss_mb:              404
inputs of g-nettrack: 1119, read 69
inputs of nothing known: 1438, read 0
`;

  it('is counted by form', () => {
    const { inputs, formats, failure } = fuzzed(OUTPUT, 0);
    expect(inputs).toBe(22_336);
    expect(formats.get('g-nettrack')).toEqual({ given: 1119, read: 69 });
    expect(formats.get('nothing known')).toEqual({ given: 1438, read: 0 });
    expect(failure).toBeNull();
  });

  it('is a failure when it ended otherwise', () => {
    expect(
      fuzzed('hang: an input took too much processor time\n==1== ERROR: libFuzzer: deadly signal\n', 77).failure,
    ).toContain('hang');
  });
});
