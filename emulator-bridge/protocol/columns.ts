// The sample columns of every telemetry stream. This table is the only place where a column is defined: the C++ header, the decoder,
// the stored blobs, CSV and Parquet files and the documentation are made from it.
// A stream's columns are `time_s` (f64), then these (f32, NaN = unknown), then for senders the CCA's own internals.

export interface ColumnSpec {
  readonly name: string;
  readonly unit: string;
  readonly label: string;
  readonly doc: string;
}

export const PROTOCOL_VERSION = 1;

/** Time of a row: the end of the interval that the row describes, seconds since the run began. Always the first column, f64. */
export const TIME_COLUMN = {
  name: 'time_s',
  unit: 's',
  label: 'time',
  doc: 'End of the sampling interval, seconds since the run began',
} as const satisfies ColumnSpec;

/** One direction of the bottleneck link. */
export const LINK_COLUMNS = [
  { name: 'capacity_mbps', unit: 'Mbps', label: 'capacity', doc: 'Delivery opportunities of the interval as a rate' },
  {
    name: 'delivered_mbps',
    unit: 'Mbps',
    label: 'delivered',
    doc: 'Bytes that left the queue through an opportunity, as a rate',
  },
  { name: 'queue_bytes', unit: 'B', label: 'queue', doc: 'Bytes waiting at the end of the interval' },
  {
    name: 'queue_max_bytes',
    unit: 'B',
    label: 'queue peak',
    doc: 'Most bytes that waited at any moment of the interval',
  },
  { name: 'queue_packets', unit: 'packets', label: 'queue', doc: 'Packets waiting at the end of the interval' },
  {
    name: 'dropped_packets',
    unit: 'packets',
    label: 'drops',
    doc: 'Packets that the queue discipline dropped in the interval',
  },
  {
    name: 'lost_packets',
    unit: 'packets',
    label: 'random losses',
    doc: 'Packets that the loss element removed in the interval',
  },
  {
    name: 'sojourn_mean_ms',
    unit: 'ms',
    label: 'queueing delay',
    doc: 'Mean time in the queue of packets that left in the interval',
  },
  {
    name: 'sojourn_max_ms',
    unit: 'ms',
    label: 'queueing delay peak',
    doc: 'Longest time in the queue of packets that left in the interval',
  },
  {
    name: 'marked_packets',
    unit: 'packets',
    label: 'marks',
    doc: 'Packets that the queue discipline gave a congestion-experienced mark in the interval',
  },
] as const satisfies readonly ColumnSpec[];

/** The sending end of one flow. */
export const SENDER_COLUMNS = [
  {
    name: 'sent_mbps',
    unit: 'Mbps',
    label: 'sent',
    doc: 'Bytes sent in the interval, retransmissions included, as a rate',
  },
  { name: 'cwnd_bytes', unit: 'B', label: 'cwnd', doc: 'Congestion window' },
  { name: 'inflight_bytes', unit: 'B', label: 'in flight', doc: 'Bytes sent, neither acknowledged nor declared lost' },
  {
    name: 'pacing_mbps',
    unit: 'Mbps',
    label: 'pacing rate',
    doc: 'Rate of the pacer; unknown when the flow is not paced',
  },
  { name: 'delivery_rate_mbps', unit: 'Mbps', label: 'delivery rate', doc: 'Latest delivery-rate sample' },
  { name: 'srtt_ms', unit: 'ms', label: 'srtt', doc: 'Smoothed RTT (RFC 6298)' },
  { name: 'latest_rtt_ms', unit: 'ms', label: 'RTT', doc: 'Latest RTT sample' },
  { name: 'min_rtt_ms', unit: 'ms', label: 'min RTT', doc: 'Least RTT seen by the flow' },
  { name: 'lost_packets', unit: 'packets', label: 'lost', doc: 'Packets declared lost in the interval' },
  {
    name: 'retransmitted_packets',
    unit: 'packets',
    label: 'retransmitted',
    doc: 'Packets retransmitted in the interval',
  },
  { name: 'app_limited', unit: '', label: 'application-limited', doc: '1 while the application is the limit, else 0' },
  {
    name: 'rto_ms',
    unit: 'ms',
    label: 'RTO',
    doc: 'Retransmission timeout as it stands, doublings included (RFC 6298); of QUIC the probe timeout (RFC 9002)',
  },
] as const satisfies readonly ColumnSpec[];

/** The receiving end of one flow. */
export const RECEIVER_COLUMNS = [
  {
    name: 'throughput_mbps',
    unit: 'Mbps',
    label: 'throughput',
    doc: 'Bytes that arrived for the first time in the interval, as a rate',
  },
  {
    name: 'owd_mean_ms',
    unit: 'ms',
    label: 'one-way delay',
    doc: 'Mean one-way delay of packets that arrived in the interval',
  },
  {
    name: 'owd_max_ms',
    unit: 'ms',
    label: 'one-way delay peak',
    doc: 'Longest one-way delay of packets that arrived in the interval',
  },
] as const satisfies readonly ColumnSpec[];

/** One element of a path that lists its elements; what the element itself declares follows. */
export const ELEMENT_COLUMNS = [
  { name: 'entered_packets', unit: 'packets', label: 'entered', doc: 'Packets that entered in the interval' },
  { name: 'passed_packets', unit: 'packets', label: 'passed', doc: 'Packets that left it in the interval' },
  { name: 'lost_packets', unit: 'packets', label: 'lost', doc: 'Packets lost or dropped in the interval' },
  { name: 'copied_packets', unit: 'packets', label: 'copied', doc: 'Packets made of others in the interval' },
  { name: 'held_packets', unit: 'packets', label: 'held', doc: 'Packets within at the end of the interval' },
] as const satisfies readonly ColumnSpec[];

export type LinkColumn = (typeof LINK_COLUMNS)[number]['name'];
export type SenderColumn = (typeof SENDER_COLUMNS)[number]['name'];
export type ReceiverColumn = (typeof RECEIVER_COLUMNS)[number]['name'];

/** Stream ids: fixed by role, so that separate processes of one run never clash. */
export const FORWARD_LINK_STREAM = 0;
export const REVERSE_LINK_STREAM = 1;
export const senderStream = (flow: number): number => 16 + 2 * flow;
export const receiverStream = (flow: number): number => 17 + 2 * flow;
/** `place`: which of the direction's elements, from 0. Beyond all flows. */
export const elementStream = (direction: 'forward' | 'reverse', place: number): number =>
  1024 + (direction === 'forward' ? 0 : 64) + place;
