// Small shell programs that stand in for the native ones where a test needs a child that misbehaves in one exact way.
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LINK_COLUMNS, PROTOCOL_VERSION, TIME_COLUMN, type ColumnSpec } from '#protocol/columns';
import type { Hello } from '#protocol/control';
import { RunManifest } from '#protocol/manifest';
import { encodeControl, encodeSamples } from '#protocol/samples';
import type { RunSummary } from '#protocol/summary';
import type { Program } from '../programs.ts';

/** A folder of programs that PACELINE_NATIVE_DIR names until `remove`. */
export class FakePrograms {
  readonly dir = mkdtempSync(join(tmpdir(), 'paceline-fake-'));
  readonly #before = process.env['PACELINE_NATIVE_DIR'];

  constructor() {
    process.env['PACELINE_NATIVE_DIR'] = this.dir;
  }

  /** The program notes its pid, prints `bytes` and then does what the shell script says. */
  add(program: Program, bytes: readonly Uint8Array[], script: string): void {
    const path = join(this.dir, program);
    writeFileSync(`${path}.bytes`, Buffer.concat(bytes));
    writeFileSync(path, `#!/bin/sh\necho $$ >> '${this.dir}/pids'\ncat '${path}.bytes'\n${script}\n`);
    chmodSync(path, 0o755);
  }

  /** Every process that is still alive in a group that one of the programs led. */
  survivors(): string[] {
    const leaders = new Set(this.pids());
    return processes()
      .filter(({ group }) => leaders.has(group))
      .map(({ name, pid }) => `${name} (${pid})`);
  }

  pids(): number[] {
    try {
      // The file may have been made and not yet written to.
      return readFileSync(join(this.dir, 'pids'), 'utf8')
        .split('\n')
        .flatMap((line) => (line === '' ? [] : Number(line)));
    } catch {
      return [];
    }
  }

  remove(): void {
    if (this.#before === undefined) delete process.env['PACELINE_NATIVE_DIR'];
    else process.env['PACELINE_NATIVE_DIR'] = this.#before;
    rmSync(this.dir, { recursive: true, force: true });
  }
}

export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly name: string;
}

/** The machine's processes, without those that have ended and only wait to be collected. */
export function processes(): ProcessEntry[] {
  return readdirSync('/proc').flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return [];
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
      const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
      const [state, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (state === 'Z') return [];
      return [{ pid: Number(entry), parent: Number(parent), group: Number(group), name }];
    } catch {
      return []; // it ended while we looked
    }
  });
}

const column = (
  { name, unit, label }: ColumnSpec,
  type: 'f32' | 'f64',
): Hello['streams'][number]['columns'][number] => ({
  name,
  type,
  unit,
  label,
});

export const HELLO: Hello = {
  type: 'hello',
  protocol: PROTOCOL_VERSION,
  engine_version: 'fake',
  clock: 'virtual',
  duration_s: 1,
  period_ms: 10,
  streams: [
    {
      stream: 0,
      kind: 'link',
      direction: 'forward',
      columns: [column(TIME_COLUMN, 'f64'), ...LINK_COLUMNS.map((spec) => column(spec, 'f32'))],
    },
  ],
};

/** `rows` rows of the link stream, beginning at `firstRow`. */
export const linkRows = (firstRow: number, rows: number, stream = 0): Uint8Array =>
  encodeSamples(
    stream,
    firstRow,
    Float64Array.from({ length: rows }, (_, i) => (firstRow + i + 1) / 100),
    LINK_COLUMNS.map((_, c) => Float32Array.from({ length: rows }, (_row, i) => firstRow + i + c)),
  );

export const SUMMARY: RunSummary = {
  duration_s: 1,
  base_rtt_ms: 20,
  links: [],
  senders: [],
  receivers: [],
  fairness: [],
  lateness: null,
};

/** A whole well-behaved run of `rows` rows. */
export const wholeRun = (rows: number): Uint8Array[] => [
  encodeControl(0, HELLO),
  linkRows(0, rows),
  encodeControl(1, { type: 'progress', time_s: rows / 100 }),
  encodeControl(2, { type: 'summary', ...SUMMARY }),
  encodeControl(3, { type: 'end', time_s: rows / 100 }),
];

const link = { loss: 0, queue: { id: 'droptail', limit_bytes: 30_000, limit_packets: null, params: {} }, delay_ms: 10 };

/** A small manifest on a constant link; `over` replaces parts of it. */
export const manifest = (over: Partial<RunManifest> = {}): RunManifest =>
  RunManifest.parse({
    schema: 1,
    engine: 'virtual',
    path: 'memory',
    engine_version: 'test',
    duration_s: 1,
    sample_period_ms: 10,
    seed: 1,
    repetition: 0,
    forward: { ...link, capacity: { kind: 'constant', rate_mbps: 10 } },
    reverse: { ...link, queue: { ...link.queue, limit_bytes: null }, capacity: { kind: 'unlimited' } },
    flows: [
      {
        cca: { id: 'cubic', params: {} },
        start_s: 0,
        stop_s: null,
        extra_rtt_ms: 0,
        transport: 'tcp',
        ack_every: 2,
        source: { kind: 'bulk' },
      },
    ],
    ...over,
  });
