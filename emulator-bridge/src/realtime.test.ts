// The conducting of a real-time run: who is introduced to whom, how one stream is made of three, and who is blamed.
import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Go, LinkChange, type ControlFrame, type Hello } from '#protocol/control';
import { RECEIVER_COLUMNS, SENDER_COLUMNS, TIME_COLUMN, type ColumnSpec } from '#protocol/columns';
import { decodeSamples } from '#protocol/frames';
import { encodeControl, encodeSamples } from '#protocol/samples';
import { run } from './run.ts';
import { FakePrograms, HELLO, linkRows, manifest, SUMMARY } from './testing/fake-programs.ts';

let programs: FakePrograms;
beforeEach(() => {
  programs = new FakePrograms();
});
afterEach(async () => {
  // What was killed takes the kernel a moment to clear away.
  await expect.poll(() => programs.survivors(), { timeout: 5000, interval: 20 }).toEqual([]);
  programs.remove();
});

const realtime = manifest({ engine: 'realtime', path: 'udp' });
const lateness = {
  wakeups: 5,
  p50_us: 10,
  p99_us: 90,
  max_us: 400,
  late_opportunities: 0,
  unmodelled_losses: 1,
  overrun: false,
};
const columns = (specs: readonly ColumnSpec[]): Hello['streams'][number]['columns'] =>
  [TIME_COLUMN, ...specs].map(({ name, unit, label }, i) => ({ name, unit, label, type: i === 0 ? 'f64' : 'f32' }));
const rows = (stream: number, specs: readonly ColumnSpec[]): Uint8Array =>
  encodeSamples(
    stream,
    0,
    new Float64Array(4),
    specs.map(() => new Float32Array(4)),
  );

/** The process says that it is ready, waits for `go`, notes it, and says the rest. */
function addMember(
  role: 'emulator' | 'sender' | 'receiver',
  port: number,
  after: readonly Uint8Array[],
  script = 'exit 0',
): void {
  const program = `paceline-${role}` as const;
  const rest = `${programs.dir}/${program}.rest`;
  writeFileSync(rest, Buffer.concat(after));
  const ready = encodeControl(0, { type: 'ready', role, port });
  programs.add(program, [ready], `read go; echo "$go" >> '${programs.dir}/go'; cat '${rest}'; ${script}`);
}

const hello = (stream: Hello['streams'][number]): Hello => ({ ...HELLO, clock: 'monotonic', streams: [stream] });
const senderHello = hello({ stream: 16, kind: 'sender', flow: 0, cca: 'x', columns: columns(SENDER_COLUMNS) });
const receiverHello = hello({ stream: 17, kind: 'receiver', flow: 0, cca: 'x', columns: columns(RECEIVER_COLUMNS) });

function addAll(): void {
  addMember('emulator', 1001, [
    encodeControl(1, { ...HELLO, clock: 'monotonic' }),
    linkRows(0, 4),
    encodeControl(2, { type: 'progress', time_s: 0.5 }),
    encodeControl(3, { type: 'event', time_s: 0.1, flow: null, event: 'overrun', value: 3 }),
    encodeControl(4, { type: 'summary', ...SUMMARY, lateness }),
    encodeControl(5, { type: 'end', time_s: 1 }),
  ]);
  addMember('sender', 1002, [
    encodeControl(1, senderHello),
    rows(16, SENDER_COLUMNS),
    encodeControl(2, { type: 'progress', time_s: 0.3 }),
    encodeControl(3, { type: 'summary', ...SUMMARY, lateness: { ...lateness, p99_us: 200, unmodelled_losses: 2 } }),
    encodeControl(4, { type: 'cost', wall_s: 1, cpu_s: 0.5, packets: 7 }),
    encodeControl(5, { type: 'end', time_s: 1 }),
  ]);
  addMember('receiver', 1003, [
    encodeControl(1, receiverHello),
    rows(17, RECEIVER_COLUMNS),
    encodeControl(2, { type: 'progress', time_s: 0.4 }),
    encodeControl(3, { type: 'summary', ...SUMMARY }),
    encodeControl(4, { type: 'end', time_s: 1 }),
  ]);
}

