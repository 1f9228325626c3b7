// How the live hub carries many viewers of one running run, beside the plain way: every frame to every viewer as it comes.
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { WebSocketServer } from 'ws';
import { z } from 'zod';
import { LINK_COLUMNS } from '#protocol/columns';
import { readFrameHeader } from '#protocol/frames';
import { LIVE_SUBPROTOCOL, wrapLiveFrame } from '#protocol/live';
import { RunManifest } from '#protocol/manifest';
import { encodeSamples } from '#protocol/samples';
import { Guard } from '#server/http/guard';
import { Hosts } from '#server/http/hosts';
import { Metrics } from '#server/http/metrics';
import { NO_SETBACKS } from '#server/store/jobs';
import { Recording } from '#server/jobs/recording';
import { openLab, type Lab } from '#server/lab';
import { LiveHub } from '#server/live/hub';

/** A run of 16 flows in real time: the link, 16 senders, 16 receivers, sampled every 10 ms and flushed every 20 ms. */
const STREAMS = 33;
const ROWS = 2;
const FLUSH_MS = 20;
const PERIOD_S = 0.01;
const RUN = 'a'.repeat(20);

const Seen = z.object({
  frames: z.number(),
  rows: z.number(),
  wrong: z.number(),
  p50_s: z.number(),
  p99_s: z.number(),
  max_s: z.number(),
});
export interface Fanout extends z.infer<typeof Seen> {
  /** Share of one core that the serving process used. */
  readonly cpu: number;
  /** Rows that every viewer should have seen. */
  readonly made: number;
}

const monotonic = (): number => Number(process.hrtime.bigint()) / 1e9;

/** Makes samples at the pace of real time and gives every frame to `take` until it is told to stop. */
function produce(take: (frame: Uint8Array) => void): () => number {
  const columns = LINK_COLUMNS.map((_, c) => new Float32Array(ROWS).fill(c));
  let made = 0;
  const timer = setInterval(() => {
    const now = monotonic();
    const time = Float64Array.from({ length: ROWS }, (_, i) => now - (ROWS - 1 - i) * PERIOD_S);
    for (let stream = 0; stream < STREAMS; stream++) take(encodeSamples(stream, made, time, columns));
    made += ROWS;
  }, FLUSH_MS);
  return () => {
    clearInterval(timer);
    return made * STREAMS;
  };
}

/** Starts the viewers, lets them watch, and measures this process meanwhile. */
async function measure(
  url: string,
  viewers: number,
  seconds: number,
  take: (frame: Uint8Array) => void,
): Promise<Fanout> {
  const script = fileURLToPath(new URL('viewers.ts', import.meta.url));
  const args = ['--import', 'tsx', script, url, RUN, String(viewers), String(seconds)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await lines.next();
  const before = process.cpuUsage();
  const start = monotonic();
  const stop = produce(take);
  const line: IteratorResult<string, unknown> = await lines.next();
  const made = stop();
  const { user, system } = process.cpuUsage(before);
  return { ...Seen.parse(JSON.parse(String(line.value))), made, cpu: (user + system) / 1e6 / (monotonic() - start) };
}

export async function throughHub(viewers: number, seconds: number): Promise<Fanout> {
  const dataDir = await mkdtemp(join(tmpdir(), 'paceline-bench-'));
  const log = pino({ level: 'silent' });
  const lab = openLab({ dataDir, workers: 1, log });
  const server = createServer();
  const hub = new LiveHub(server, {
    lab,
    log,
    metrics: new Metrics(lab),
    guard: new Guard(new Hosts('127.0.0.1', []), null),
  });
  try {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const recording = running(lab);
    const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/live`;
    return await measure(url, viewers, seconds, (frame) => {
      void recording.accept(frame, readFrameHeader(new DataView(frame.buffer)), null);
      lab.feed.emit(RUN, 'data');
    });
  } finally {
    hub.close();
    server.close();
    server.closeAllConnections();
    lab.scheduler.active.clear();
    await lab.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** A run that looks to the hub as if its processes were going. */
function running(lab: Lab): Recording {
  const link = { loss: 0, queue: { id: 'droptail', limit_bytes: null, limit_packets: null, params: {} }, delay_ms: 10 };
  const flow = { start_s: 0, stop_s: null, extra_rtt_ms: 0, transport: 'tcp', ack_every: 2, source: { kind: 'bulk' } };
  const manifest = RunManifest.parse({
    schema: 1,
    engine: 'realtime',
    path: 'udp',
    engine_version: 'bench',
    duration_s: 3600,
    sample_period_ms: 10,
    seed: 1,
    repetition: 0,
    forward: { ...link, capacity: { kind: 'unlimited' } },
    reverse: { ...link, capacity: { kind: 'unlimited' } },
    flows: [{ ...flow, cca: { id: 'none', params: {} } }],
  });
  lab.store.runs.insert(RUN, JSON.stringify(manifest), new Date().toISOString());
  lab.store.runs.start(RUN, new Date().toISOString());
  const recording = new Recording(RUN, lab.store);
  lab.scheduler.active.set(RUN, {
    job: { run_id: RUN, cores: 1, packets: 1, realtime_s: 3600, attempts: 1, setbacks: NO_SETBACKS },
    recording,
    duration_s: 3600,
    elsewhere: null,
    interpreted: false,
    startedAt: performance.now(),
    controller: new AbortController(),
    over: Promise.resolve(),
    changeLink: null,
    requeue: false,
  });
  return recording;
}

export async function plainBroadcast(viewers: number, seconds: number): Promise<Fanout> {
  const sockets = new WebSocketServer({
    port: 0,
    host: '127.0.0.1',
    perMessageDeflate: false,
    handleProtocols: () => LIVE_SUBPROTOCOL,
  });
  try {
    await new Promise((resolve) => sockets.once('listening', resolve));
    const url = `ws://127.0.0.1:${(sockets.address() as AddressInfo).port}/`;
    return await measure(url, viewers, seconds, (frame) => {
      const message = wrapLiveFrame(1, frame);
      for (const socket of sockets.clients) socket.send(message);
    });
  } finally {
    for (const socket of sockets.clients) socket.terminate();
    sockets.close();
  }
}
