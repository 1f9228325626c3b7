// A run as a data file of flent: throughput, round-trip time and window of each flow on common times, as flent-gui and its plots take them.
import { gzipSync } from 'node:zlib';
import { writeFlent, type FlentFlow } from '#analysis/flent';
import type { Chunks } from './formats.ts';
import type { RunExport } from './run.ts';
import { seriesBatches, seriesColumns } from './series.ts';

/** More points nobody plots: of a longer run a row is the mean over several sampling periods. */
const MOST_ROWS = 50_000;

const QUANTITIES = [
  ['throughput_mbps', 'receiver', 'throughput_mbps'],
  ['rtt_ms', 'sender', 'latest_rtt_ms'],
  ['cwnd_bytes', 'sender', 'cwnd_bytes'],
] as const;

/** Means of so many rows that follow each other; what is not known has no part in them. */
class Means {
  readonly values: (number | null)[] = [];
  readonly #size: number;
  #sum = 0;
  #known = 0;
  #taken = 0;

  constructor(size: number) {
    this.#size = size;
  }

  take(value: number): void {
    if (!Number.isNaN(value)) {
      this.#sum += value;
      this.#known++;
    }
    if (++this.#taken < this.#size) return;
    this.values.push(this.#known === 0 ? null : this.#sum / this.#known);
    [this.#sum, this.#known, this.#taken] = [0, 0, 0];
  }
}

/** What a CCA is called more than once is numbered, as flent numbers its streams. */
function namesOf({ manifest: { flows } }: RunExport): string[] {
  return flows.map(({ cca }, i) => (flows.length === 1 ? `TCP upload ${cca.id}` : `TCP upload ${cca.id}::${i + 1}`));
}

/** In pieces, between which others have a turn. */
export function* exportFlent(source: RunExport, startedAt: string | null): Chunks {
  const { manifest, period_ms, run } = source;
  const names = seriesColumns(source.streams).map(({ name }) => name);
  const rows = Math.max(1, ...source.heads.values());
  const size = Math.ceil(rows / MOST_ROWS);
  const places = manifest.flows.map((_, flow) =>
    QUANTITIES.map(([quantity, end, column]) => ({
      quantity,
      place: names.indexOf(`${end}${flow}_${column}`),
      means: new Means(size),
    })),
  );
  const time: number[] = [];
  let taken = 0;
  for (const batch of seriesBatches(source)) {
    for (let row = 0; row < batch.rows; row++) {
      if (++taken % size === 0) time.push(batch.time[row] ?? 0);
      for (const flow of places)
        for (const { place, means } of flow) means.take(batch.columns[place]?.[row] ?? Number.NaN);
    }
    yield new Uint8Array();
  }
  const valuesOf = (flow: number, quantity: (typeof QUANTITIES)[number][0]): readonly (number | null)[] =>
    places[flow]?.find((one) => one.quantity === quantity)?.means.values ?? [];
  const flows = namesOf(source).map((name, flow): FlentFlow => ({
    name,
    throughput_mbps: valuesOf(flow, 'throughput_mbps'),
    rtt_ms: valuesOf(flow, 'rtt_ms'),
    cwnd_bytes: valuesOf(flow, 'cwnd_bytes'),
  }));
  const { capacity, queue } = manifest.forward;
  const file = writeFlent({
    title: `Paceline run ${run}`,
    started_at: startedAt ?? new Date(0).toISOString(),
    period_s: (size * period_ms) / 1e3,
    duration_s: manifest.duration_s,
    time_s: time,
    flows,
    about: {
      PACELINE_RUN: run,
      PACELINE_ENGINE_VERSION: manifest.engine_version,
      PACELINE_TRACE: capacity.kind === 'trace' ? capacity.name : null,
      PACELINE_QUEUE: queue.id,
      PACELINE_QUEUE_LIMIT_BYTES: queue.limit_bytes,
    },
  });
  yield gzipSync(JSON.stringify(file));
}
