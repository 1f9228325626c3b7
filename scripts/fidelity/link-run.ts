import { listCcas } from '#bridge/ccas';
import { run } from '#bridge/run';
import { FORWARD_LINK_STREAM, receiverStream, senderStream, TIME_COLUMN } from '#protocol/columns';
import type { Hello } from '#protocol/control';
import { decodeSamples } from '#protocol/frames';
import type { CapacitySpec, RunManifest } from '#protocol/manifest';
import { USUAL_WINDOW_LIMIT } from '#protocol/spec';
import type { LinkSummary, RunSummary } from '#protocol/summary';
import type { Bench } from './bench.ts';
import { switched } from './switches.ts';

export const PACKET_BYTES = 1500;

export interface FlowOfRun {
  readonly cca: string;
  readonly params?: Readonly<Record<string, number | string | boolean>>;
  readonly startS?: number;
}

/** Bulk flows over one bottleneck, acknowledgements unhindered. */
export interface LinkRunPlan {
  readonly flows: readonly FlowOfRun[];
  readonly capacity: CapacitySpec;
  /** null: without limit. */
  readonly queueBytes: number | null;
  readonly rttMs: number;
  readonly seconds: number;
  readonly samplePeriodMs?: number;
  readonly loss?: number;
  readonly seed?: number;
  readonly ackEvery?: number;
  /** As an experiment's flows have it that says nothing: acknowledgements and receive window of Linux. */
  readonly linuxReceiver?: boolean;
  /** Other than droptail. */
  readonly discipline?: string;
  /** In real time over UDP, instead of in virtual time. */
  readonly live?: boolean;
}

const { engine_version } = await listCcas();

function manifestOf(plan: LinkRunPlan): RunManifest {
  const path = { loss: 0, delay_ms: plan.rttMs / 2 };
  const infinite = { id: 'infinite', limit_bytes: null, limit_packets: null, params: {} };
  return {
    schema: 1,
    engine: plan.live === true ? 'realtime' : 'virtual',
    path: plan.live === true ? 'udp' : 'memory',
    engine_version,
    duration_s: plan.seconds,
    sample_period_ms: plan.samplePeriodMs ?? 10,
    seed: plan.seed ?? 1,
    repetition: 0,
    forward: {
      ...path,
      loss: plan.loss ?? 0,
      queue:
        plan.queueBytes === null
          ? infinite
          : {
              ...infinite,
              id: plan.discipline ?? 'droptail',
              limit_bytes: Math.max(2 * PACKET_BYTES, Math.floor(plan.queueBytes)),
            },
      capacity: plan.capacity,
    },
    reverse: { ...path, queue: infinite, capacity: { kind: 'unlimited' } },
    flows: plan.flows.map(({ cca, params = {}, startS = 0 }) => ({
      cca: { id: cca, params },
      start_s: startS,
      stop_s: null,
      extra_rtt_ms: 0,
      transport: 'tcp',
      ack_every: plan.ackEvery ?? 1,
      ...(plan.linuxReceiver === true && { ack: 'linux', window_limit_bytes: USUAL_WINDOW_LIMIT }),
      source: { kind: 'bulk' },
    })),
  };
}

/** What a run left behind: its summary and every sample, by stream and column. */
export class LinkRun {
  readonly summary: RunSummary;
  readonly #columns: ReadonlyMap<number, ReadonlyMap<string, readonly number[]>>;

  constructor(summary: RunSummary, columns: ReadonlyMap<number, ReadonlyMap<string, readonly number[]>>) {
    this.summary = summary;
    this.#columns = columns;
  }

  get link(): LinkSummary {
    const link = this.summary.links.find(({ direction }) => direction === 'forward');
    if (link === undefined) throw new Error('the run has no forward link');
    return link;
  }

  linkColumn = (name: string, fromS = 0, toS = Infinity): number[] =>
    this.#column(FORWARD_LINK_STREAM, name, fromS, toS);
  senderColumn = (flow: number, name: string, fromS = 0, toS = Infinity): number[] =>
    this.#column(senderStream(flow), name, fromS, toS);
  /** Mean rate of what arrived for the first time. */
  throughputMbps = (flow: number, fromS = 0, toS = Infinity): number =>
    mean(this.#column(receiverStream(flow), 'throughput_mbps', fromS, toS));

  #column(stream: number, name: string, fromS: number, toS: number): number[] {
    const columns = this.#columns.get(stream);
    const values = columns?.get(name);
    const times = columns?.get(TIME_COLUMN.name);
    if (values === undefined || times === undefined)
      throw new Error(`stream ${stream} has no column ${name}; it has ${[...(columns?.keys() ?? [])].join(', ')}`);
    return values.filter((_, row) => (times[row] ?? 0) > fromS && (times[row] ?? 0) <= toS);
  }
}

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
export const mean = (values: readonly number[]): number => sum(values) / values.length;

/** Runs the plan; throws with what the program said when it fails. */
export async function runOverLink(written: LinkRunPlan, { dir, switches }: Bench): Promise<LinkRun> {
  const plan = switched(written, switches);
  const names = new Map<number, readonly string[]>();
  const columns = new Map<number, Map<string, number[]>>();
  const learn = (hello: Hello): void => {
    for (const { stream, columns: described } of hello.streams)
      names.set(
        stream,
        described.map(({ name }) => name),
      );
  };
  const { outcome, reason, summary, stderrTail } = await run(manifestOf(plan), {
    tracesDir: dir,
    onFrame: (bytes, header, control) => {
      if (control?.type === 'hello') learn(control);
      if (control !== null) return;
      const block = decodeSamples(bytes);
      const known = columns.get(header.stream) ?? new Map<string, number[]>();
      columns.set(header.stream, known);
      const named = names.get(header.stream) ?? [];
      [block.time, ...block.columns].forEach((values, index) => {
        const name = named[index] ?? '';
        const all = known.get(name) ?? [];
        known.set(name, all);
        for (const value of values) all.push(value);
      });
    },
  });
  if (outcome !== 'done' || summary === null)
    throw new Error(`${plan.flows.map(({ cca }) => cca).join(' + ')}: ${reason ?? outcome}\n${stderrTail}`);
  return new LinkRun(summary, columns);
}
