import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunRef } from '#protocol/api';
import { summaryOf } from '#analysis/testing';
import { Store } from '#server/store/store';
import { PacelineServer } from '../../e2e/server.ts';
import type { Bench, Measurement } from './bench.ts';

/** 100 000 runs: 10 traces × 25 CCAs (one with 25 values of a parameter) × 4 queue limits × 100 repetitions. */
const TRACES = 10;
const CCAS = 25;
const BUFFERS = [0.5, 1, 2, 5];
const REPETITIONS = 100;
const RUNS = TRACES * CCAS * BUFFERS.length * REPETITIONS;
const AIM_S = 10;
const STOP_AIM_S = 4;
const HEALTH_AIM_MS = 100;
const PROBE_EVERY_MS = 5;
const MOST_TEXT = 4e6;

const SPEC = {
  name: 'large',
  // Long: none ends while the server is measured.
  duration_s: 20_000,
  sample_period_ms: 10_000,
  traces: Array.from({ length: TRACES }, (_, i) => ({ rate_mbps: 100 + i })),
  ccas: Array.from({ length: CCAS }, (_, i) => ({ id: 'cubic', params: { beta: (50 + i) / 100 } })),
  buffers: BUFFERS.map((bdp) => ({ bdp })),
  repetitions: REPETITIONS,
};

interface Timed {
  readonly seconds: number;
  /** Of the server's processor time. */
  readonly cpu_s: number;
  /** The longest that /health took meanwhile. */
  readonly health_ms: number;
  readonly bytes: number;
  readonly text: string;
}

const TICKS_PER_S = 100;

/** Processor time of a process so far, seconds. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_S;
}

/** Asks /health all the time while something goes on. */
async function timed({ url, pid }: PacelineServer, work: () => Promise<Response>): Promise<Timed> {
  let over = false;
  let health_ms = 0;
  const probe = async (): Promise<void> => {
    while (!over) {
      const from = performance.now();
      await (await fetch(`${url}/api/v1/health`)).arrayBuffer();
      health_ms = Math.max(health_ms, performance.now() - from);
      await new Promise((resolve) => setTimeout(resolve, PROBE_EVERY_MS));
    }
  };
  const probing = probe();
  const cpu = cpuSeconds(pid);
  const from = performance.now();
  const answer = await work();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    // What is larger is counted only: to join it would hold up this process, and its own questions.
    if (bytes < MOST_TEXT) chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString();
  const seconds = (performance.now() - from) / 1000;
  const cpu_s = cpuSeconds(pid) - cpu;
  over = true;
  await probing;
  if (!answer.ok) throw new Error(text);
  return { seconds, cpu_s, health_ms, bytes, text };
}

/** What a person does with the largest experiment that is allowed, and how long everybody else waits meanwhile. */
export const bench: Bench = async () => {
  const server = await PacelineServer.start();
  const { url } = server;
  const api = `${url}/api/v1`;
  const post = (path: string, body?: unknown): Promise<Response> =>
    fetch(api + path, {
      method: 'POST',
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
  const rows: Measurement[] = [];
  const row = (what: string, { seconds, cpu_s, health_ms, bytes }: Timed, aimS?: number): void => {
    const size = bytes > 1e5 ? `, ${(bytes / 1e6).toFixed(1)} MB` : '';
    rows.push({
      what: `${RUNS / 1000} 000 runs: ${what}`,
      measured: `${seconds.toFixed(2)} s (${cpu_s.toFixed(1)} s of the processor)${size}; /health at most ${health_ms.toFixed(0)} ms`,
      aim: {
        text: `${aimS === undefined ? '' : `< ${aimS} s, `}/health < ${HEALTH_AIM_MS} ms`,
        met: health_ms < HEALTH_AIM_MS && (aimS === undefined || seconds < aimS),
      },
    });
  };
  try {
    // The first requests of two young processes take 80 to 100 ms whatever they ask for.
    for (let i = 0; i < 20; i++) await (await fetch(`${api}/health`)).arrayBuffer();
    row('POST /plan', await timed(server, () => post('/plan', SPEC)));
    const submitted = await timed(server, () => post('/experiments', SPEC));
    row('POST /experiments', submitted, AIM_S);
    const { id } = JSON.parse(submitted.text) as { id: string };
    const get = (path: string): Promise<Timed> => timed(server, () => fetch(api + path));
    row('GET /experiments/:id', await get(`/experiments/${id}`));
    row('GET …/runs, a thousand', await get(`/experiments/${id}/runs?limit=1000`));
    row('GET …/runs, of a state that none has', await get(`/experiments/${id}/runs?state=failed`));
    row('GET /experiments', await get('/experiments'));
    row('export as CSV', await get(`/experiments/${id}/export?format=csv`));
    row('stop', await timed(server, () => post(`/experiments/${id}/stop`)), STOP_AIM_S);
    row('retry', await timed(server, () => post(`/experiments/${id}/retry`)));
    row('POST /experiments once more', await timed(server, () => post('/experiments', SPEC)), AIM_S);
    row('stop once more', await timed(server, () => post(`/experiments/${id}/stop`)), STOP_AIM_S);
    const { dataDir } = server;
    await server.stop();
    endAll(join(dataDir, 'paceline.db'), id);
    const again = await PacelineServer.start({ dataDir });
    try {
      const read = (path: string): Promise<Timed> =>
        timed(again, () => fetch(`${again.url}/api/v1/experiments/${id}${path}`));
      row('all done: figures of the first 250 cells, made', await read('/figures?limit=250'));
      row('all done: figures of the next, known', await read('/figures?limit=250&after=250'));
      row('all done: terms of the scores', await read('/terms'));
      row('all done: export as JSON with all that is derived', await read('/export?format=json'));
    } finally {
      await again.stop();
    }
  } finally {
    await server.dispose();
  }
  return rows;
};

/** As if all runs had ended, each with something else: to simulate them would take days. */
function endAll(path: string, id: string): void {
  const store = new Store(path);
  const end = (position: number, { id: run }: RunRef): void => {
    const drawn = ((position * 7919) % 1000) / 1000;
    const summary = summaryOf({
      duration_s: SPEC.duration_s,
      utilisation: 0.8 + 0.2 * drawn,
      queueing_ms: 5 + 40 * drawn,
    });
    const rest = { state: 'done', reason: null, stderr_tail: null, cost: null, time_s: SPEC.duration_s } as const;
    store.runs.finish(run, { ...rest, summary }, new Date(position).toISOString());
  };
  for (let from = 0; from < RUNS; from += 1000)
    store.transaction(() => {
      for (const { position, ref } of store.experiments.refs(id, { from, to: from + 1000 })) end(position, ref);
    });
  store.close();
}
