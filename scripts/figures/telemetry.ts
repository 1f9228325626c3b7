import { run } from '#bridge/run';
import type { RunEvent, StreamColumn } from '#protocol/control';
import { FORWARD_LINK_STREAM, receiverStream, senderStream } from '#protocol/columns';
import { decodeSamples } from '#protocol/frames';
import type { RunManifest } from '#protocol/manifest';
import type { SeriesData } from '../../web/src/charts/types';
import type { FigureLink } from './links.ts';

/** One stream of a finished run. */
export interface Stream {
  readonly columns: readonly StreamColumn[];
  series(column: string): SeriesData;
}

export interface Telemetry {
  readonly duration_s: number;
  readonly link: Stream;
  readonly sender: Stream;
  readonly receiver: Stream;
  timesOf(event: RunEvent['event']): number[];
}

/** A row for every other pixel: more would be seen by nobody and take more than 60 kB. */
const SAMPLE_PERIODS = 200;

const manifestOf = (cca: string, link: FigureLink, engine_version: string): RunManifest => ({
  schema: 1,
  engine: 'virtual',
  path: 'memory',
  engine_version,
  duration_s: link.duration_s,
  sample_period_ms: (link.duration_s * 1000) / SAMPLE_PERIODS,
  seed: 1,
  repetition: 0,
  forward: link.forward,
  reverse: link.reverse,
  flows: [
    {
      cca: { id: cca, params: {} },
      start_s: 0,
      stop_s: null,
      extra_rtt_ms: 0,
      transport: 'tcp',
      ack_every: 2,
      source: { kind: 'bulk' },
    },
  ],
});

/** One bulk flow over a link in virtual time. */
export async function telemetryOf(
  cca: string,
  link: FigureLink,
  engine_version: string,
  tracesDir: string,
): Promise<Telemetry> {
  const blocks = new Map<number, ReturnType<typeof decodeSamples>[]>();
  const columns = new Map<number, readonly StreamColumn[]>();
  const events: RunEvent[] = [];
  const { outcome, reason } = await run(manifestOf(cca, link, engine_version), {
    tracesDir,
    onFrame: (bytes, header, control) => {
      if (control === null)
        blocks.set(header.stream, [...(blocks.get(header.stream) ?? []), decodeSamples(bytes.slice())]);
      else if (control.type === 'hello')
        for (const stream of control.streams) columns.set(stream.stream, stream.columns);
      else if (control.type === 'event') events.push(control);
    },
  });
  if (outcome !== 'done') throw new Error(`${cca} over ${link.title}: the run ended as ${outcome}: ${reason ?? ''}`);

  const streamOf = (id: number): Stream => {
    const own = columns.get(id) ?? [];
    const rows = blocks.get(id) ?? [];
    const x = Float64Array.from(rows.flatMap(({ time }) => [...time]));
    return {
      columns: own.slice(1),
      series: (name) => {
        const index = own.findIndex((column) => column.name === name) - 1;
        const y = Float32Array.from(rows.flatMap((block) => [...(block.columns[index] ?? [])]));
        if (y.length !== x.length) throw new Error(`${cca}: stream ${id} has no column ${name}`);
        return { x, y, length: x.length };
      },
    };
  };
  return {
    duration_s: link.duration_s,
    link: streamOf(FORWARD_LINK_STREAM),
    sender: streamOf(senderStream(0)),
    receiver: streamOf(receiverStream(0)),
    timesOf: (event) => events.filter((e) => e.event === event).map((e) => e.time_s),
  };
}
