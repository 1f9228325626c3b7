// Made-up engine listing, traces and summaries for the tests of this folder and of those that use it.
import type { FindTrace, TraceFacts } from '#analysis/check-spec';
import { resolveLimit } from '#analysis/limits';
import type { Cell, RunRef, RunRole, RunState } from '#protocol/api';
import type { CcaDescriptor, EngineListing } from '#protocol/cca';
import type { BufferSpec, ParamValues } from '#protocol/spec';
import type { FairnessSummary, RunSummary } from '#protocol/summary';
import type { Swept } from '#protocol/sweep';

const cca = (id: string, slot: number, more: Partial<CcaDescriptor> = {}): CcaDescriptor => ({
  id,
  label: id.toUpperCase(),
  family: 'test',
  kind: 'sender',
  baseline: false,
  summary: '',
  source: '',
  engines: ['virtual', 'realtime'],
  identity: { slot, marker: 'circle', hollow: false },
  params: [],
  internals: [],
  ...more,
});

const param = { label: '', unit: '', min: null, max: null, choices: [], help: '' };

export const LISTING: EngineListing = {
  engine_version: '1.2.3',
  protocol: 1,
  ccas: [
    cca('base', 0, {
      baseline: true,
      params: [
        { ...param, name: 'beta', type: 'number', unit: 'share', default: 0.7, min: 0.1, max: 0.9 },
        { ...param, name: 'rounds', type: 'integer', default: 3, min: 1, max: 10 },
        { ...param, name: 'fast', type: 'boolean', default: true },
        { ...param, name: 'mode', type: 'choice', default: 'linux', choices: ['linux', 'rfc'] },
      ],
      internals: [{ name: 'w_max_bytes', label: '', unit: 'B', states: [] }],
    }),
    cca('rival', 1),
    cca('seer', 2, { kind: 'oracle' }),
    cca('perfect', 3, { kind: 'ideal', engines: ['virtual'] }),
    cca('slow', 4, { engines: ['virtual'] }),
    cca('kernel-base', 0, { kind: 'kernel', baseline: true, engines: ['realtime'] }),
    cca('kernel-rival', 1, { kind: 'kernel', engines: ['realtime'] }),
    cca('quic-base', 0, {
      kind: 'quic',
      baseline: true,
      engines: ['realtime'],
      params: [{ ...param, name: 'grow_underutilised', type: 'boolean', default: false }],
    }),
    cca('external-tool', 5, { kind: 'external', engines: ['realtime'], revision: 'abc123' }),
  ],
  unavailable: [],
  queues: [
    {
      id: 'droptail',
      label: 'droptail',
      summary: '',
      source: '',
      limited: true,
      params: [],
    },
    {
      id: 'aqm',
      label: 'AQM',
      summary: '',
      source: '',
      limited: false,
      params: [{ ...param, name: 'target_ms', type: 'number', unit: 'ms', default: 5, min: 0.1, max: 100 }],
    },
  ],
};

export const TRACES: readonly TraceFacts[] = [
  { id: 'a'.repeat(64), name: 'lte.down', mean_mbps: 12, period_ms: 100_000 },
  { id: 'b'.repeat(64), name: '5g.down', mean_mbps: 600, period_ms: 40_000 },
];

export const findTrace: FindTrace = (reference) =>
  TRACES.find((trace) => trace.id === reference || trace.name === reference);

export interface Measured {
  readonly utilisation: number;
  readonly queueing_ms: number;
  readonly p95_ms?: number;
  readonly throughput_mbps?: number | readonly number[];
  readonly ccas?: readonly string[];
  readonly fairness?: readonly (readonly [k: number, mean: number | null])[];
  readonly base_rtt_ms?: number;
  readonly duration_s?: number;
}

