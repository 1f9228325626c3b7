import { run } from '#bridge/run';
import { LINK_COLUMNS } from '#protocol/columns';
import type { Cost } from '#protocol/control';
import { decodeSamples, FRAME_KIND_SAMPLES } from '#protocol/frames';
import type { RunManifest } from '#protocol/manifest';
import type { RunSummary } from '#protocol/summary';

const FORWARD_STREAM = 0;
const INTERVAL_S = 0.01;
const PACKET_BYTES = 1500;

export interface Measured {
  readonly summary: RunSummary;
  /** Of the run's one process; null where it has several. */
  readonly cost: Cost | null;
  readonly utilisation: number;
  /** Of every 10 ms with a backlog all through: how far the bytes delivered are from the opportunities, beyond one packet (p99). */
  readonly rateError: number | null;
  readonly backlogged: number;
  /** What the overrun event said. */
  readonly overrunBecause: string | null;
}

const column = (name: (typeof LINK_COLUMNS)[number]['name']): number =>
  LINK_COLUMNS.findIndex((spec) => spec.name === name);

/** Collects the link's rows of one run. */
class Backlog {
  readonly errors: number[] = [];
  #queued = 0;

  add(bytes: Uint8Array): void {
    const { stream, rows, columns } = decodeSamples(bytes);
    if (stream !== FORWARD_STREAM) return;
    const of = (name: (typeof LINK_COLUMNS)[number]['name'], row: number): number =>
      columns[column(name)]?.[row] ?? NaN;
    for (let row = 0; row < rows; row++) {
      const offered = (of('capacity_mbps', row) * 1e6 * INTERVAL_S) / 8;
      const delivered = (of('delivered_mbps', row) * 1e6 * INTERVAL_S) / 8;
      // As much waited at its start as it could carry: the queue was never empty, so every opportunity had something to take.
      if (offered > 0 && this.#queued >= offered) {
        // A packet takes several opportunities or shares one, and may stand across the interval's boundary.
        const off = Math.max(0, Math.abs(delivered - offered) - PACKET_BYTES);
        this.errors.push(off / offered);
      }
      this.#queued = of('queue_bytes', row);
    }
  }
}

const quantile = (values: readonly number[], q: number): number | null => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? null;
};

export async function measure(manifest: RunManifest, tracesDir: string): Promise<Measured> {
  const backlog = new Backlog();
  let overrunBecause: string | null = null;
  const { outcome, reason, summary, cost } = await run(manifest, {
    tracesDir,
    onFrame: (bytes, { kind }, control) => {
      if (kind === FRAME_KIND_SAMPLES) backlog.add(bytes);
      if (control?.type === 'event' && control.event === 'overrun') overrunBecause = control.detail ?? null;
    },
  });
  const cca = manifest.flows[0]?.cca.id ?? '';
  if (outcome !== 'done' || summary === null) throw new Error(`${cca}: ${reason ?? outcome}`);
  return {
    summary,
    cost,
    utilisation: summary.links[0]?.utilisation ?? 0,
    rateError: quantile(backlog.errors, 0.99),
    backlogged: backlog.errors.length,
    overrunBecause,
  };
}

export function latenessOf({ summary }: Measured): NonNullable<RunSummary['lateness']> {
  if (summary.lateness === null) throw new Error('a run in real time does not say how late it was');
  return summary.lateness;
}
