import { figuresOf, type ControlFrame, type Cost, type Hello } from '#protocol/control';
import { FRAME_KIND_CONTROL, readFrameHeader } from '#protocol/frames';
import { encodeControl } from '#protocol/samples';
import type { LatenessSummary, RunSummary } from '#protocol/summary';
import type { z } from 'zod';
import { allFlowsOf, withoutSpreads } from './join-delays.ts';
import type { Frame } from './frame-decoder.ts';
import type { FrameSink } from './watch.ts';

type Lateness = z.infer<typeof LatenessSummary>;

/** What one process of the run has said so far. */
interface Part {
  readonly label: string;
  hello: Hello | null;
  summary: RunSummary | null;
  cost: Cost | null;
  progress_s: number;
  end_s: number | null;
}

/** What may wait for the last `hello`: a voice that goes on and on before the others have begun must not fill the memory. */
const MOST_WAITING_BYTES = 16 << 20;
const CONTROL_BYTES = 256;

/**
 * Makes one telemetry stream of the streams of a run's processes: one `hello` with all streams, control frames numbered anew, sample
 * frames untouched, the slowest process's progress, one summary, one `end`. What comes before the last `hello` waits for it.
 */
export class TelemetryJoiner {
  readonly #parts: Part[];
  readonly #sink: FrameSink;
  readonly #waiting: (() => void | Promise<void>)[] = [];
  #waitingBytes = 0;
  #greeted = false;
  #nextControl = 0;
  #progress_s = 0;
  summary: RunSummary | null = null;
  cost: Cost | null = null;

