// Real QUIC over the modelled link, through the bridge: the helper in the network namespaces of paceline-tun.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { SENDER_COLUMNS, senderStream } from '#protocol/columns';
import type { ControlFrame } from '#protocol/control';
import { decodeSamples } from '#protocol/frames';
import type { FlowManifest, RunManifest } from '#protocol/manifest';
import { listCcas } from './ccas.ts';
import { nativeDir } from './programs.ts';
import { quicHelper } from './quic.ts';
import { run, type ChangeLink, type RunOutcome } from './run.ts';
import { manifest as fakeManifest, processes } from './testing/fake-programs.ts';

const folder = mkdtempSync(join(tmpdir(), 'paceline-quic-tun-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const helper = quicHelper();
const trial = spawnSync(join(nativeDir(), 'paceline-tun'), ['--check'], { encoding: 'utf8' });
const missing = helper.unavailable ?? (trial.status === 0 ? null : trial.stderr.trim());
const { engine_version } = await listCcas();

const application = (rate_mbps: number) => ({ kind: 'rate', rate_mbps }) as const;
const flow = (id: string, more: Partial<FlowManifest> = {}): FlowManifest => {
  const [first] = fakeManifest().flows;
  return { ...first!, cca: { id, params: {} }, ...more };
};
/** 60 Mbps, 40 ms, 2 BDP. */
const planned = (flows: FlowManifest[], more: Partial<RunManifest> = {}): RunManifest => {
  const base = fakeManifest({ engine_version, engine: 'realtime', path: 'tun' });
  return {
    ...base,
    duration_s: 3,
    forward: {
      ...base.forward,
      queue: { ...base.forward.queue, limit_bytes: 600_000 },
      capacity: { kind: 'constant', rate_mbps: 60 },
      delay_ms: 20,
    },
    reverse: { ...base.reverse, delay_ms: 20 },
    flows,
    ...more,
  };
};

interface Recorded extends RunOutcome {
  readonly controls: readonly ControlFrame[];
  /** A sender's samples of one column, from this time on. */
  readonly column: (flow: number, name: string, from_s: number) => number[];
}

interface Recording {
  readonly signal?: AbortSignal;
  readonly qlogFile?: (flow: number) => string;
  readonly onChangeable?: (change: ChangeLink) => void;
  readonly onTime?: (time_s: number) => void;
}

async function record(manifest: RunManifest, { onTime, ...options }: Recording = {}): Promise<Recorded> {
  const controls: ControlFrame[] = [];
  const rows = new Map<number, { time: number; values: number[] }[]>();
  const outcome = await run(manifest, {
    tracesDir: folder,
    ...options,
    onFrame: (bytes, { stream }, control) => {
      if (control !== null) {
        controls.push(control);
        if (control.type === 'progress') onTime?.(control.time_s);
        return;
      }
      const { time, columns } = decodeSamples(bytes);
      const known = rows.get(stream) ?? [];
      time.forEach((t, i) => known.push({ time: t, values: columns.map((column) => column[i]!) }));
      rows.set(stream, known);
    },
  });
  const column = (flow: number, name: string, from_s: number): number[] => {
    const index = SENDER_COLUMNS.findIndex((candidate) => candidate.name === name);
    const all = rows.get(senderStream(flow)) ?? [];
    return all.filter(({ time }) => time > from_s).map(({ values }) => values[index]!);
  };
  return { ...outcome, controls, column };
}

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
const helpers = (): number => processes().filter(({ name }) => name === 'paceline-quic').length;

/** The helper's server among the descendants of this process. */
function serverOf(root: number): number {
  const all = processes();
  const under = (pid: number): boolean => {
    const parent = all.find((entry) => entry.pid === pid)?.parent ?? 0;
    return parent === root || (parent > 1 && under(parent));
  };
  const servers = all.filter(
    ({ pid, name }) =>
      name === 'paceline-quic' &&
      readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[1] === 'server' &&
      under(pid),
  );
  if (servers.length !== 1) throw new Error(`there are ${servers.length} servers`);
  return servers[0]!.pid;
}

describe.skipIf(missing !== null)(`QUIC over TUN${missing === null ? '' : ` cannot be run: ${missing}`}`, () => {
  // The mmWave paper's result: an application that is slower than the path, over a real stack.
  it('a window that an application does not use stays down by the rule, balloons without it, and the kernel’s TCP is beside', async () => {
    const source = application(10);
    const free = { cca: { id: 'quic-cubic', params: { grow_underutilised: true } }, source };
    const flows = [flow('quic-cubic', { source }), flow('quic-cubic', free), flow('kernel-cubic', { source })];
    const { reason, outcome, summary, column, controls } = await record(planned(flows, { duration_s: 4 }));
    expect([outcome, reason]).toEqual(['done', null]);

    const [ruled, ballooned, kernel] = flows.map((_, i) => column(i, 'cwnd_bytes', 3.5).at(-1)!);
    const used = flows.map((_, i) => mean(column(i, 'inflight_bytes', 1)));
    // 10 Mbps for 40 ms are 50 kB.
    for (const bytes of used) expect(bytes).toBeGreaterThan(40_000);
    for (const bytes of used) expect(bytes / used[0]!).toBeLessThan(1.5);
    expect(ruled).toBeLessThan(10 * used[0]!);
    expect(ballooned).toBeGreaterThan(5 * ruled!);
    expect(ballooned).toBeGreaterThan(30 * used[1]!);
    expect(kernel).toBeLessThan(ballooned! / 3);
    // An application's packet is one on the wire.
    expect(summary!.receivers[0]!.received_packets).toBeLessThan((10e6 / 12_000) * 4 * 1.05);
    for (const i of flows.keys()) expect(mean(column(i, 'app_limited', 1))).toBeGreaterThan(0.2);

    const hello = controls.find((control) => control.type === 'hello');
    expect(hello?.streams.map(({ stream }) => stream)).toEqual([0, 16, 17, 18, 19, 20, 21]);
    expect(hello?.streams.flatMap((stream) => (stream.kind === 'sender' ? [stream.cca] : []))).toEqual([
      'quic-cubic',
      'quic-cubic',
      'kernel-cubic',
    ]);
    expect(summary?.senders.map(({ cca }) => cca)).toEqual(['quic-cubic', 'quic-cubic', 'kernel-cubic']);
    // Once all of them are under way; a busy machine takes its time for a handshake.
    for (const i of flows.keys()) expect(mean(column(i, 'sent_mbps', 2))).toBeGreaterThan(9);
    for (const { owd } of summary!.receivers) expect(owd.p50_ms).toBeGreaterThan(20);
    expect(summary?.lateness?.wakeups).toBeGreaterThan(0);
    expect(controls.filter((control) => control.type === 'event' && control.event === 'flow_start')).toHaveLength(3);
  });

  it('carries applications in spells, beside the kernel’s TCP, and no messages', async () => {
    const spells = { kind: 'on_off', on_s: 0.5, off_s: 0.5, durations: 'fixed', rate_mbps: 8 } as const;
    const greedy = { kind: 'on_off', on_s: 0.2, off_s: 0.8, durations: 'fixed' } as const;
    const flows = ['quic-cubic', 'kernel-cubic'].flatMap((id) => [
      flow(id, { source: spells }),
      flow(id, { source: greedy }),
    ]);
    const { reason, summary, column } = await record(planned(flows, { duration_s: 4 }));
    expect(reason).toBeNull();
    for (const i of [0, 2]) {
      expect(summary!.receivers[i]!.throughput_mbps).toBeGreaterThan(3.6);
      expect(summary!.receivers[i]!.throughput_mbps).toBeLessThan(4.2);
    }
    for (const i of [1, 3]) {
      expect(summary!.receivers[i]!.throughput_mbps).toBeGreaterThan(1);
      expect(summary!.receivers[i]!.throughput_mbps).toBeLessThan(30);
      expect(mean(column(i, 'app_limited', 1))).toBeGreaterThan(0.5);
    }
    const frames = { kind: 'frames', fps: 30, rate_mbps: 4, key_every: 1, key_ratio: 1, deadline_ms: 100 } as const;
    const refused = await record(planned([flow('quic-cubic', { source: frames })], { duration_s: 1 }));
    expect(refused.reason).toBe('flow 0: over QUIC an application cannot write frames');
  });

  it('fills a link, with the algorithm’s own values, and hears of changes of the link', async () => {
    const order = { type: 'set', direction: 'forward', rate_mbps: 15 } as const;
    const link: { change?: ChangeLink; ordered?: true } = {};
    const { reason, summary, controls, column } = await record(planned([flow('quic-newreno')]), {
      onChangeable: (change) => (link.change = change),
      onTime: (time_s) => {
        if (time_s < 1.5 || link.ordered) return;
        link.ordered = true;
        link.change?.(order);
      },
    });
    expect(reason).toBeNull();
    const events = controls.filter((control) => control.type === 'event');
    const changed = events.find(({ event }) => event === 'link_change');
    expect(changed?.time_s).toBeGreaterThan(1.4);
    expect(summary!.links[0]!.utilisation).toBeGreaterThan(0.6);
    // What the link took in is what the client sent, but for what had not left yet.
    expect(summary!.links[0]!.arrived_packets).toBeLessThanOrEqual(summary!.senders[0]!.sent_packets);
    expect(summary!.senders[0]!.delay_inflation).toBeGreaterThan(1);
    expect(events.some(({ event, flow }) => event === 'loss_episode' && flow === 0)).toBe(true);
    expect(Math.min(...column(0, 'latest_rtt_ms', 0.5))).toBeGreaterThan(39.9);
  });

  it('uses its window to the last packet, also when that is the only one', async () => {
    const small = { cca: { id: 'quic-newreno', params: { init_cwnd: 1 } } };
    const { reason, column } = await record(planned([flow('quic-newreno', small)], { duration_s: 1.5 }));
    expect(reason).toBeNull();
    const windows = column(0, 'cwnd_bytes', 1);
    const full = column(0, 'inflight_bytes', 1).filter((bytes, i) => bytes === windows[i]);
    expect(full.length).toBeGreaterThan(windows.length / 5);
  });

  it('does not take the handshake for an application with little to say', async () => {
    // Allegro doubles its rate as long as that helps, and stops at the first interval in which the application was the limit.
    const { reason, column } = await record(planned([flow('quic-allegro')]));
    expect(reason).toBeNull();
    const rates = column(0, 'pacing_mbps', 0);
    expect(Math.max(...rates)).toBeGreaterThan(16 * rates.find((rate) => rate > 0)!);
  });

  it('answers marks instead of losses where the flow asks for it', async () => {
    const { queue, ...rest } = planned([]).forward;
    const forward = { ...rest, queue: { ...queue, id: 'codel', limit_bytes: 20_000_000, params: { ecn: true } } };
    const marked = await record(planned([flow('quic-newreno', { ecn: true })], { duration_s: 2, forward }));
    expect(marked.reason).toBeNull();
    const [link] = marked.summary!.links;
    expect(link).toMatchObject({ dropped_packets: 0 });
    expect(link!.marked_packets).toBeGreaterThan(0);
    expect(marked.summary!.senders[0]).toMatchObject({ lost_packets: 0 });
    expect(marked.summary!.senders[0]!.loss_episodes).toBeGreaterThan(0);
  });

  it('what the receiver’s socket drops is counted once', async () => {
    // Some 15 MB are under way when the receiver does not read for a while: more than its socket takes.
    const { queue, ...rest } = planned([]).forward;
    const forward = {
      ...rest,
      queue: { ...queue, limit_bytes: 20_000_000 },
      capacity: { kind: 'constant', rate_mbps: 200 } as const,
      delay_ms: 150,
    };
    const halted: { pid?: number } = {};
    const { reason, summary, controls } = await record(planned([flow('quic-newreno')], { duration_s: 6, forward }), {
      onTime: (time_s) => {
        if (time_s < 4 || halted.pid !== undefined) return;
        halted.pid = serverOf(process.pid);
        process.kill(halted.pid, 'SIGSTOP');
        setTimeout(() => process.kill(halted.pid!, 'SIGCONT'), 700);
      },
    });
    expect(reason).toBeNull();
    const details = controls.flatMap((control) =>
      control.type === 'event' && control.event === 'unmodelled_loss' ? [control.detail ?? ''] : [],
    );
    const counted = details.flatMap((detail) => /Udp\.InErrors (\d+)/.exec(detail)?.[1] ?? []).map(Number);
    expect(counted).toHaveLength(1);
    expect(counted[0]).toBeGreaterThan(0);
    expect(summary?.lateness?.unmodelled_losses).toBe(counted[0]);
  });

  it('starts and stops flows when they should, and keeps their qlogs', async () => {
    const flows = [flow('quinn-cubic', { stop_s: 1.5 }), flow('quic-bbr', { start_s: 0.4, extra_rtt_ms: 20 })];
    // The second one's first packet shall not be among those that the first one's slow start loses.
    const { queue, ...rest } = planned([]).forward;
    const roomy = { ...rest, queue: { ...queue, limit_bytes: 20_000_000 } };
    const qlogFile = (index: number): string => join(folder, `${index}.sqlog`);
    const { reason, controls, summary } = await record(planned(flows, { duration_s: 3, qlog: true, forward: roomy }), {
      qlogFile,
    });
    expect(reason).toBeNull();
    const times = controls.flatMap((control) =>
      control.type === 'event' && control.event.startsWith('flow_')
        ? [[control.event, control.flow, control.time_s]]
        : [],
    );
    expect(times).toEqual([
      ['flow_start', 0, 0],
      ['flow_start', 1, 0.4],
      ['flow_stop', 0, 1.5],
    ]);
    expect(summary!.senders[1]!.rtt.p50_ms).toBeGreaterThan(60);
    // The link knows the packets, the helpers the RTTs: both are joined over the flows.
    const [count, p50] = [summary!.all_flows!.rtt.count, summary!.senders.map(({ rtt }) => rtt.p50_ms ?? NaN)];
    expect(count).toBe(summary!.senders[0]!.rtt.count + summary!.senders[1]!.rtt.count);
    expect(summary!.all_flows!.rtt.p50_ms).toBeGreaterThanOrEqual(Math.min(...p50));
    expect(summary!.all_flows!.rtt.p50_ms).toBeLessThanOrEqual(Math.max(...p50));
    expect(summary!.all_flows!.owd.p50_ms).toBeGreaterThan(20);
    expect(summary!.links[0]!.flows!.map(({ queueing_delay }) => queueing_delay.count > 0)).toEqual([true, true]);
    for (const index of flows.keys()) {
      const records = readFileSync(qlogFile(index), 'utf8').split('\n').slice(0, -1);
      expect(JSON.parse(records[0]!.slice(1))).toMatchObject({ qlog_format: 'JSON-SEQ' });
      expect(records.filter((record) => record.includes('transport:packet_sent')).length).toBeGreaterThan(50);
    }
  });

  it('is stopped at once and leaves nothing', async () => {
    const before = helpers();
    const controller = new AbortController();
    const { outcome } = await record(planned([flow('quic-cubic'), flow('quinn-bbr')], { duration_s: 60 }), {
      signal: controller.signal,
      onTime: () => controller.abort(),
    });
    expect(outcome).toBe('cancelled');
    await expect.poll(helpers, { timeout: 5000, interval: 20 }).toBe(before);
  });

  it('says why a program of it failed', async () => {
    const params = { beta: 7 };
    const { outcome, reason } = await record(planned([flow('quic-cubic', { cca: { id: 'quic-cubic', params } })]));
    expect(outcome).toBe('failed');
    expect(reason).toContain('beta');
  });
});
