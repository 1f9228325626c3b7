// What receivers do, against something independent. The window against a formula: over a queue without limit a flow that fills it leaves
// W × 8 / C - RTT of delay; ours in virtual time and over UDP, the kernel's TCP and QUIC. Acknowledgements against the kernel's.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { FlowManifest, RunManifest } from '#protocol/manifest';
import { USUAL_WINDOW_LIMIT } from '#protocol/spec';
import { listCcas } from './ccas.ts';
import { nativeDir } from './programs.ts';
import { quicHelper } from './quic.ts';
import { run } from './run.ts';
import { manifest as fakeManifest } from './testing/fake-programs.ts';

const folder = mkdtempSync(join(tmpdir(), 'paceline-window-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const { engine_version } = await listCcas();
const trial = spawnSync(join(nativeDir(), 'paceline-tun'), ['--check'], { encoding: 'utf8' });
const withoutTun = trial.status === 0 ? null : trial.stderr.trim();
const withoutQuic = quicHelper().unavailable ?? withoutTun;

const MBPS = 20;
const RTT_MS = 20;
const LIMIT_BYTES = 300_000;
/** Of each packet of 1500 bytes: IPv4 and TCP with timestamps. */
const DATA_BYTES = 1500 - 52;

/** What waits once the window is full. */
const formula = (data_bytes: number): number =>
  (Math.floor(LIMIT_BYTES / data_bytes) * 1500 * 8) / (MBPS * 1e3) - RTT_MS;

async function queueing(where: Partial<RunManifest>, cca: string, flow: Partial<FlowManifest>): Promise<number> {
  const base = fakeManifest({ engine_version, ...where });
  const endless = { id: 'droptail', limit_bytes: null, limit_packets: null, params: {} };
  const { summary, reason } = await run(
    {
      ...base,
      duration_s: 4,
      forward: { ...base.forward, queue: endless, capacity: { kind: 'constant', rate_mbps: MBPS }, delay_ms: 10 },
      reverse: { ...base.reverse, delay_ms: 10 },
      flows: [{ ...base.flows[0]!, cca: { id: cca, params: {} }, ...flow }],
    },
    { tracesDir: folder, onFrame: () => undefined },
  );
  expect(reason).toBeNull();
  const link = summary!.links[0]!;
  expect(link.dropped_packets).toBe(0);
  return link.queueing_delay.p50_ms!;
}

const VIRTUAL = { engine: 'virtual', path: 'memory' } as const;
const UDP = { engine: 'realtime', path: 'udp' } as const;
const TUN = { engine: 'realtime', path: 'tun' } as const;
const limited = { window_limit_bytes: LIMIT_BYTES };

describe('a receive window', () => {
  it('holds a flow to what is in it, in virtual time; without one the queue grows without end', async () => {
    const delay = await queueing(VIRTUAL, 'newreno', limited);
    // To two packets (of which the first is not acknowledged at once) and what a histogram's bin is wide.
    expect(Math.abs(delay - formula(DATA_BYTES))).toBeLessThan(1.6);
    expect(await queueing(VIRTUAL, 'newreno', {})).toBeGreaterThan(5 * delay);
  });

  it('holds it over UDP', async () => {
    expect(Math.abs((await queueing(UDP, 'newreno', limited)) - formula(DATA_BYTES))).toBeLessThan(5);
  });

  it.skipIf(withoutTun !== null)(`holds the kernel’s TCP (${withoutTun ?? 'which is here'})`, async () => {
    expect(Math.abs((await queueing(TUN, 'kernel-reno', limited)) - formula(DATA_BYTES))).toBeLessThan(5);
  });

  it.skipIf(withoutQuic !== null)(`holds QUIC (${withoutQuic ?? 'which is here'})`, async () => {
    const delay = await queueing(TUN, 'quic-newreno', limited);
    // quinn tells the sender of new room an eighth of the window at a time.
    const full = formula(DATA_BYTES) + RTT_MS;
    expect(delay + RTT_MS).toBeGreaterThan((full * 7) / 8 - 5);
    expect(delay + RTT_MS).toBeLessThan(full * 1.02 + 5);
  });
});

/** ACKs of a flow over 24 Mbps, 40 ms and 2 BDP for 6 s: as many as come into the way back. */
async function acknowledgements(
  where: Partial<RunManifest>,
  cca: string,
  flow: Partial<FlowManifest>,
): Promise<number> {
  const base = fakeManifest({ engine_version, ...where });
  const none = { element: 'jitter', params: { mean_ms: 0 } };
  const { summary, reason } = await run(
    {
      ...base,
      duration_s: 6,
      forward: {
        ...base.forward,
        queue: { ...base.forward.queue, limit_bytes: 240_000 },
        capacity: { kind: 'constant', rate_mbps: 24 },
        delay_ms: 20,
      },
      reverse: { ...base.reverse, delay_ms: 20, path: [none, { element: 'bottleneck' }, { element: 'delay' }] },
      flows: [{ ...base.flows[0]!, cca: { id: cca, params: {} }, ...flow }],
    },
    { tracesDir: folder, onFrame: () => undefined },
  );
  expect(reason).toBeNull();
  return summary!.links.find(({ direction }) => direction === 'reverse')!.path![0]!.entered_packets;
}

describe('acknowledgements', () => {
  it.skipIf(withoutTun !== null)(
    `are as many as Linux’ receiver sends: each packet’s at the start, then every second’s, some SACKs held back (${withoutTun ?? 'it is here'})`,
    async () => {
      // A kernel that may offer more than it does by itself acknowledges each packet for longer.
      const usual = { window_limit_bytes: USUAL_WINDOW_LIMIT };
      const ours = await acknowledgements(VIRTUAL, 'cubic', { handshake: 'full', ack: 'linux' });
      const plain = await acknowledgements(VIRTUAL, 'cubic', { handshake: 'full' });
      // A busy machine hands packets to the kernel in heaps, which it answers with fewer: the run that was disturbed least counts.
      let kernel = 0;
      for (let i = 0; i < 3 && kernel < ours * 0.99; ++i)
        kernel = Math.max(kernel, await acknowledgements(TUN, 'kernel-cubic', usual));
      expect(Math.abs(ours / kernel - 1)).toBeLessThan(0.015);
      expect(plain / kernel - 1).toBeGreaterThan(0.02);
    },
  );
});
