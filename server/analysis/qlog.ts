// Logs of QUIC endpoints (qlog 0.3 and its later drafts), as JSON or as a sequence of records: window, bytes in flight and round-trip times as
// the sender's recovery tells them, and the rate of the direction that carries the data.
import { z } from 'zod';
import { endOf, periodOf, Points, rateRows, stateRows } from '#analysis/imported-events';
import {
  durationOf,
  importedOf,
  ImportRefused,
  labelText,
  seriesOf,
  UDP_HEADER_BYTES,
} from '#analysis/imported-series';
import type { Imported, ImportedFlow, ImportedQuantity, ImportedSeries } from '#protocol/imported';

const Size = z.number().min(0).max(1e15);
const CommonFields = z
  .object({ time_format: z.string().optional(), reference_time: z.unknown().optional() })
  .default({});
const TraceHead = z.object({
  title: z.string().optional(),
  common_fields: CommonFields,
  vantage_point: z.object({ type: z.string().optional(), name: z.string().optional() }).optional(),
});
const Event = z.object({
  time: z.number().min(-1e18).max(1e18),
  name: z.string(),
  data: z
    .object({
      smoothed_rtt: Size.optional(),
      latest_rtt: Size.optional(),
      congestion_window: Size.optional(),
      bytes_in_flight: Size.optional(),
      congestion_control: z.string().optional(),
      packet_size: Size.optional(),
      raw: z.object({ length: Size.optional() }).optional(),
      header: z.object({ packet_size: Size.optional() }).optional(),
    })
    .default({}),
});
const FileHead = z.object({
  qlog_version: z.string().optional(),
  file_schema: z.string().optional(),
  title: z.string().optional(),
});
const QlogFile = FileHead.extend({
  traces: z.array(TraceHead.extend({ events: z.array(z.unknown()) })),
});
const SequenceHead = FileHead.extend({ trace: TraceHead.default({ common_fields: {} }) });

export const isQlog = (value: object): boolean =>
  'traces' in value && ('qlog_version' in value || 'file_schema' in value);
/** The first record of a sequence. */
export const isQlogHead = (value: object): boolean =>
  ('qlog_version' in value || 'file_schema' in value) && !('traces' in value);

/** More events than a page can hold values of. */
const MOST_EVENTS = 4_000_000;

const part = (name: string): string => name.slice(name.indexOf(':') + 1).replace(/^recovery_/, '');

/** The events of one endpoint. */
class Endpoint {
  readonly #head: z.infer<typeof TraceHead>;
  readonly #points = { rtt_ms: new Points(), cwnd_bytes: new Points(), inflight_bytes: new Points() };
  readonly #sent = new Points();
  readonly #received = new Points();
  #first: number | null = null;
  #last = 0;
  #events = 0;
  #lost = 0;
  #cca: string | null = null;

  constructor(head: z.infer<typeof TraceHead>) {
    this.#head = head;
  }

  add(value: unknown, where: () => string): void {
    if (++this.#events > MOST_EVENTS) throw new ImportRefused(`it holds more than ${MOST_EVENTS} events`, where());
    const parsed = Event.safeParse(value);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      throw new ImportRefused(
        issue?.message ?? 'not an event',
        [where(), ...(issue?.path ?? []).map(String)].join('.'),
      );
    }
    const { time, name, data } = parsed.data;
    const seconds = this.#seconds(time);
    switch (part(name)) {
      case 'metrics_updated':
        this.#metrics(seconds, data);
        break;
      case 'packet_sent':
        this.#packet(this.#sent, seconds, data);
        break;
      case 'packet_received':
        this.#packet(this.#received, seconds, data);
        break;
      case 'packet_lost':
        this.#lost++;
        break;
      case 'parameters_set':
        this.#cca ??= data.congestion_control ?? null;
        break;
      default:
    }
  }

  /** Since the reference; of absolute times since the first event. */
  #seconds(time: number): number {
    const format = this.#head.common_fields.time_format ?? 'relative';
    const delta = format === 'delta' || format === 'relative_to_previous_event';
    const now = delta ? this.#last + time : time;
    this.#last = now;
    this.#first ??= format === 'absolute' || now < 0 ? now : 0;
    return (now - this.#first) / 1e3;
  }