describe('a real-time run', () => {
  it('introduces the processes to each other and makes one stream of theirs', async () => {
    addAll();
    const controls: (ControlFrame & { seq: number })[] = [];
    const streams: number[] = [];
    const outcome = await run(realtime, {
      tracesDir: programs.dir,
      onFrame: (bytes, header, control) => {
        if (control === null) streams.push(decodeSamples(bytes).stream);
        else controls.push({ ...control, seq: header.seq });
      },
    });

    expect(outcome.reason).toBe(null);
    expect(outcome.summary?.lateness).toEqual({ ...lateness, wakeups: 10, p99_us: 200, unmodelled_losses: 3 });
    expect(outcome.cost).toMatchObject({ cpu_s: 0.5 });

    const goes = readFileSync(`${programs.dir}/go`, 'utf8').trim().split('\n');
    expect(goes).toHaveLength(3);
    expect(new Set(goes).size).toBe(1);
    const go = Go.parse(JSON.parse(goes[0]!));
    expect(go.ports).toEqual({ emulator: 1001, senders: [1002], receivers: [1003] });
    expect(Math.abs(go.start_ns - Number(process.hrtime.bigint()))).toBeLessThan(60e9);

    expect(controls.map((control) => control.seq)).toEqual(controls.map((_, i) => i));
    expect(controls[0]).toMatchObject({ type: 'hello', clock: 'monotonic' });
    expect(controls[0]?.type === 'hello' && controls[0].streams.map((s) => s.stream)).toEqual([0, 16, 17]);
    expect(controls.filter((control) => control.type === 'progress').at(-1)).toMatchObject({ time_s: 0.3 });
    expect(controls.map((control) => control.type).slice(-3)).toEqual(['summary', 'cost', 'end']);
    expect(controls.filter((control) => control.type === 'event')).toHaveLength(1);
    expect(streams.sort((a, b) => a - b)).toEqual([0, 16, 17]);
  });

  it('passes changes of the link on to the emulator', async () => {
    addAll();
    const rest = `${programs.dir}/paceline-emulator.rest`;
    const ready = encodeControl(0, { type: 'ready', role: 'emulator', port: 1001 });
    const script = `read go; read line; echo "$line" > '${programs.dir}/line'; cat '${rest}'; exit 0`;
    programs.add('paceline-emulator', [ready], script);
    const order: LinkChange = { type: 'set', direction: 'reverse', loss: 0.1 };
    const outcome = await run(realtime, {
      tracesDir: programs.dir,
      onChangeable: (change) => change(order),
      onFrame: () => undefined,
    });
    expect(outcome.reason).toBe(null);
    expect(LinkChange.parse(JSON.parse(readFileSync(`${programs.dir}/line`, 'utf8')))).toEqual(order);
  });

  it('blames the process that failed, not those that were stopped for it', async () => {
    addAll();
    addMember('sender', 1002, [encodeControl(1, senderHello)], 'echo "sendmsg: no route" >&2; exit 1');
    addMember('receiver', 1003, [encodeControl(1, receiverHello)], 'sleep 300');
    addMember('emulator', 1001, [encodeControl(1, HELLO)], 'sleep 300');
    const outcome = await run(realtime, { tracesDir: programs.dir, onFrame: () => undefined });
    expect(outcome.outcome).toBe('failed');
    expect(outcome.reason).toBe('paceline-sender of flow 0 ended with exit code 1: sendmsg: no route');
    expect(outcome.stderrTail).toBe('sendmsg: no route');
  });

  it('stops every process when asked', async () => {
    addAll();
    addMember('emulator', 1001, [encodeControl(1, HELLO), linkRows(0, 4)], 'sleep 300 & sleep 300');
    addMember('sender', 1002, [encodeControl(1, senderHello)], "trap '' TERM; while :; do sleep 0.05; done");
    addMember('receiver', 1003, [encodeControl(1, receiverHello)], 'sleep 300');
    const controller = new AbortController();
    const outcome = await run(realtime, {
      tracesDir: programs.dir,
      signal: controller.signal,
      onFrame: (_, header) => {
        if (header.rows > 0) controller.abort();
      },
    });
    expect(outcome).toMatchObject({ outcome: 'cancelled', reason: 'stopped' });
    expect(programs.pids()).toHaveLength(3);
  });
});
