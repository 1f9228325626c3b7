// Several runs as one: their flows side by side on one time axis, so that every figure of a run is a figure of all of them.
import { FORWARD_LINK_STREAM, receiverStream, senderStream } from '#protocol/columns';
import type { RunEvent } from '#protocol/control';
import type { RunManifest } from '#protocol/manifest';
import type { Overlay, RunSamples, StreamData } from './data';

export interface OverlaidRun {
  readonly label: string;
  /** What each of its flows is called among those of the others. */
  readonly flows: readonly string[];
  readonly manifest: RunManifest;
  readonly samples: RunSamples;
  readonly ghost?: boolean;
}

/** Streams of the forward links, by run; beyond every id that telemetry uses. */
export const overlaidLink = (run: number): number => (run === 0 ? FORWARD_LINK_STREAM : 0x1_0000 + run);

/** Where each run's flows begin among all. */
const firstFlows = (runs: readonly OverlaidRun[]): number[] => {
  let next = 0;
  return runs.map(({ manifest }) => {
    const first = next;
    next += manifest.flows.length;
    return first;
  });
};

/** The link is the first run's. */
export function overlayManifest(runs: readonly [OverlaidRun, ...OverlaidRun[]]): RunManifest {
  return {
    ...runs[0].manifest,
    duration_s: Math.max(...runs.map(({ manifest }) => manifest.duration_s)),
    flows: runs.flatMap(({ manifest }) => manifest.flows),
  };
}

export const overlaysOf = (runs: readonly OverlaidRun[]): Overlay[] => {
  const first = firstFlows(runs);
  return runs.map(({ label, ghost = false }, run) => {
    const of = { label, firstFlow: first[run] ?? 0, link: overlaidLink(run) };
    return ghost ? { ...of, ghost } : of;
  });
};

export const overlayLabels = (runs: readonly OverlaidRun[]): string[] => runs.flatMap(({ flows }) => flows);

/** Grows as any of the runs does. */
export class OverlaidSamples implements RunSamples {
  readonly streams = new Map<number, StreamData>();
  readonly events: RunEvent[] = [];
  readonly #runs: readonly OverlaidRun[];
  readonly #firstFlows: readonly number[];
  readonly #seen: number[];
  readonly #listeners = new Set<() => void>();
  #stop: (() => void) | null = null;

  constructor(runs: readonly OverlaidRun[]) {
    this.#runs = runs;
    this.#firstFlows = firstFlows(runs);
    this.#seen = runs.map(() => 0);
    this.#gather();
  }

  get timeS(): number {
    return Math.max(0, ...this.#runs.map(({ samples }) => samples.timeS));
  }

  get complete(): boolean {
    return this.#runs.every(({ samples }) => samples.complete);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    if (this.#stop === null) {
      const stops = this.#runs.map(({ samples }) => samples.subscribe(this.#grown));
      this.#stop = () => stops.forEach((stop) => stop());
    }
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#stop?.();
      this.#stop = null;
    };
  };

  readonly #grown = (): void => {
    this.#gather();
    for (const listener of this.#listeners) listener();
  };

  #gather(): void {
    for (const [run, { manifest, samples }] of this.#runs.entries()) {
      const first = this.#firstFlows[run] ?? 0;
      const take = (to: number, from: number): void => {
        const stream = samples.streams.get(from);
        if (stream !== undefined) this.streams.set(to, stream);
      };
      take(overlaidLink(run), FORWARD_LINK_STREAM);
      for (const flow of manifest.flows.keys()) {
        take(senderStream(first + flow), senderStream(flow));
        take(receiverStream(first + flow), receiverStream(flow));
      }
      for (let i = this.#seen[run] ?? 0; i < samples.events.length; i++) {
        const event = samples.events[i];
        if (event !== undefined) this.events.push({ ...event, flow: event.flow === null ? null : first + event.flow });
      }
      this.#seen[run] = samples.events.length;
    }
  }
}
