// The QUIC helper against itself, over a path that this process makes.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { CcaDescriptor } from '#protocol/cca';
import { receiverStream, senderStream } from '#protocol/columns';
import { listCcas } from './ccas.ts';
import { examine } from './doctor.ts';
import { nativeDir } from './programs.ts';
import { helperCca, WINDOW_RULE_OFF } from './quic-ccas.ts';
import { quicHelper } from './quic.ts';
import { quicRun, type QuicRun } from './testing/quic-run.ts';

const helper = quicHelper();
const program = helper.path ?? '';
const folder = mkdtempSync(join(tmpdir(), 'paceline-quic-'));
beforeAll(() => {
  // The path is in this process: it should not wait for others, if that is permitted.
  try {
    setPriority(-15);
  } catch {
    return;
  }
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** What is looked at in a record of a qlog. */
interface QlogRecord {
  readonly trace?: unknown;
  readonly time: number;
  readonly name: string;
  readonly data: {
    readonly header?: { readonly packet_type: string; readonly packet_number: number };
    readonly raw?: { readonly length: number };
    readonly smoothed_rtt?: number;
    readonly congestion_window?: number;
  };
}

const PACKET = 1500;
const bottleneck = { mbps: 20, queueBytes: 60_000 };
const column = (run: QuicRun, name: string): readonly number[] => run.sender.get(name) ?? [];
const between = (run: QuicRun, name: string, from: number, to: number): number[] => {
  const times = column(run, 'time_s');
  return column(run, name).filter((_, i) => times[i]! > from && times[i]! <= to);
};
const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

it('the listing says why there is none where there is none', async () => {
  const { ccas, unavailable } = await quicCcasWithout('there is no Rust toolchain');
  expect(ccas.filter(({ kind }) => kind === 'quic')).toEqual([]);
  expect(unavailable).toEqual([{ kind: 'quic', reason: 'there is no Rust toolchain' }]);
});

/** The listing of a folder of programs that has everything but the helper. */
async function quicCcasWithout(reason: string): ReturnType<typeof listCcas> {
  const list = join(nativeDir(), 'paceline-list');
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  symlinkSync(list, join(bin, 'paceline-list'));
  writeFileSync(join(bin, 'paceline-quic.unavailable'), `${reason}\n`);
  vi.stubEnv('PACELINE_NATIVE_DIR', bin);
  try {
    return await listCcas();
  } finally {
    vi.unstubAllEnvs();
  }
}

it('the doctor says whether there is QUIC, and what would bring it', async () => {
  const check = (await examine(folder)).find(({ id }) => id === 'quic');
  expect(check?.ok).toBe(helper.unavailable === null);
  if (helper.unavailable === null) expect(check?.detail).toContain('quinn-proto 0.11');
  else
    expect(check).toMatchObject({
      detail: `unavailable: ${helper.unavailable}`,
      remedy: expect.stringContaining('Rust'),
    });
});

describe.skipIf(helper.unavailable !== null)(
  `QUIC${helper.path === null ? ` is unavailable: ${helper.unavailable}` : ''}`,
  () => {
    it('offers CCAs of ours that are senders, and those of quinn', async () => {
      const listed = execFileSync(program, ['--list-ccas'], { encoding: 'utf8' }).trim().split('\n');
      const ours = listed.filter((id) => id.startsWith('paceline:')).map((id) => id.slice('paceline:'.length));
      expect(ours).toEqual(expect.arrayContaining(['bbr', 'cubic', 'newreno']));
      const senders = (await listCcas()).ccas.filter(({ kind }) => kind === 'sender').map(({ id }) => id);
      expect(senders).toEqual(expect.arrayContaining(ours));
      expect(listed.slice(ours.length)).toEqual(['quinn:newreno', 'quinn:cubic', 'quinn:bbr']);
    });

    it('has a descriptor for each: ours with the parameters and internals of its twin, quinn’s with what is known of it', async () => {
      const { ccas, unavailable } = await listCcas();
      expect(unavailable).toEqual([]);
      const quic = ccas.filter(({ kind }) => kind === 'quic');
      const listed = execFileSync(program, ['--list-ccas'], { encoding: 'utf8' }).trim().split('\n');
      expect(quic.map(({ id }) => helperCca(id)).sort()).toEqual([...listed].sort());
      for (const cca of quic) {
        expect(CcaDescriptor.parse(cca).engines).toEqual(['realtime']);
        const twin = ccas.find(({ id, kind }) => kind === 'sender' && id === cca.id.replace(/^[a-z]+-/, ''))!;
        expect(cca.identity).toMatchObject({ slot: twin.identity.slot, marker: twin.identity.marker });
        const params = cca.params.filter(({ name }) => name !== WINDOW_RULE_OFF.name);
        // The transport paces; and the helper reads no files, so no choice may need one.
        const meant = twin.params
          .filter(({ name, type }) => name !== 'pacing' && type !== 'weights')
          .map((param) => ({ ...param, choices: param.choices.filter((choice) => choice !== 'network') }));
        expect([params, cca.internals]).toEqual(cca.identity.hollow ? [[], []] : [meant, twin.internals]);
      }
      expect(quic.filter(({ baseline }) => baseline)).toHaveLength(1);
      const ruled = quic.filter(({ params }) => params.includes(WINDOW_RULE_OFF)).map(({ id }) => id);
      expect(ruled).toEqual(expect.arrayContaining(['quic-cubic', 'quinn-cubic', 'quic-newreno']));
      expect(ruled).not.toContain('quinn-bbr');
    });

    it.each([
      [[], 'server or client?'],
      [
        ['client', '--connect', '127.0.0.1:1', '--cca', 'quinn:vegas'],
        'there is no CCA quinn:vegas; there are paceline:',
      ],
      [
        ['client', '--connect', '127.0.0.1:1', '--cca', 'paceline:cubic', '--param', 'beta=2'],
        'parameter beta: 2 is outside',
      ],
      [['server', '--listen', '127.0.0.1:0', '--speed', '3'], '--speed is not understood'],
    ])('refuses %j', (words, why) => {
      const { status, stderr, stdout } = spawnSync(program, words, { encoding: 'utf8', input: '' });
      expect(stderr).toContain(why);
      expect(stdout).toBe('');
      expect(status).toBe(2);
    });

    it('carries our Cubic over a bottleneck: the window is cut to 0.7 at a loss, and quinn’s log tells the same', async () => {
      const qlog = join(folder, 'cubic.sqlog');
      const client = ['--cca', 'paceline:cubic', '--base-rtt-ms', '40', '--qlog', qlog];
      const run = await quicRun({ program, path: { oneWayMs: 20, bottleneck }, seconds: 3, client });
      expect(run.failures).toEqual([null, null]);
      expect(run.hello?.streams.map(({ stream }) => stream)).toEqual([senderStream(0), receiverStream(0)]);
      const { senders, receivers } = run.summary!;
      const [sender, receiver] = [senders[0]!, receivers[0]!];
      expect(receiver.received_packets).toBeGreaterThan(500);
      expect(receiver.received_packets).toBeLessThanOrEqual(sender.sent_packets);
      // What was dropped in the last round trip is not known yet.
      expect(sender.lost_packets).toBeGreaterThan(0);
      expect(sender.lost_packets + sender.inflight_packets).toBeGreaterThanOrEqual(run.dropped);
      expect(sender.delay_inflation).toBeGreaterThan(1);
      expect(run.summary!.lateness!.wakeups).toBeGreaterThan(300);
      expect(run.events.some(({ event }) => event === 'overrun')).toBe(run.summary!.lateness!.overrun);

      const loss = run.events.find(({ event }) => event === 'loss_episode')!.time_s;
      expect(run.events.some(({ event, detail }) => event === 'phase' && detail === 'recovery')).toBe(true);
      // Two probes may leave whatever the window says (RFC 9002 section 6.2.4).
      const windowsBefore = between(run, 'cwnd_bytes', 0, loss - 0.02);
      const over = between(run, 'inflight_bytes', 0, loss - 0.02).map((inflight, i) => inflight - windowsBefore[i]!);
      expect(Math.max(...over)).toBeLessThanOrEqual(3 * PACKET);

      const records = readFileSync(qlog, 'utf8').split('\n').slice(0, -1);
      expect(records.every((record) => record.startsWith('\u001e{'))).toBe(true);
      const [header, ...events] = records.map((record) => JSON.parse(record.slice(1)) as QlogRecord);
      expect(header).toMatchObject({ qlog_version: '0.3', qlog_format: 'JSON-SEQ' });
      expect(header?.trace).toMatchObject({
        vantage_point: { type: 'client' },
        common_fields: { time_format: 'relative' },
      });
      expect(events.every(({ time }, i) => i === 0 || time >= events[i - 1]!.time)).toBe(true);
      const named = (name: string): QlogRecord['data'][] =>
        events.filter((event) => event.name === name).map(({ data }) => data);
      const numbers = named('transport:packet_sent')
        .filter(({ header }) => header?.packet_type === '1RTT')
        .map(({ header }) => header!.packet_number);
      expect(numbers.every((number, i) => i === 0 || number > numbers[i - 1]!)).toBe(true);
      expect(named('transport:packet_sent').every(({ raw }) => raw!.length > 0 && raw!.length <= 1472)).toBe(true);
      expect(named('recovery:packet_lost')).toHaveLength(sender.lost_packets);
      const smoothed = named('recovery:metrics_updated')
        .flatMap(({ smoothed_rtt }) => smoothed_rtt ?? [])
        .slice(1);
      expect(Math.min(...smoothed)).toBeGreaterThan(39);
      expect(Math.max(...smoothed)).toBeLessThan(2000);
      const windows = named('recovery:metrics_updated').flatMap(({ congestion_window }) => congestion_window ?? []);
      expect((Math.max(...windows) / 1472) * PACKET).toBeGreaterThanOrEqual(Math.max(...column(run, 'cwnd_bytes')));
      const cut = windows.findIndex((window, i) => i > 0 && window < windows[i - 1]!);
      expect(windows[cut]! / 1472).toBe(Math.floor((windows[cut - 1]! / 1472) * 0.7 + 1e-9));
    });

    it.each(['paceline:bbr', 'quinn:newreno'])('carries %s', async (cca) => {
      const run = await quicRun({ program, path: { oneWayMs: 10, bottleneck }, seconds: 1.5, client: ['--cca', cca] });
      expect(run.failures).toEqual([null, null]);
      expect(run.summary?.receivers[0]?.received_packets).toBeGreaterThan(100);
      const paced = between(run, 'pacing_mbps', 0.5, 1.5).filter(Number.isFinite);
      expect(paced.length).toBeGreaterThan(50);
    });

    // The mmWave paper: with the rule the window of an application that is slower than the path stays near what it uses; without,
    // it grows as if it were used.
    it.for(['quinn:cubic', 'paceline:cubic', 'paceline:newreno'])(
      'an application-limited %s keeps its window down by the rule of RFC 9002 section 7.8, and lets it balloon without',
      async (cca, { skip }) => {
        const client = ['--cca', cca, '--source', 'rate:20'];
        const path = { oneWayMs: 20 };
        for (let attempt = 0; attempt < 3; attempt++) {
          const [ruled, free] = await Promise.all([
            quicRun({ program, path, seconds: 3, client }),
            quicRun({ program, path, seconds: 3, client: [...client, '--grow-underutilised'] }),
          ]);
          expect([...ruled.failures, ...free.failures]).toEqual([null, null, null, null]);
          // A path that this process has let wait was one with less capacity than the application.
          if ([ruled, free].some(({ summary }) => (summary?.senders[0]?.rtt.p99_ms ?? Infinity) > 120)) continue;
          const used = mean(between(ruled, 'inflight_bytes', 1, 3));
          const kept = column(ruled, 'cwnd_bytes').at(-1)!;
          const ballooned = column(free, 'cwnd_bytes').at(-1)!;
          expect(kept).toBeGreaterThan(used);
          expect(kept).toBeLessThan(10 * used);
          expect(ballooned).toBeGreaterThan(5 * kept);
          expect(mean(between(free, 'app_limited', 1, 3))).toBeGreaterThan(0.2);
          return;
        }
        skip('the machine is too busy to be a path of 40 ms');
      },
    );

    it('stops at once when standard input ends, on both ends', async () => {
      const begun = performance.now();
      const run = await quicRun({
        program,
        path: { oneWayMs: 5 },
        seconds: 60,
        client: ['--cca', 'quinn:cubic', '--source', 'rate:5'],
        started: (client, server) =>
          setTimeout(() => {
            client.stdin.end();
            server.stdin.end();
          }, 700),
      });
      expect(performance.now() - begun).toBeLessThan(20_000);
      expect(run.failures).toEqual(['stopped: standard input ended', 'stopped: standard input ended']);
    });
  },
);
