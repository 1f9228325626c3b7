import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SourceSpec } from '#protocol/source';

const PROGRAM = fileURLToPath(new URL('../../../bin/paceline.mjs', import.meta.url));

describe('paceline source', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'paceline-source-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('turns a recording into the application of a flow', () => {
    const file = join(folder, 'call.csv');
    writeFileSync(file, 'time_s,bytes\n5,200\n5.02,1200\n');
    const replay = SourceSpec.parse(JSON.parse(execFileSync('node', [PROGRAM, 'source', file], { encoding: 'utf8' })));
    expect(replay).toEqual({ kind: 'replay', name: 'call.csv', times_ms: [0, 20], bytes: [200, 1200] });
  });

  it('says what is wrong with a file', () => {
    const file = join(folder, 'bad.csv');
    writeFileSync(file, '0,1500\n1,lots\n');
    const refused = spawnSync('node', [PROGRAM, 'source', file], { encoding: 'utf8' });
    expect(refused.status).toBe(2);
    expect(refused.stderr).toContain('bad.csv: line 2: lots is not a whole number of bytes');
  });

  it('is done for a spec that names the file', () => {
    writeFileSync(join(folder, 'call.csv'), 'time_s,bytes\n5,200\n5.02,1200\n5.5,40000\n');
    const spec = join(folder, 'spec.json');
    writeFileSync(
      spec,
      JSON.stringify({
        traces: [{ rate_mbps: 10 }],
        ccas: [{ id: 'cubic' }],
        duration_s: 2,
        flows: [{ source: { kind: 'replay', file: 'call.csv' } }],
      }),
    );
    const out = join(folder, 'out');
    execFileSync('node', [PROGRAM, 'run', spec, '--out', out, '--series', 'none'], { stdio: 'ignore' });
    const [heading = '', row = ''] = readFileSync(join(out, 'summary.csv'), 'utf8').split('\r\n');
    const cells = row.split(',');
    const cell = (name: string): string | undefined => cells[heading.split(',').indexOf(name)];
    expect(cell('flow0_messages')).toBe('3');
    expect(cell('flow0_messages_completed')).toBe('3');
    expect(Number(cell('flow0_message_delay_max_ms'))).toBeGreaterThan(32 + 10);
  });
});
