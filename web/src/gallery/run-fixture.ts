// A made-up run for judging figures: windows that grow and are cut over a wandering capacity, one 10 ms step at a time. Not an
// emulator: it only has to look like telemetry, be the same everywhere, and grow like a live run.
import {
  type ColumnSpec,
  ELEMENT_COLUMNS,
  elementStream,
  LINK_COLUMNS,
  RECEIVER_COLUMNS,
  receiverStream,
  SENDER_COLUMNS,
  senderStream,
} from '#protocol/columns';
import type { RunEvent, StreamInfo } from '#protocol/control';
import { RunManifest } from '#protocol/manifest';
import type { RunSamples, StreamData } from '../plots/data';
import { LISTING, random } from './ccas';

const TIME = { name: 'time_s', type: 'f64', unit: 's', label: 'time' } as const;
const f32 = ({ name, unit, label }: Omit<ColumnSpec, 'doc'>) => ({ name, type: 'f32', unit, label }) as const;

class Stream implements StreamData {
  readonly info: StreamInfo;
  readonly time: Float64Array;
  rows = 0;
  readonly #columns = new Map<string, Float32Array>();

  constructor(info: StreamInfo, capacity: number) {
    this.info = info;
    this.time = new Float64Array(capacity);
    for (const { name } of info.columns.slice(1)) this.#columns.set(name, new Float32Array(capacity).fill(NaN));
  }
  column(name: string): Float32Array | undefined {
    return this.#columns.get(name);
  }
  add(time: number, values: Readonly<Record<string, number>>): void {
    this.time[this.rows] = time;
    for (const [name, value] of Object.entries(values)) {
      const column = this.#columns.get(name);
      if (column !== undefined) column[this.rows] = value;
    }
    this.rows++;
  }
}

interface FlowState {
  readonly fps: number | null;
  readonly cca: string;
  readonly start: number;
  cwnd: number;
  srtt: number;
  minRtt: number;
  estimate: number;
  lastCut: number;
  cutTo: number;
}

export interface RunFixtureOptions {
  /** `fps`: an application of frames. */
  readonly flows: readonly { readonly cca: string; readonly start_s?: number; readonly fps?: number }[];
  readonly duration_s: number;
  readonly period_ms?: number;
  readonly seed?: number;
  /** Mean capacity. */
  readonly mbps?: number;
}

const BASE_RTT_MS = 20;
const MSS = 1500;
const ELEMENT = elementStream('forward', 0);

/** A run that is made while it is looked at: `advance` until `complete`. */
export class RunFixture implements RunSamples {
  readonly manifest: RunManifest;
  readonly streams = new Map<number, Stream>();
  readonly events: RunEvent[] = [];
  timeS = 0;
  complete = false;
  readonly #random: () => number;
  readonly #flows: FlowState[];
  readonly #period: number;
  readonly #mean: number;
  readonly #limit: number;
  #queue = 0;
  #walk = 0;
  #fade = 0;
  #row = 0;
  readonly #listeners = new Set<() => void>();