  /** `labels`: whose streams these are, in the order of their numbers. */
  constructor(labels: readonly string[], sink: FrameSink) {
    this.#parts = labels.map((label) => ({
      label,
      hello: null,
      summary: null,
      cost: null,
      progress_s: 0,
      end_s: null,
    }));
    this.#sink = sink;
  }

  async accept(index: number, frame: Frame, control: ControlFrame | null): Promise<void> {
    const part = this.#parts[index];
    if (part === undefined) throw new RangeError(`the run has no process ${index}`);
    if (control === null) {
      await this.#afterHello(part, frame.bytes.byteLength, () => this.#sink(frame, null));
      return;
    }
    switch (control.type) {
      case 'ready':
        return;
      case 'hello':
        this.#claim(part, control);
        return this.#greet();
      case 'progress':
        part.progress_s = control.time_s;
        return this.#advance(part);
      case 'summary':
        this.#take(part, figuresOf(control));
        return;
      case 'cost':
        part.cost = control;
        return;
      case 'end':
        if (part.summary === null) throw new Error(`${part.label} gave no summary`);
        part.end_s = control.time_s;
        return this.#finish();
      case 'event':
      case 'error':
        return this.#afterHello(part, CONTROL_BYTES, () => this.#emit(control));
    }
  }

  #claim(part: Part, hello: Hello): void {
    for (const { stream } of hello.streams)
      for (const other of this.#parts)
        if (other.hello?.streams.some((taken) => taken.stream === stream) === true)
          throw new Error(`${part.label} speaks of stream ${stream}, which is ${other.label}’s`);
    part.hello = hello;
  }

  /** What one tells no other may tell as well: nobody could say which of both is right. */
  #take(part: Part, summary: RunSummary): void {
    const known = new Set(sharesOf(summary));
    for (const other of this.#parts)
      for (const share of other === part || other.summary === null ? [] : sharesOf(other.summary))
        if (known.has(share)) throw new Error(`${part.label} tells of ${share}, as ${other.label} did`);
    part.summary = summary;
  }

  #afterHello(part: Part, bytes: number, send: () => void | Promise<void>): void | Promise<void> {
    if (this.#greeted) return send();
    this.#waitingBytes += bytes;
    if (this.#waitingBytes > MOST_WAITING_BYTES) throw new Error(`${part.label} went on before all others had begun`);
    this.#waiting.push(send);
  }

  async #greet(): Promise<void> {
    const hellos = this.#parts.map((part) => part.hello).filter((hello) => hello !== null);
    const [first] = hellos;
    if (first === undefined || hellos.length < this.#parts.length) return;
    const streams = hellos.flatMap((hello) => hello.streams).sort((a, b) => a.stream - b.stream);
    await this.#emit({ ...first, clock: 'monotonic', streams });
    // What arrives while these are sent queues up behind them.
    for (let send = this.#waiting.shift(); send !== undefined; send = this.#waiting.shift()) await send();
    this.#greeted = true;
  }

  async #advance(part: Part): Promise<void> {
    const slowest = Math.min(...this.#parts.map((part) => part.progress_s));
    if (slowest <= this.#progress_s) return;
    this.#progress_s = slowest;
    await this.#afterHello(part, CONTROL_BYTES, () => this.#emit({ type: 'progress', time_s: slowest }));
  }

  async #finish(): Promise<void> {
    const ends = this.#parts.map((part) => part.end_s).filter((end) => end !== null);
    if (ends.length < this.#parts.length) return;
    this.summary = joinSummaries(this.#parts.map((part) => part.summary).filter((summary) => summary !== null));
    this.cost = joinCosts(this.#parts.map((part) => part.cost).filter((cost) => cost !== null));
    if (this.summary !== null) await this.#emit({ type: 'summary', ...this.summary });
    if (this.cost !== null) await this.#emit(this.cost);
    await this.#emit({ type: 'end', time_s: Math.min(...ends) });
  }

  #emit(control: ControlFrame): void | Promise<void> {
    const bytes = encodeControl(this.#nextControl, control);
    this.#nextControl += 1;
    const header = readFrameHeader(new DataView(bytes.buffer));
    if (header.kind !== FRAME_KIND_CONTROL) throw new Error('unreachable: an encoded control frame is one');
    return this.#sink({ header, bytes }, control);
  }
}

/** What a summary has the figures of. */
const sharesOf = ({ links, senders, receivers, fairness }: RunSummary): string[] => [
  ...links.map(({ direction }) => `the ${direction} link`),
  ...senders.map(({ flow }) => `the sender of flow ${flow}`),
  ...receivers.map(({ flow }) => `the receiver of flow ${flow}`),
  ...(fairness.length > 0 ? ['fairness'] : []),
];

/**
 * The whole run's summary: each process has built its own share, with the engine's one builder, and the shares do not overlap. Nothing is
 * worked out here but what no process can know: how the machine did in all of them, and the delays of all flows together.
 */
export function joinSummaries(parts: readonly RunSummary[]): RunSummary | null {
  const [first] = parts;
  if (first === undefined) return null;
  const flows = {
    senders: parts.flatMap((part) => part.senders).sort((a, b) => a.flow - b.flow),
    receivers: parts.flatMap((part) => part.receivers).sort((a, b) => a.flow - b.flow),
  };
  const programs = parts.flatMap((part) => part.programs ?? []);
  const host = parts.find((part) => part.host !== undefined)?.host;
  const all = allFlowsOf(flows, parts.flatMap((part) => part.all_flows ?? [])[0]);
  return {
    duration_s: Math.max(...parts.map((part) => part.duration_s)),
    base_rtt_ms: first.base_rtt_ms,
    links: parts.flatMap((part) => part.links).sort((a, b) => a.direction.localeCompare(b.direction)),
    ...withoutSpreads(flows),
    fairness: parts.flatMap((part) => part.fairness).sort((a, b) => a.k - b.k),
    ...(all === undefined ? {} : { all_flows: all }),
    lateness: joinLateness(parts.map((part) => part.lateness).filter((lateness) => lateness !== null)),
    ...(programs.length === 0 ? {} : { programs }),
    ...(host === undefined ? {} : { host }),
  };
}

/** The worst of the processes; losses add up. */
function joinLateness(parts: readonly Lateness[]): Lateness | null {
  if (parts.length === 0) return null;
  const worst = (of: (part: Lateness) => number): number => Math.max(...parts.map(of));
  const sum = (of: (part: Lateness) => number): number => parts.reduce((total, part) => total + of(part), 0);
  return {
    wakeups: sum((part) => part.wakeups),
    p50_us: worst((part) => part.p50_us),
    p99_us: worst((part) => part.p99_us),
    max_us: worst((part) => part.max_us),
    ...joinWrites(parts.map((part) => part.writes).filter((writes) => writes !== undefined)),
    late_opportunities: worst((part) => part.late_opportunities),
    unmodelled_losses: sum((part) => part.unmodelled_losses),
    overrun: parts.some((part) => part.overrun),
  };
}

function joinWrites(parts: readonly NonNullable<Lateness['writes']>[]): Pick<Lateness, 'writes'> {
  if (parts.length === 0) return {};
  const worst = (key: 'p50_us' | 'p99_us' | 'max_us'): number => Math.max(...parts.map((part) => part[key]));
  return { writes: { p50_us: worst('p50_us'), p99_us: worst('p99_us'), max_us: worst('max_us') } };
}

function joinCosts(parts: readonly Cost[]): Cost | null {
  if (parts.length === 0) return null;
  return {
    type: 'cost',
    wall_s: Math.max(...parts.map((part) => part.wall_s)),
    cpu_s: parts.reduce((total, part) => total + part.cpu_s, 0),
    packets: Math.max(...parts.map((part) => part.packets)),
  };
}
