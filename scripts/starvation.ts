/**
 * `npm run starvation [-- --seconds 10 --repetitions 3 --loops 0,2,6,12]`: what external programs give that have to share the processors with busy loops, beside
 * how long they waited for one. The bound from which on such a run does not count (MAX_PROCESSOR_WAIT) is chosen by it. It wants root or user namespaces,
 * python3, and the machine for itself. Exits 3 when a program alone would not count, or one that lost more than 5 % would.
 */
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { setTimeout as later } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { starvedPrograms } from '#analysis/validity';
import { listCcas } from '#bridge/ccas';
import { run } from '#bridge/run';
import { RunManifest } from '#protocol/manifest';
import type { RunSummary } from '#protocol/summary';

const MBPS = 48;
const OFF = 0.05;
const THRESHOLD_MISSED = 3;
const { values } = parseArgs({
  options: { seconds: { type: 'string' }, repetitions: { type: 'string' }, loops: { type: 'string' } },
});
const seconds = Number(values.seconds ?? 10);
const repetitions = Number(values.repetitions ?? 3);
const loads = (values.loops ?? '0,2,6,12').split(',').map(Number);

const python = (text: string): string[] => ['python3', '-c', text, '{receiver}', '{port}'];
const node = (text: string): string[] => [process.execPath, '--input-type=module', '-e', text, '{receiver}', '{port}'];
const UDP = `import select, socket, sys, time
link = socket.socket(type=socket.SOCK_DGRAM)
link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
here = there = (sys.argv[1], int(sys.argv[2]))
data = bytes(1472)
`;
const PROGRAMS = {
  'TCP, as fast as it goes': {
    sender: node(`import { connect } from 'node:net';
const [, host, port] = process.argv;
const block = Buffer.alloc(65536);
const begin = () => {
  const link = connect({ host, port: Number(port) });
  const fill = () => { while (link.write(block)); };
  link.on('connect', fill).on('drain', fill).on('error', () => setTimeout(begin, 20));
};
begin();`),
    receiver: node(`import { createServer } from 'node:net';
const [, host, port] = process.argv;
createServer((link) => link.on('data', () => {}).on('error', () => {})).listen(Number(port), host);`),
  },
  'UDP, a packet when it is due': {
    sender: python(`${UDP}
gap = 1500 * 8 / ${0.9 * MBPS}e6
due = time.monotonic()
while True:
  time.sleep(max(0, due - time.monotonic()))
  link.sendto(data, there)
  due = max(due + gap, time.monotonic() - 0.01)`),
    receiver: python(`${UDP}
link.bind(here)
while True: link.recv(2000)`),
  },
  'UDP, a window of 200 packets': {
    sender: python(`${UDP}
link.setblocking(False)
flying = 0
while True:
  try:
    while flying < 200:
      link.sendto(data, there)
      flying += 1
  except BlockingIOError: pass
  if not select.select([link], [], [], 0.2)[0]: flying = 0
  try:
    while link.recv(100): flying -= 1
  except BlockingIOError: pass`),
    receiver: python(`${UDP}
link.bind(here)
while True: link.sendto(b'x', link.recvfrom(2000)[1])`),
  },
};

const direction = {
  loss: 0,
  delay_ms: 20,
  queue: { id: 'droptail', limit_bytes: 240_000, limit_packets: null, params: {} },
};
const { engine_version } = await listCcas();
const planned = (seed: number): RunManifest =>
  RunManifest.parse({
    schema: 1,
    engine: 'realtime',
    path: 'tun',
    engine_version,
    duration_s: seconds,
    sample_period_ms: 100,
    seed,
    repetition: seed,
    forward: { ...direction, capacity: { kind: 'constant', rate_mbps: MBPS } },
    reverse: {
      ...direction,
      queue: { ...direction.queue, limit_bytes: null },
      capacity: { kind: 'unlimited' },
    },
    flows: [
      {
        cca: { id: 'external-x', params: {}, revision: '1' },
        start_s: 0,
        stop_s: null,
        extra_rtt_ms: 0,
        transport: 'tcp',
        ack_every: 2,
        source: { kind: 'bulk' },
      },
    ],
  });

/** One run beside so many processes that want a processor all the time. */
async function beside(loops: number, manifest: RunManifest, ends: (typeof PROGRAMS)[keyof typeof PROGRAMS]) {
  // Each in a session of its own: the kernel shares processors out between sessions first.
  const options = { stdio: 'ignore', detached: true } as const;
  const busy = Array.from({ length: loops }, () => spawn('sh', ['-c', 'while :; do :; done'], options));
  try {
    await later(1000);
    const external = [{ id: 'external-x', ...ends, calls: 'sender' as const, revision: '1' }];
    const { summary, reason } = await run(manifest, { tracesDir: tmpdir(), external, onFrame: () => undefined });
    if (summary === null) throw new Error(reason ?? 'it gave no summary');
    return summary;
  } finally {
    for (const one of busy) one.kill('SIGKILL');
  }
}

const share = (value: number): string => `${(100 * value).toFixed(1)} %`;
const waited = ({ programs = [] }: RunSummary, which: 'sender' | 'receiver'): number => {
  const program = programs.find(({ end }) => end === which);
  return program === undefined ? NaN : program.kept_waiting_s / program.looked_s;
};

process.stdout.write(
  '| program | busy loops | Mbps | off | sender waited | receiver waited | counts |\n|---|---|---|---|---|---|---|\n',
);
for (const [name, ends] of Object.entries(PROGRAMS)) {
  let alone = 0;
  for (const loops of loads)
    for (let repetition = 0; repetition < repetitions; repetition++) {
      const summary = await beside(loops, planned(repetition), ends);
      const mbps = summary.receivers[0]?.throughput_mbps ?? 0;
      if (loops === 0) alone = Math.max(alone, mbps);
      const off = 1 - mbps / alone;
      const counts = starvedPrograms(summary).length === 0;
      if (counts ? off > OFF : loops === 0) process.exitCode = THRESHOLD_MISSED;
      const cells = [
        name,
        loops,
        mbps.toFixed(2),
        share(off),
        share(waited(summary, 'sender')),
        share(waited(summary, 'receiver')),
        counts ? 'yes' : 'no',
      ];
      process.stdout.write(`| ${cells.join(' | ')} |\n`);
    }
}