  constructor(options: RunFixtureOptions) {
    const { duration_s, flows, period_ms = 10, seed = 7, mbps = 18 } = options;
    this.#random = random(seed);
    this.#period = period_ms / 1000;
    this.#mean = mbps;
    this.#limit = Math.round((5 * mbps * 125 * BASE_RTT_MS) / MSS) * MSS;
    this.#flows = flows.map(({ cca, start_s = 0, fps }) => ({
      cca,
      fps: fps ?? null,
      start: start_s,
      cwnd: 10 * MSS,
      srtt: BASE_RTT_MS,
      minRtt: Infinity,
      estimate: 1,
      lastCut: -1,
      cutTo: 0,
    }));
    this.manifest = manifestOf(options, this.#limit);
    const rows = Math.ceil(duration_s / this.#period) + 1;
    const add = (info: StreamInfo): void => void this.streams.set(info.stream, new Stream(info, rows));
    add({ stream: 0, kind: 'link', direction: 'forward', columns: [TIME, ...LINK_COLUMNS.map(f32)] });
    add({
      stream: ELEMENT,
      kind: 'element',
      direction: 'forward',
      place: 0,
      element: 'buffer',
      label: 'Buffer',
      columns: [TIME, ...ELEMENT_COLUMNS.map(f32), f32({ name: 'queue_bytes', unit: 'B', label: 'queue' })],
    });
    flows.forEach(({ cca }, flow) => {
      const internals = LISTING.get(cca)?.internals ?? [];
      const own = internals.map((internal) => ({
        ...f32(internal),
        ...(internal.states.length > 0 && { states: [...internal.states] }),
      }));
      add({
        stream: senderStream(flow),
        kind: 'sender',
        flow,
        cca,
        columns: [TIME, ...SENDER_COLUMNS.map(f32), ...own],
      });
      add({ stream: receiverStream(flow), kind: 'receiver', flow, cca, columns: [TIME, ...RECEIVER_COLUMNS.map(f32)] });
    });
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Runs on to a time and tells whoever listens. */
  advance(toS: number): this {
    const end = Math.min(toS, this.manifest.duration_s);
    while ((this.#row + 1) * this.#period <= end + 1e-9) this.#step();
    this.complete = this.timeS >= this.manifest.duration_s - this.#period / 2;
    for (const listener of this.#listeners) listener();
    return this;
  }

  finish(): this {
    return this.advance(this.manifest.duration_s);
  }

  #capacity(): number {
    this.#walk = 0.995 * this.#walk + 0.06 * (this.#random() - 0.5) * 2;
    if (this.#fade > 0) this.#fade -= this.#period;
    else if (this.#random() < this.#period / 9) this.#fade = 0.3 + this.#random();
    const level = this.#mean * Math.exp(this.#walk * 1.6) * (this.#fade > 0 ? 0.12 : 1);
    return level * (0.7 + 0.6 * this.#random());
  }

  #step(): void {
    const time = ++this.#row * this.#period;
    this.timeS = time;
    const capacity = this.#capacity();
    const opportunity = capacity * 125_000 * this.#period;
    const active = this.#flows.filter((flow) => time >= flow.start);
    const delay = (this.#queue * 8e-3) / Math.max(capacity, 0.5);
    const rtt = BASE_RTT_MS + Math.min(delay, 4000);
    const offered = active.map((flow) => (flow.cwnd * this.#period * 1000) / rtt);
    const total = offered.reduce((a, b) => a + b, 0);
    let waiting = this.#queue + total;
    const delivered = Math.min(waiting, opportunity);
    waiting -= delivered;
    const peak = Math.min(this.#limit, waiting * 1.02 + MSS);
    const dropped = Math.max(0, waiting - this.#limit);
    this.#queue = Math.min(waiting, this.#limit);
    this.streams.get(0)?.add(time, {
      capacity_mbps: (Math.round(opportunity / MSS) * MSS) / (125_000 * this.#period),
      delivered_mbps: delivered / (125_000 * this.#period),
      queue_bytes: this.#queue,
      queue_max_bytes: peak,
      queue_packets: this.#queue / MSS,
      dropped_packets: Math.ceil(dropped / MSS),
      lost_packets: 0,
      marked_packets: 0,
      sojourn_mean_ms: delivered > 0 ? delay : NaN,
      sojourn_max_ms: delivered > 0 ? delay * 1.1 : NaN,
    });
    this.streams.get(ELEMENT)?.add(time, {
      entered_packets: total / MSS,
      passed_packets: delivered / MSS,
      lost_packets: Math.ceil(dropped / MSS),
      copied_packets: 0,
      held_packets: this.#queue / MSS,
      queue_bytes: this.#queue,
    });
    this.#flows.forEach((flow, index) => {
      const at = active.indexOf(flow);
      const share = at < 0 || total === 0 ? 0 : (offered[at] ?? 0) / total;
      this.#flowStep(flow, index, time, at >= 0, share * delivered, rtt, dropped > 0 && this.#random() < 0.15 + share);
    });
  }

  #flowStep(
    flow: FlowState,
    index: number,
    time: number,
    active: boolean,
    got: number,
    rtt: number,
    lost: boolean,
  ): void {
    const rate = got / (125_000 * this.#period);
    const latest = rtt * (0.97 + 0.06 * this.#random());
    const cut = lost && time - flow.lastCut > (2 * rtt) / 1000;
    if (active) {
      flow.srtt += (latest - flow.srtt) / 8;
      flow.minRtt = Math.min(flow.minRtt, latest);
      flow.estimate = Math.max(flow.estimate * 0.998, rate);
      if (cut) this.#cut(flow, index, time);
      else this.#grow(flow, time, got);
    }
    const has = active && got > 0;
    this.streams.get(senderStream(index))?.add(time, {
      sent_mbps: active ? rate : 0,
      cwnd_bytes: active ? flow.cwnd : NaN,
      inflight_bytes: active ? Math.min(flow.cwnd, flow.cwnd * (0.94 + 0.06 * this.#random())) : NaN,
      srtt_ms: active ? flow.srtt : NaN,
      latest_rtt_ms: has ? latest : NaN,
      min_rtt_ms: active ? flow.minRtt : NaN,
      rto_ms: active ? flow.srtt + 200 : NaN,
      lost_packets: cut ? 3 : 0,
      phase: phaseAt(time - flow.start),
      bw_mbps: active ? flow.estimate : NaN,
    });
    if (flow.fps !== null && active && Math.floor(time * flow.fps) > Math.floor((time - this.#period) * flow.fps))
      this.events.push({
        type: 'event',
        time_s: time,
        flow: index,
        event: 'message',
        value: flow.srtt,
        detail: String(Math.round(4e6 / 8 / flow.fps)),
      });
    this.streams.get(receiverStream(index))?.add(time, {
      throughput_mbps: rate,
      owd_mean_ms: has ? rtt - BASE_RTT_MS / 2 : NaN,
      owd_max_ms: has ? rtt : NaN,
    });
  }

  #cut(flow: FlowState, index: number, time: number): void {
    flow.lastCut = time;
    flow.cutTo = flow.cwnd;
    const timeout = this.#random() < 0.04;
    flow.cwnd = timeout ? MSS : Math.max(2 * MSS, flow.cwnd * (flow.cca === 'halving' ? 0.5 : 0.7));
    this.events.push({ type: 'event', time_s: time, flow: index, event: timeout ? 'rto' : 'loss_episode', value: 3 });
  }

  #grow(flow: FlowState, time: number, got: number): void {
    if (flow.cca.startsWith('modelled')) {
      if (time - flow.start < 0.4) {
        flow.cwnd *= 1.08;
        return;
      }
      const gain =
        phaseAt(time - flow.start) === 3 ? 0.25 : ([1.25, 0.75, 1, 1, 1, 1, 1, 1][Math.floor(time / 0.06) % 8] ?? 1);
      flow.cwnd = Math.max(4 * MSS, flow.estimate * 125 * BASE_RTT_MS * 2 * gain);
      return;
    }
    if (flow.lastCut < 0) flow.cwnd += got;
    else if (flow.cca === 'curve') {
      const k = Math.cbrt((flow.cutTo * 0.3) / MSS / 0.4);
      flow.cwnd = Math.max(flow.cwnd, (0.4 * (time - flow.lastCut - k) ** 3 + flow.cutTo / MSS) * MSS);
    } else flow.cwnd += (got * MSS) / flow.cwnd;
  }
}

/** STARTUP, DRAIN, then probing with a visit to PROBE_RTT every ten seconds. */
function phaseAt(age: number): number {
  if (age < 0) return NaN;
  if (age < 0.4) return 0;
  if (age < 0.6) return 1;
  return age % 10 > 9.8 ? 3 : 2;
}

function manifestOf({ flows, duration_s, period_ms = 10, seed = 7 }: RunFixtureOptions, limit: number): RunManifest {
  const queue = { id: 'droptail', limit_bytes: limit, limit_packets: null, params: {} };
  return RunManifest.parse({
    schema: 1,
    engine: 'virtual',
    path: 'memory',
    engine_version: 'gallery',
    duration_s,
    sample_period_ms: period_ms,
    seed,
    repetition: 0,
    forward: {
      loss: 0,
      queue,
      capacity: { kind: 'trace', sha256: 'a'.repeat(64), name: 'gallery-walk' },
      delay_ms: BASE_RTT_MS / 2,
    },
    reverse: {
      loss: 0,
      queue: { ...queue, limit_bytes: null },
      capacity: { kind: 'unlimited' },
      delay_ms: BASE_RTT_MS / 2,
    },
    flows: flows.map(({ cca, start_s = 0, fps }) => ({
      cca: { id: cca, params: {} },
      start_s,
      stop_s: null,
      extra_rtt_ms: 0,
      transport: 'tcp',
      ack_every: 2,
      source: fps === undefined ? { kind: 'bulk' } : { kind: 'frames', fps, rate_mbps: 4 },
    })),
  });
}
