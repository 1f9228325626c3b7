// What leaves as output vectors of OMNeT++ comes back as it was, and is read by a program that is not ours.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ExperimentRecord } from '#protocol/api';
import { readImport } from '../imports/read-import.ts';
import { testFolderOfFile } from '../testing/folder.ts';
import { QUICK, TestServer } from '../testing/server.ts';
import { ReadSeries } from './read-series.ts';

const there = spawnSync('extractvectors', ['-v']).error === undefined;
const folder = testFolderOfFile();
let server: TestServer;
let run = '';
let file = '';
let vectors = '';
let csvText = '';
let csv: ReadSeries;
beforeAll(async () => {
  server = await TestServer.start();
  const submitted = await server.submit(QUICK);
  await server.over(submitted);
  const { runs } = await server.json(`/experiments/${submitted.id}`, ExperimentRecord);
  run = runs[0]!.id;
  const response = await fetch(server.url(`/runs/${run}/export?format=omnetpp`));
  expect(response.headers.get('content-disposition')).toBe(`attachment; filename="paceline-${run}.vec"`);
  file = await response.text();
  csvText = await (await fetch(server.url(`/runs/${run}/export?format=csv`))).text();
  csv = new ReadSeries(csvText);
  vectors = join(folder(), 'run.vec');
  writeFileSync(vectors, file);
});
afterAll(() => server.close());

/** Lines of a vector of the sender, whose unit is bytes. */
function valuesOf(name: string): number[][] {
  const [, id] =
    new RegExp(`^vector (\\d+) Paceline\\.sender\\[0\\] "${name}" ETV\nattr title ".+"\nattr unit "B"$`, 'm').exec(
      file,
    ) ?? [];
  const lines = file.split('\n').filter((line) => line.startsWith(`${id}\t`));
  return lines.map((line) => line.split('\t').slice(2).map(Number));
}

describe('a run as vectors', () => {
  it('has each value of each column, and says what they are', () => {
    const lines = file.trimEnd().split('\n');
    expect(lines.slice(0, 2)).toEqual(['version 2', `run paceline-${run}`]);
    expect(lines).toContain(`attr run "${run}"`);
    const declared = [...file.matchAll(/^vector \d+ Paceline\.(\w+)(?:\[(\d+)\])? "(\w+)" ETV$/gm)];
    const names = declared.map(([, end = '', flow = '', name = '']) => `${end}${flow}_${name}`);
    const header = csvText.slice(0, csvText.indexOf('\r')).split(',');
    expect(names).toEqual(header.slice(1, header.indexOf('run')));
    const column = csv.column('sender0_cwnd_bytes')!;
    const known = [...Array.from(column.values).entries()].filter(([, value]) => !Number.isNaN(value));
    expect(valuesOf('cwnd_bytes')).toEqual(known.map(([i, value]) => [column.time[i], value]));
  });

  it('comes back with the same throughput, round-trip times and window', async () => {
    const { imported } = await readImport(vectors, 'run');
    expect(imported).toMatchObject({ form: 'omnetpp', title: `Paceline run ${run}` });
    const [flow, ...others] = imported.flows;
    expect([others, flow?.label]).toEqual([[], 'Paceline.flow[0]']);
    const columns = {
      throughput_mbps: 'receiver0_throughput_mbps',
      rtt_ms: 'sender0_latest_rtt_ms',
      cwnd_bytes: 'sender0_cwnd_bytes',
      inflight_bytes: 'sender0_inflight_bytes',
    } as const;
    expect(flow?.series.map(({ quantity }) => quantity).sort()).toEqual(Object.keys(columns).sort());
    for (const { quantity, time_s, values } of flow?.series ?? []) {
      const own = csv.column(columns[quantity])!;
      const was = new Map(Array.from(own.time, (time, i) => [Math.round(time * 1e3), own.values[i]!]));
      const off = time_s.map((time, i) => {
        const value = was.get(Math.round(time * 1e3));
        return value === undefined || Number.isNaN(value) ? 0 : Math.abs(values[i]! - value) / Math.max(1e-3, value);
      });
      expect(time_s.length).toBeGreaterThan(50);
      expect(Math.max(...off), quantity).toBeLessThan(2e-6);
    }
  });

  it.skipIf(!there)(
    there
      ? 'is read by NetPerfMeter’s extractvectors'
      : 'extractvectors cannot be asked here (apt install netperfmeter)',
    () => {
      const out = join(folder(), 'cwnd.data');
      const { status, stderr } = spawnSync('extractvectors', [vectors, out, 'cwnd_bytes']);
      expect([status, String(stderr)]).toEqual([0, '']);
      const rows = readFileSync(out, 'utf8').trim().split('\n').slice(1);
      const told = rows.map((row) => row.split(/\s+/)).map((cells) => [Number(cells[1]), Number(cells.at(-1))]);
      expect(told).toEqual(valuesOf('cwnd_bytes'));
      expect(rows[0]).toContain('"Paceline.sender[0]"\t"cwnd_bytes"');
    },
  );
});