/** A consistent summary on a link of 12 Mbps: RTT = base + queueing delay; 1000 packets a second at utilisation 1. */
export function summaryOf(measured: Measured): RunSummary {
  const { utilisation, queueing_ms, base_rtt_ms = 20, duration_s = 60, ccas = ['rival'] } = measured;
  const p95 = measured.p95_ms ?? queueing_ms;
  const delivered = Math.round(1000 * duration_s * utilisation);
  const rates = measured.throughput_mbps ?? ccas.map(() => (12 * utilisation) / ccas.length);
  const rate = (flow: number): number => (typeof rates === 'number' ? rates : (rates[flow] ?? 0));
  const delay = (offset: number) => ({
    count: delivered,
    mean_ms: queueing_ms + offset,
    p50_ms: queueing_ms + offset,
    p95_ms: p95 + offset,
    p99_ms: p95 + offset,
    max_ms: p95 + offset,
  });
  return {
    duration_s,
    base_rtt_ms,
    links: [
      {
        direction: 'forward',
        from_s: 0,
        to_s: duration_s,
        capacity_bytes: 1_500_000 * duration_s,
        delivered_bytes: 1500 * delivered,
        utilisation,
        capacity_mean_mbps: 12,
        arrived_packets: delivered + 10,
        delivered_packets: delivered,
        dropped_packets: 10,
        lost_packets: 0,
        marked_packets: 0,
        queued_packets: 0,
        queueing_delay: delay(0),
        flows: ccas.map((_, flow) => ({ flow, queueing_delay: delay(0) })),
        queue_mean_bytes: queueing_ms * 1500,
        queue_max_bytes: p95 * 1500,
      },
    ],
    senders: ccas.map((id, flow) => ({
      flow,
      cca: id,
      sent_packets: delivered + 10,
      sent_bytes: 1500 * (delivered + 10),
      delivered_packets: delivered,
      lost_packets: 10,
      spurious_packets: 0,
      retransmitted_packets: 10,
      inflight_packets: 0,
      loss_episodes: 1,
      timeouts: 0,
      rtt: delay(base_rtt_ms),
      delay_inflation: (queueing_ms + base_rtt_ms) / base_rtt_ms,
    })),
    receivers: ccas.map((_, flow) => ({
      flow,
      received_packets: delivered,
      received_bytes: (rate(flow) * 1e6 * duration_s) / 8,
      duplicate_packets: 0,
      throughput_mbps: rate(flow),
      owd: delay(base_rtt_ms / 2),
      base_owd_ms: base_rtt_ms / 2,
      base_rtt_ms,
    })),
    ...(ccas.length < 2
      ? {}
      : {
          all_flows: { rtt: delay(base_rtt_ms), owd: delay(base_rtt_ms / 2), message_delay: { ...delay(0), count: 0 } },
        }),
    fairness: (measured.fairness ?? []).map(([k, mean]): FairnessSummary => ({
      k,
      window_ms: k * base_rtt_ms,
      windows: 100,
      mean,
      p25: mean,
      p50: mean,
      p75: mean,
    })),
    lateness: null,
  };
}

export interface TestRun extends Measured {
  readonly cca: string;
  readonly params?: ParamValues;
  readonly buffer?: BufferSpec;
  readonly trace?: string;
  readonly loss?: number;
  readonly sweep?: Swept;
  readonly role?: RunRole;
  readonly repetition?: number;
  readonly state?: RunState;
  readonly reason?: string;
  /** By an engine of before. */
  readonly earlier?: boolean;
}

function told(run: TestRun): RunSummary {
  const summary = summaryOf({ ccas: [run.cca], ...run });
  return run.earlier === true ? asEarlier(summary) : summary;
}

/** The same as an engine told it that kept no packet's delay of a flow (0.1.0). */
export function asEarlier(summary: RunSummary): RunSummary {
  const { all_flows: _, ...rest } = summary;
  return {
    ...rest,
    links: summary.links.map(({ flows: _flows, ...link }) => link),
    receivers: summary.receivers.map(({ base_owd_ms: _owd, base_rtt_ms: _rtt, ...receiver }) => receiver),
  };
}

/** An experiment whose runs measured just this; cells are made as they are needed. */
export function experimentOf(measured: readonly TestRun[]): {
  spec: { duration_s: number };
  cells: Cell[];
  runs: RunRef[];
} {
  const cells = new Map<string, Cell>();
  const runs = measured.map((run, i): RunRef => {
    const {
      buffer = { infinite: true },
      trace = 'lte.down',
      loss = 0,
      base_rtt_ms = 20,
      params = {},
      sweep,
      state = 'done',
    } = run;
    const key = JSON.stringify([run.cca, params, buffer, trace, loss, base_rtt_ms, sweep]);
    cells.set(key, {
      key,
      trace: { trace },
      trace_name: trace,
      cca: { id: run.cca, params },
      buffer,
      queue: { id: 'droptail', params: {} },
      base_rtt_ms,
      loss,
      ...(sweep === undefined ? {} : { sweep }),
      limit_bytes: resolveLimit(buffer, 12, base_rtt_ms).bytes,
    });
    return {
      id: `run-${i}`,
      cell: key,
      role: run.role ?? 'solo',
      repetition: run.repetition ?? 0,
      state,
      reason: run.reason ?? null,
      time_s: 60,
      summary: state === 'done' || state === 'invalid' ? told(run) : null,
    };
  });
  return { spec: { duration_s: 60 }, cells: [...cells.values()], runs };
}
