// A made-up experiment: a few traces, algorithms and limits, with repetitions that scatter and some runs still to come.
import { resolveLimit } from '#analysis/limits';
import { summaryOf, type Measured } from '#analysis/testing';
import type { RunSummary } from '#protocol/summary';
import type { Cell, ExperimentRecord, RunRef, RunRole, TraceRecord } from '#protocol/api';
import { ExperimentSpec, type BufferSpec } from '#protocol/spec';
import { LISTING, random } from './ccas';

const BASE_RTT_MS = 20;
const DURATION_S = 60;
const SWEPT = 'flows.0.extra_rtt_ms';

/** How a made-up algorithm behaves: utilisation and queueing (in base RTTs) at one BDP, and how both grow with the queue. */
const BEHAVIOUR: Readonly<Record<string, readonly [utilisation: number, gain: number, delay: number, growth: number]>> =
  {
    curve: [0.78, 0.18, 0.6, 0.95],
    halving: [0.7, 0.2, 0.5, 0.85],
    modelled: [0.86, 0.05, 0.9, 0.25],
    delaying: [0.66, 0.06, 0.25, 0.1],
    lively: [0.74, 0.12, 0.5, 0.6],
    plum: [0.6, 0.1, 0.3, 0.4],
    cellular: [0.9, 0.04, 1.4, 0.3],
    seer: [0.95, 0, 0.35, 0],
    perfect: [1, 0, 0, 0],
  };

/** The baseline of the scores is `curve`. */
const BASELINE_USES = 0.78;

export const BUFFERS: readonly BufferSpec[] = [{ bdp: 1 }, { bdp: 5 }, { bdp: 10 }, { infinite: true }];

export interface ExperimentFixtureOptions {
  readonly traces: readonly TraceRecord[];
  readonly ccas: readonly string[];
  readonly repetitions: number;
  /** Some of BUFFERS; absent: all. */
  readonly buffers?: readonly BufferSpec[];
  readonly full?: boolean;
  /** Of the delay that flows have of their own, ms. */
  readonly sweep?: readonly number[];
  /** Share of the runs that have finished. */
  readonly progress?: number;
}

export function experimentFixture({
  traces,
  ccas,
  repetitions,
  buffers = BUFFERS,
  full = false,
  sweep,
  progress = 1,
}: ExperimentFixtureOptions): ExperimentRecord {
  const cells: Cell[] = [];
  const runs: RunRef[] = [];
  for (const trace of traces)
    for (const id of ccas)
      for (const [buffer, value] of buffers.flatMap((each) => (sweep ?? [null]).map((of) => [each, of] as const))) {
        const cell: Cell = {
          key: `${trace.name}/${id}/${JSON.stringify(buffer)}${value === null ? '' : `/${value}`}`,
          trace: { trace: trace.id },
          trace_name: trace.name,
          cca: { id, params: {} },
          buffer,
          queue: { id: 'droptail', params: {} },
          base_rtt_ms: BASE_RTT_MS,
          loss: 0,
          ...(value === null ? {} : { sweep: { path: SWEPT, value } }),
          limit_bytes: resolveLimit(buffer, trace.info.mean_mbps, BASE_RTT_MS).bytes,
        };
        cells.push(cell);
        const roles: RunRole[] =
          full && LISTING.get(id)?.kind === 'sender' ? ['solo', 'self_pair', 'baseline_pair'] : ['solo'];
        for (const role of roles)
          for (let repetition = 0; repetition < repetitions; repetition++)
            runs.push(runOf(cell, trace, role, repetition, runs.length));
      }
  const done = Math.round(runs.length * progress);
  const shown = runs.map((run, i): RunRef =>
    i < done ? run : { ...run, state: i === done ? 'running' : 'queued', time_s: 0, summary: null },
  );
  return {
    id: 'gallery-experiment',
    name: 'Gallery',
    state: progress < 1 ? 'running' : 'done',
    created_at: '2026-01-01T00:00:00Z',
    traces: traces.map((trace) => trace.name),
    ccas: [...ccas],
    runs_total: runs.length,
    runs_done: done,
    runs_failed: 0,
    spec: ExperimentSpec.parse({
      duration_s: DURATION_S,
      repetitions,
      traces: traces.map((trace) => ({ trace: trace.id })),
      ccas: ccas.map((id) => ({ id })),
      buffers: [...buffers],
      full_scores: full,
      ...(sweep === undefined ? {} : { sweep: { path: SWEPT, values: [...sweep] } }),
    }),
    cells,
    runs: shown,
    eta_s: null,
  };
}

/** As the engine tells it, of exponential delays. */
function spreadOf(count: number, mean_ms: number): number[] {
  const longer = (ms: number): number => Math.round(count * Math.exp(-ms / mean_ms));
  return Array.from({ length: 130 }, (_, i) => 0.262144 * 2 ** (i / 8)).flatMap((ms, i) => {
    const packets = (i === 0 ? count : longer(ms / 2 ** (1 / 8))) - longer(ms);
    return packets > 0 ? [ms, packets] : [];
  });
}

/** The made-up summary is of a 12 Mbps link: its capacity becomes the trace's. */
function onTrace(trace: TraceRecord, measured: Measured): RunSummary {
  const summary = summaryOf(measured);
  const links = summary.links.map((link) => ({
    ...link,
    capacity_mean_mbps: trace.info.mean_mbps,
    queueing_delay: {
      ...link.queueing_delay,
      spread: spreadOf(link.queueing_delay.count, link.queueing_delay.mean_ms ?? 1),
    },
  }));
  return { ...summary, links };
}

function runOf(cell: Cell, trace: TraceRecord, role: RunRole, repetition: number, index: number): RunRef {
  const draw = random(index * 7919 + 13);
  const [utilisation, gain, delay, growth] = BEHAVIOUR[cell.cca.id] ?? [0.5, 0.1, 1, 0.5];
  const level = BUFFERS.indexOf(cell.buffer);
  const reference = LISTING.get(cell.cca.id)?.kind !== 'sender';
  const scatter = reference ? 0 : (draw() - 0.5) * 0.05;
  const used = Math.min(0.995, utilisation + (gain * level) / 3 + scatter);
  const queueing =
    BASE_RTT_MS *
    (delay + delay * growth * ([0, 3, 7, 30][level] ?? 0)) *
    (1 + (reference ? 0 : (draw() - 0.5) * 0.25));
  const fairness = ([1, 2, 5, 10, 20, 50, 100, 500] as const).map((k) => [k, 0.75 + 0.2 * draw()] as const);
  const total = trace.info.mean_mbps * used;
  // Beside the baseline the flow that fills a link better alone has more than half.
  const share = role === 'baseline_pair' ? 0.5 + (utilisation - BASELINE_USES) : 0.5;
  return {
    id: `run-${index}`,
    cell: cell.key,
    role,
    repetition,
    state: 'done',
    reason: null,
    time_s: DURATION_S,
    summary: onTrace(trace, {
      utilisation: reference && cell.cca.id === 'perfect' ? 1 : used,
      queueing_ms: queueing,
      p95_ms: queueing * 2.2,
      throughput_mbps: role === 'solo' ? total : [total * share, total * (1 - share)],
      ccas: role === 'solo' ? [cell.cca.id] : [cell.cca.id, role === 'self_pair' ? cell.cca.id : 'curve'],
      base_rtt_ms: BASE_RTT_MS,
      duration_s: DURATION_S,
      ...(role !== 'solo' && { fairness }),
    }),
  };
}
