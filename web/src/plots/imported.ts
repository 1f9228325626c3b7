// A file of another program as a run: its flows as streams under the names of telemetry, so that every figure of runs takes it along.
import type { Imported, ImportedFlow, ImportedQuantity } from '#protocol/imported';
import type { CcaDescriptor } from '#protocol/cca';
import { receiverStream, RECEIVER_COLUMNS, SENDER_COLUMNS, senderStream } from '#protocol/columns';
import type { StreamInfo } from '#protocol/control';
import type { LinkSpec, RunManifest } from '#protocol/manifest';
import type { RunSamples, StreamData } from './data';

interface Column {
  readonly name: string;
  readonly quantity: ImportedQuantity;
}
/** An RTT that was told stands for the newest sample and for the smoothed one: files do not say which it is. */
const SENDER: readonly Column[] = [
  { name: 'cwnd_bytes', quantity: 'cwnd_bytes' },
  { name: 'inflight_bytes', quantity: 'inflight_bytes' },
  { name: 'srtt_ms', quantity: 'rtt_ms' },
  { name: 'latest_rtt_ms', quantity: 'rtt_ms' },
];
const RECEIVER: readonly Column[] = [{ name: 'throughput_mbps', quantity: 'throughput_mbps' }];

const TIME = { name: 'time_s', type: 'f64', unit: 's', label: 'time' } as const;

function columnInfo(name: string): StreamInfo['columns'][number] {
  const found = [...SENDER_COLUMNS, ...RECEIVER_COLUMNS].find((column) => column.name === name);
  return { name, type: 'f32', unit: found?.unit ?? '', label: found?.label ?? name };
}

/** The columns that the flow has, on all times that any of them has; null: none. */
function streamOf(
  { series }: ImportedFlow,
  columns: readonly Column[],
  shift: number,
  infoOf: (columns: StreamInfo['columns']) => StreamInfo,
): StreamData | null {
  const has = columns.flatMap(({ name, quantity }) => {
    const own = series.find((one) => one.quantity === quantity);
    return own === undefined ? [] : [{ name, own }];
  });
  if (has.length === 0) return null;
  const time = Float64Array.from(new Set(has.flatMap(({ own }) => own.time_s))).sort();
  const rows = new Map(Array.from(time, (at, row) => [at, row]));
  const values = new Map(
    has.map(({ name, own }) => {
      const column = new Float32Array(time.length).fill(NaN);
      own.time_s.forEach((at, i) => (column[rows.get(at) ?? 0] = own.values[i] ?? NaN));
      return [name, column];
    }),
  );
  return {
    info: infoOf([TIME, ...has.map(({ name }) => columnInfo(name))]),
    rows: time.length,
    time: time.map((at) => at + shift),
    column: (name) => values.get(name),
  };
}

/** `shift`: where in the runs it begins, seconds. */
export function importedSamples({ flows, duration_s }: Imported, shift: number): RunSamples {
  const streams = new Map<number, StreamData>();
  for (const [flow, one] of flows.entries()) {
    const about = { flow, cca: one.cca ?? '' };
    const [sender, receiver] = [senderStream(flow), receiverStream(flow)];
    const sent = streamOf(one, SENDER, shift, (columns) => ({ kind: 'sender', stream: sender, ...about, columns }));
    const got = streamOf(one, RECEIVER, shift, (columns) => ({
      kind: 'receiver',
      stream: receiver,
      ...about,
      columns,
    }));
    if (sent !== null) streams.set(sender, sent);
    if (got !== null) streams.set(receiver, got);
  }
  return { streams, events: [], timeS: duration_s + shift, complete: true, subscribe: () => () => undefined };
}

/** The algorithm that the file means, if it is one of ours: the kernel's own first, whose names files have. */
const lookOf = (cca: string | null, ccas: ReadonlyMap<string, CcaDescriptor>): string =>
  [`kernel-${cca ?? ''}`, cca ?? ''].find((id) => ccas.has(id)) ?? 'imported';

/** Of its link nothing is known: no limit, no delay. */
const unknownLink = (link: LinkSpec): LinkSpec => ({
  loss: 0,
  queue: { ...link.queue, limit_bytes: null, limit_packets: null },
  capacity: { kind: 'unlimited' },
  delay_ms: 0,
});

/** What figures ask a manifest for; `run` is one that it is compared with. */
export function importedManifest(
  { flows, duration_s }: Imported,
  run: RunManifest,
  shift: number,
  ccas: ReadonlyMap<string, CcaDescriptor>,
): RunManifest {
  const [first] = run.flows;
  if (first === undefined) throw new Error('a run has a flow');
  const { joins: _joins, ecn: _ecn, ...usual } = first;
  return {
    ...run,
    duration_s: Math.max(duration_s + shift, run.duration_s),
    forward: unknownLink(run.forward),
    reverse: unknownLink(run.reverse),
    flows: flows.map(({ cca }) => ({
      ...usual,
      cca: { id: lookOf(cca, ccas), params: {} },
      start_s: Math.max(0, shift),
      stop_s: null,
      source: { kind: 'bulk' },
    })),
  };
}
