// The runs that claims are about, each made once.
import { join } from 'node:path';
import { METRICS } from '#analysis/metrics';
import { importTrace } from '#bridge/traces';
import type { CapacitySpec } from '#protocol/manifest';
import { asWritten } from '../fidelity/bench.ts';
import type { Lanes } from '../fidelity/lanes.ts';
import { mean, runOverLink, type FlowOfRun, type LinkRun } from '../fidelity/link-run.ts';

export interface LabOptions {
  /** Folder of the shipped traces, and one for imported ones. */
  readonly shipped: string;
  readonly dir: string;
  readonly lanes: Lanes;
  readonly seeds: number;
  /** Acknowledgements and receive window as Linux'; else every other packet, without a window. */
  readonly linuxReceiver: boolean;
}

export interface Scene {
  readonly trace: string;
  readonly rttMs: number;
  /** null: a queue without limit. */
  readonly bdp: number | null;
  readonly seconds: number;
}

/** Means over the seeds; of the flows in their order. */
export interface Outcome {
  readonly utilisation: number;
  /** Of the packets of all flows, as round trips. */
  readonly delayMs: number;
  readonly inflation: number;
  readonly jain: number;
  readonly mbps: readonly number[];
  readonly rttMs: readonly number[];
}

const at = (values: readonly number[], i: number): number => values[i] ?? NaN;

export class Lab {
  readonly #options: LabOptions;
  readonly #runs = new Map<string, Promise<Outcome>>();
  readonly #traces = new Map<string, Promise<{ capacity: CapacitySpec; meanMbps: number }>>();

  constructor(options: LabOptions) {
    this.#options = options;
  }

  get options(): LabOptions {
    return this.#options;
  }

  outcome(flows: readonly FlowOfRun[], scene: Scene): Promise<Outcome> {
    const key = JSON.stringify([flows, scene]);
    const found = this.#runs.get(key) ?? this.#run(flows, scene);
    this.#runs.set(key, found);
    return found;
  }

  solo = (cca: string, scene: Scene): Promise<Outcome> => this.outcome([{ cca }], scene);

  #trace(name: string) {
    const { shipped, dir } = this.#options;
    const found =
      this.#traces.get(name) ??
      importTrace(join(shipped, `${name}.trace.gz`), dir).then(({ info }) => ({
        capacity: { kind: 'trace' as const, sha256: info.sha256, name, offset_ms: 0 },
        meanMbps: info.mean_mbps,
      }));
    this.#traces.set(name, found);
    return found;
  }

  async #run(flows: readonly FlowOfRun[], { trace, rttMs, bdp, seconds }: Scene): Promise<Outcome> {
    const { dir, lanes, seeds, linuxReceiver } = this.#options;
    const { capacity, meanMbps } = await this.#trace(trace);
    const runs = await Promise.all(
      Array.from({ length: seeds }, (_, i) =>
        lanes.run(() =>
          runOverLink(
            {
              flows,
              capacity,
              queueBytes: bdp === null ? null : (bdp * meanMbps * 1e3 * rttMs) / 8,
              rttMs,
              seconds,
              seed: i + 1,
              samplePeriodMs: 100,
              ackEvery: 2,
              linuxReceiver: linuxReceiver && flows.every(({ cca }) => cca !== 'oracle'),
            },
            asWritten(dir),
          ),
        ),
      ),
    );
    const over = (of: (run: LinkRun) => number | null | undefined): number => mean(runs.map((run) => of(run) ?? NaN));
    return {
      utilisation: 100 * over(({ link }) => link.utilisation),
      delayMs: over(({ summary }) => METRICS.packet_delay_mean.of(summary)),
      inflation: over(({ summary }) => METRICS.packet_delay_mean.of(summary)) / rttMs,
      jain: over(({ summary }) => METRICS.jain.of(summary)),
      mbps: flows.map((_, i) => over(({ summary }) => summary.receivers[i]?.throughput_mbps)),
      rttMs: flows.map((_, i) => over(({ summary }) => summary.senders[i]?.rtt.mean_ms)),
    };
  }
}

/** Kendall's τ of two lists of the same things, without ties. */
export function kendall(ours: readonly number[], theirs: readonly number[]): number {
  let score = 0;
  let pairs = 0;
  for (let i = 0; i < ours.length; i++)
    for (let j = 0; j < i; j++) {
      score += Math.sign((at(ours, i) - at(ours, j)) * (at(theirs, i) - at(theirs, j)));
      pairs++;
    }
  return score / pairs;
}
