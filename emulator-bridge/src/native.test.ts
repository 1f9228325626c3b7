// The bridge with the real native programs.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { baseRttMs } from '#protocol/base-rtt';
import { receiverStream, senderStream } from '#protocol/columns';
import type { ControlFrame } from '#protocol/control';
import { decodeSamples } from '#protocol/frames';
import type { RunManifest } from '#protocol/manifest';
import { listCcas } from './ccas.ts';
import { examine } from './doctor.ts';
import { PROGRAMS } from './programs.ts';
import { run, type RunOutcome } from './run.ts';
import { manifest as fakeManifest, processes } from './testing/fake-programs.ts';
import { importTrace, inspectStoredTrace, inspectTrace, TraceRefused } from './traces.ts';

const folder = mkdtempSync(join(tmpdir(), 'paceline-native-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

// The engine makes only runs that were planned for it.
const { engine_version } = await listCcas();
const manifest = (over: Partial<RunManifest> = {}): RunManifest => fakeManifest({ engine_version, ...over });

interface Recorded extends RunOutcome {
  readonly bytes: Buffer;
  readonly controls: readonly ControlFrame[];
  /** Rows per stream. */
  readonly rows: ReadonlyMap<number, number>;
}

async function record(planned: RunManifest, signal?: AbortSignal): Promise<Recorded> {
  const frames: Buffer[] = [];
  const controls: ControlFrame[] = [];
  const rows = new Map<number, number>();
  const outcome = await run(planned, {
    tracesDir: folder,
    ...(signal && { signal }),
    onFrame: (bytes, header, control) => {
      if (control === null) rows.set(header.stream, decodeSamples(bytes).firstRow + header.rows);
      else controls.push(control);
      // What a run cost is the one thing that differs from one execution to the next.
      if (control?.type !== 'cost') frames.push(Buffer.from(bytes));
    },
  });
  return { ...outcome, bytes: Buffer.concat(frames), controls, rows };
}

const children = (): string[] =>
  processes()
    .filter(({ parent }) => parent === process.pid)
    .map(({ name }) => name)
    .filter((name) => name.startsWith('paceline-'));

const two = manifest().flows.concat(manifest({ flows: [{ ...manifest().flows[0]!, start_s: 0.2 }] }).flows);

describe('a virtual run', () => {
  it('gives every row of every stream, the summary and what it cost', async () => {
    const { outcome, reason, rows, controls, summary, cost } = await record(manifest({ duration_s: 3, flows: two }));
    expect([outcome, reason]).toEqual(['done', null]);
    const streams = [0, senderStream(0), receiverStream(0), senderStream(1), receiverStream(1)];
    expect(new Map([...rows].sort(([a], [b]) => a - b))).toEqual(new Map(streams.map((stream) => [stream, 300])));
    expect(controls.filter(({ type }) => type === 'event').length).toBeGreaterThanOrEqual(2);
    expect(summary?.links[0]?.utilisation).toBeGreaterThan(0.8);
    expect(summary?.receivers).toHaveLength(2);
    expect(cost?.packets).toBeGreaterThan(1000);
  });

  it('is a function of its manifest: the same bytes twice, others for another seed', async () => {
    const lossy = manifest({ forward: { ...manifest().forward, loss: 0.01 }, duration_s: 5 });
    const [a, b, c] = [await record(lossy), await record(lossy), await record({ ...lossy, seed: 2 })];
    expect(a.bytes.equals(b.bytes)).toBe(true);
    expect(a.bytes.equals(c.bytes)).toBe(false);
  });

  it('of an unknown CCA fails and says which', async () => {
    const [flow] = manifest().flows;
    const { outcome, reason } = await record(manifest({ flows: [{ ...flow!, cca: { id: 'cubik', params: {} } }] }));
    expect(outcome).toBe('failed');
    expect(reason).toContain('cubik');
  });

  it('of a trace that is not there fails and says so', async () => {
    const capacity = { kind: 'trace', sha256: '0'.repeat(64), name: 'gone.down', offset_ms: 0 } as const;
    const { outcome, reason } = await record(manifest({ forward: { ...manifest().forward, capacity } }));
    expect(outcome).toBe('failed');
    expect(reason).toMatch(/gone\.down|0{64}/);
  });

  it('has the base RTT that its manifest says, of the whole path and of a flow that joins it later', async () => {
    const delay = (delay_ms: number) => ({ element: 'delay', params: { delay_ms } });
    const { forward, reverse, flows } = manifest();
    const path = [delay(7), { element: 'bottleneck' }, { element: 'delay' }];
    const planned = manifest({
      forward: { ...forward, path },
      reverse: { ...reverse, path: [{ element: 'bottleneck' }, { element: 'delay' }, delay(3)] },
      flows: flows.flatMap((flow) => [flow, { ...flow, joins: 1, extra_rtt_ms: 5 }]),
    });
    expect(planned.flows.map((flow) => baseRttMs(planned, flow))).toEqual([30, 28]);
    const { summary } = await record(planned);
    expect(summary?.base_rtt_ms).toBe(baseRttMs(planned));
    // What a flow waits for is counted from its own base RTT: delay_inflation is the mean RTT in those.
    for (const [i, flow] of planned.flows.entries()) {
      const { delay_inflation, rtt } = summary!.senders[i]!;
      expect((rtt.mean_ms ?? NaN) / (delay_inflation ?? NaN)).toBeCloseTo(baseRttMs(planned, flow), 6);
    }
  });

  it('stops at once', async () => {
    const controller = new AbortController();
    const big = manifest({
      duration_s: 86_000,
      forward: { ...manifest().forward, capacity: { kind: 'constant', rate_mbps: 1000 } },
    });
    setTimeout(() => controller.abort(), 200);
    const { outcome, rows } = await record(big, controller.signal);
    expect(outcome).toBe('cancelled');
    expect(rows.get(0)).toBeGreaterThan(0);
    expect(children()).toEqual([]);
  });
});

describe('a real-time run', () => {
  const planned = manifest({ engine: 'realtime', path: 'udp', duration_s: 2, flows: two });

  it('is one stream of five processes, and agrees with itself', async () => {
    const { outcome, reason, rows, controls, summary, stderrTail } = await record(planned);
    expect([outcome, reason, stderrTail]).toEqual(['done', null, '']);
    const [hello] = controls;
    const streams = hello?.type === 'hello' ? hello.streams.map(({ stream }) => stream) : [];
    expect(streams).toEqual([0, 16, 17, 18, 19]);
    expect([...rows.keys()].sort((a, b) => a - b)).toEqual(streams);
    for (const count of rows.values()) expect(count).toBeGreaterThan(150);
    expect(controls.at(-1)).toMatchObject({ type: 'end' });
    const [link] = summary?.links ?? [];
    const sent = summary?.senders.reduce((total, sender) => total + sender.sent_packets, 0) ?? 0;
    expect(link?.arrived_packets).toBeGreaterThan(0);
    expect(link?.arrived_packets).toBeLessThanOrEqual(sent);
    expect(summary?.receivers.map(({ flow }) => flow)).toEqual([0, 1]);
    expect(summary?.lateness?.wakeups).toBeGreaterThan(0);
    // Delays of all flows together are made of what five processes tell, and their histograms are not kept.
    const { rtt, owd, message_delay } = summary!.all_flows!;
    for (const [all, own] of [
      [rtt, summary!.senders.map((sender) => sender.rtt)],
      [owd, summary!.receivers.map((receiver) => receiver.owd)],
    ] as const) {
      const p95 = own.map(({ p95_ms }) => p95_ms ?? NaN);
      expect(all.count).toBe(own.reduce((total, { count }) => total + count, 0));
      expect(all.p95_ms).toBeGreaterThanOrEqual(Math.min(...p95));
      expect(all.p95_ms).toBeLessThanOrEqual(Math.max(...p95));
      expect(all.max_ms).toBe(Math.max(...own.map(({ max_ms }) => max_ms ?? NaN)));
      for (const delays of [all, ...own]) expect(delays.spread).toBeUndefined();
    }
    expect(message_delay).toMatchObject({ count: 0, p95_ms: null });
    expect(link!.flows!.reduce((total, { queueing_delay }) => total + queueing_delay.count, 0)).toBe(
      link!.queueing_delay.count,
    );
  });

  it('of an application at a steady rate carries that rate', async () => {
    const flow = { ...manifest().flows[0]!, source: { kind: 'rate', rate_mbps: 3 } } as const;
    const { outcome, summary } = await record({ ...planned, flows: [flow] });
    expect(outcome).toBe('done');
    expect(summary?.receivers[0]?.throughput_mbps).toBeGreaterThan(2.8);
    expect(summary?.receivers[0]?.throughput_mbps).toBeLessThanOrEqual(3.01);
  });

  it('opens its connections with packets of the link, as in virtual time', async () => {
    const rtt = 2 * planned.forward.delay_ms;
    for (const [transport, handshake, least, most] of [
      ['tcp', 'full', rtt, rtt + 200],
      ['quic', 'full', rtt, rtt + 200],
      ['tcp', 'early_data', rtt, rtt + 200],
    ] as const) {
      const flow = { ...manifest().flows[0]!, transport, handshake };
      const { outcome, controls, summary } = await record({ ...planned, duration_s: 1, flows: [flow] });
      expect(outcome).toBe('done');
      const connected = controls.flatMap((control) =>
        control.type === 'event' && control.event === 'connected' ? [control.value ?? NaN] : [],
      );
      expect(connected).toHaveLength(1);
      expect(connected[0]).toBeGreaterThan(least);
      expect(connected[0]).toBeLessThan(most);
      const [link] = summary?.links ?? [];
      // What opens is on the link, but is no data.
      expect(link?.arrived_packets).toBeGreaterThanOrEqual(summary?.senders[0]?.sent_packets ?? Infinity);
      expect(summary?.receivers[0]?.received_packets).toBeGreaterThan(20);
    }
  });

  it('stops all of them at once', async () => {
    const controller = new AbortController();
    const pending = record({ ...planned, duration_s: 60 }, controller.signal);
    while (children().length < 5) await new Promise((resolve) => setTimeout(resolve, 20));
    controller.abort();
    expect((await pending).outcome).toBe('cancelled');
    expect(children()).toEqual([]);
  });
});

describe('traces', () => {
  const text = Array.from({ length: 300 }, (_, i) => `${i + 1}\n`).join('');
  const file = join(folder, 'a.down');
  writeFileSync(file, text);
  writeFileSync(join(folder, 'a.gz'), gzipSync(text));

  it('are inspected, plain and gzip', async () => {
    const { info, preview } = await inspectTrace(file, { bins: 3 });
    expect(info).toMatchObject({ format: 'mahimahi', gzip: false, period_ms: 300, mean_mbps: 12 });
    expect(preview.mean_mbps).toEqual([12, 12, 12]);
    expect((await inspectTrace(join(folder, 'a.gz'))).info).toMatchObject({ gzip: true, sha256: info.sha256 });
  });

  it('are stored under their content hash', async () => {
    const { info } = await importTrace(file, folder);
    const stored = join(folder, `${info.sha256}.trace`);
    expect(existsSync(stored)).toBe(true);
    expect(readFileSync(stored, 'utf8').startsWith('1 1\n2 1\n')).toBe(true);
    const part = await inspectStoredTrace(stored, { bins: 10, fromMs: 100, toMs: 200 });
    expect(part.info.sha256).toBe(info.sha256);
    expect(part.preview.mean_mbps).toHaveLength(10);
  });

  it.each([
    ['3\n2\n', 2],
    ['1\nx\n', 2],
    ['', null],
  ])('%j is refused at line %j', async (content, line) => {
    const path = join(folder, 'bad');
    writeFileSync(path, content);
    const refused = await inspectTrace(path).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(TraceRefused);
    expect((refused as TraceRefused).problem).toMatchObject({ line });
  });
});

describe('the engine', () => {
  it('lists what it has, in the form that is agreed', async () => {
    const { ccas, queues } = await listCcas();
    expect(ccas.length).toBeGreaterThanOrEqual(5);
    expect(new Set(ccas.map(({ id }) => id)).size).toBe(ccas.length);
    expect(queues.map(({ id }) => id)).toContain('droptail');
  });

  it('is found by the doctor', async () => {
    const checks = await examine(folder);
    for (const program of PROGRAMS) expect(checks.find(({ id }) => id === program)).toMatchObject({ ok: true });
    for (const { ok, remedy, command } of checks) {
      expect(remedy === null).toBe(ok);
      if (command !== null) expect(remedy).toContain(command);
    }
  });
});