  #metrics(seconds: number, data: z.infer<typeof Event>['data']): void {
    const rtt = data.latest_rtt ?? data.smoothed_rtt;
    if (rtt !== undefined) this.#points.rtt_ms.add(seconds, rtt);
    if (data.congestion_window !== undefined) this.#points.cwnd_bytes.add(seconds, data.congestion_window);
    if (data.bytes_in_flight !== undefined) this.#points.inflight_bytes.add(seconds, data.bytes_in_flight);
  }

  #packet(points: Points, seconds: number, { raw, header, packet_size }: z.infer<typeof Event>['data']): void {
    const bytes = raw?.length ?? header?.packet_size ?? packet_size;
    if (bytes !== undefined) points.add(seconds, bytes + UDP_HEADER_BYTES);
  }

  flow(label: string): { flow: ImportedFlow; notes: readonly string[] } {
    const total = ({ values }: Points): number => values.reduce((sum, value) => sum + value, 0);
    const receives = total(this.#received) > total(this.#sent);
    const carried = receives ? this.#received : this.#sent;
    const all = [carried, ...Object.values(this.#points)];
    // Clocks of several threads may be out of order by a little: events are sorted by their row anyway.
    const end = endOf(all);
    const period = periodOf(end);
    // Windows count what UDP carries; the largest packet tells how much more that is on the wire.
    const largest = carried.values.reduce((a, b) => Math.max(a, b), 0);
    const wire = largest > UDP_HEADER_BYTES ? largest / (largest - UDP_HEADER_BYTES) : 1;
    const where = (row: number): string => `${label}, ${((row + 1) * period).toFixed(2)} s`;
    const series: ImportedSeries[] = [
      ...(carried.times.length === 0 ? [] : [seriesOf('throughput_mbps', rateRows(carried, period), where)]),
      ...(Object.entries(this.#points) as [ImportedQuantity, Points][]).flatMap(([quantity, points]) =>
        points.times.length === 0
          ? []
          : [seriesOf(quantity, stateRows(points, { period, end, factor: quantity === 'rtt_ms' ? 1 : wire }), where)],
      ),
    ];
    const notes = [
      ...(carried.times.length === 0
        ? []
        : [
            `${label}: the rate is of packets that it ${receives ? 'received' : 'sent, retransmissions included'}, by ${(period * 1e3).toFixed(0)} ms, with ${UDP_HEADER_BYTES} bytes of IP and UDP headers each.`,
          ]),
      ...(wire > 1
        ? [`${label}: windows are × ${largest} / ${largest - UDP_HEADER_BYTES}, to be of the wire as well.`]
        : []),
      ...(this.#lost > 0 ? [`${label}: ${this.#lost} packets were declared lost.`] : []),
    ];
    return { flow: { label, cca: this.#cca, series }, notes };
  }
}

function imported(
  head: z.infer<typeof FileHead>,
  endpoints: readonly { readonly head: z.infer<typeof TraceHead>; readonly events: Endpoint }[],
): Imported {
  const told = endpoints.map(({ head: own, events }, i) => {
    const { name, type } = own.vantage_point ?? {};
    const label = labelText(own.title || name || type || 'QUIC');
    return events.flow(endpoints.length > 1 ? `${label} ${i + 1}` : label);
  });
  const flows = told.map(({ flow }) => flow);
  return importedOf({
    form: 'qlog',
    version: head.qlog_version === undefined ? null : labelText(head.qlog_version).slice(0, 64),
    title: head.title === undefined ? null : labelText(head.title),
    started_at: null,
    duration_s: durationOf(flows),
    flows,
    notes: told.flatMap(({ notes }) => notes),
  });
}

function checkedHead<T extends z.ZodType>(schema: T, value: unknown): z.infer<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ImportRefused(issue?.message ?? 'not a qlog', issue?.path.join('.') ?? null);
}

/** A file of one JSON document. Throws ImportRefused. */
export function readQlog(value: unknown): Imported {
  const file = checkedHead(QlogFile, value);
  const endpoints = file.traces.map((head, trace) => {
    const events = new Endpoint(head);
    head.events.forEach((event, i) => events.add(event, () => `traces.${trace}.events.${i}`));
    return { head, events };
  });
  return imported(file, endpoints);
}

/** A sequence: its records one by one, the head first. */
export class QlogSequence {
  readonly #file: z.infer<typeof SequenceHead>;
  readonly #events: Endpoint;

  constructor(head: unknown) {
    this.#file = checkedHead(SequenceHead, head);
    this.#events = new Endpoint(this.#file.trace);
  }

  add(record: unknown, where: () => string): void {
    this.#events.add(record, where);
  }

  done(): Imported {
    return imported(this.#file, [{ head: this.#file.trace, events: this.#events }]);
  }
}
