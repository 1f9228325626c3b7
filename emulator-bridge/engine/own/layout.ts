// The structures of native/plugin/paceline_plugin.h as JavaScript reads them: fields in their order, eight bytes each, and what each
// becomes for whoever writes an algorithm (language.d.ts). A test compares the names with the header's.

/** `ms`: nanoseconds, of which the unknown become null; `mbps`: a double of bits per second; the others stay what they are. */
export type FieldKind = 'ms' | 'count' | 'flag' | 'mbps' | 'recovery';

export interface Field {
  /** In the header. */
  readonly field: string;
  readonly kind: FieldKind;
  /** In the language; null: told by another one. */
  readonly name: string | null;
}

/** `now_ns: ms` is `now_ms` to people; a name of its own follows where it is another. */
const fields = (...all: readonly (readonly [field: string, kind: FieldKind, name?: string | null])[]): Field[] =>
  all.map(([field, kind, name]) => ({
    field,
    kind,
    name: name === undefined ? field.replace(/_ns$/, '_ms').replace(/_bps$/, '_mbps') : name,
  }));

export const ACK = fields(
  ['now_ns', 'ms'],
  ['acked_bytes', 'count'],
  ['acked_packets', 'count'],
  ['rtt_ns', 'ms'],
  ['one_way_ns', 'ms'],
  ['srtt_ns', 'ms'],
  ['rttvar_ns', 'ms'],
  ['min_rtt_ns', 'ms'],
  ['newest_number', 'count'],
  ['next_number', 'count'],
  ['rate_valid', 'flag', null],
  ['rate_bps', 'mbps'],
  ['rate_interval_ns', 'ms'],
  ['rate_delivered_bytes', 'count'],
  ['rate_prior_delivered_bytes', 'count'],
  ['rate_inflight_bytes', 'count'],
  ['rate_lost_bytes', 'count'],
  ['rate_app_limited', 'flag'],
  ['delivered_bytes', 'count'],
  ['lost_bytes', 'count'],
  ['inflight_before_bytes', 'count'],
  ['inflight_bytes', 'count'],
  ['lost_packets', 'count'],
  ['window_limited', 'flag'],
  ['delayed', 'flag'],
  ['ce_packets', 'count'],
  ['recovery', 'recovery'],
  ['next_send_ns', 'ms'],
);

export const LOSS = fields(
  ['now_ns', 'ms'],
  ['lost_bytes', 'count'],
  ['lost_packets', 'count'],
  ['new_episode', 'flag'],
  ['inflight_before_bytes', 'count'],
  ['inflight_bytes', 'count'],
  ['total_delivered_bytes', 'count'],
  ['total_lost_bytes', 'count'],
);

export const TIMEOUT = fields(
  ['now_ns', 'ms'],
  ['inflight_before_bytes', 'count'],
  ['inflight_bytes', 'count'],
  ['delivered_bytes', 'count'],
  ['lost_bytes', 'count'],
  ['repeated', 'flag'],
);

export const SENT = fields(
  ['now_ns', 'ms'],
  ['number', 'count'],
  ['bytes', 'count'],
  ['retransmission', 'flag'],
  ['app_limited', 'flag'],
  ['inflight_before_bytes', 'count'],
  ['inflight_bytes', 'count'],
);

export const ACKED_PACKET = fields(
  ['number', 'count'],
  ['bytes', 'count'],
  ['sent_ns', 'ms'],
  ['rtt_ns', 'ms'],
  ['one_way_ns', 'ms'],
  ['delivered_at_send_bytes', 'count'],
  ['tag', 'count'],
  ['retransmission', 'flag'],
);

export const LOST_PACKET = fields(
  ['number', 'count'],
  ['bytes', 'count'],
  ['sent_ns', 'ms'],
  ['tag', 'count'],
  ['inflight_at_send_bytes', 'count'],
  ['delivered_at_send_bytes', 'count'],
  ['lost_at_send_bytes', 'count'],
  ['app_limited', 'flag'],
);

export const SETUP = fields(
  ['now_ns', 'ms'],
  ['mss_bytes', 'count'],
  ['initial_window_packets', 'count'],
  ['transport', 'count', null],
  ['handshake_rtt_ns', 'ms'],
  ['seed', 'count', null],
);

/** Where the engine puts what a flow is made from; the seed in halves. */
export const SETUP_AT = { now: 0, mss: 1, window: 2, transport: 3, handshake: 4, seedHigh: 5, seedLow: 6 } as const;

/** What an answer is made of, and what stands for a property that was never set. */
export const CONTROL = [
  { field: 'cwnd_bytes', name: 'cwnd_bytes', absent: Number.NaN },
  { field: 'ssthresh_bytes', name: 'ssthresh_bytes', absent: Number.POSITIVE_INFINITY },
  { field: 'pacing_bps', name: 'pacing_mbps', absent: 0 },
  { field: 'send_quantum_bytes', name: 'send_quantum_bytes', absent: 0 },
  { field: 'hold_until_ns', name: 'hold_until_ms', absent: 0 },
  { field: 'next_tick_ns', name: 'next_tick_ms', absent: Number.POSITIVE_INFINITY },
  { field: 'tag', name: 'tag', absent: 0 },
  { field: 'limits_itself', name: 'limits_itself', absent: 0 },
  { field: 'media_bps', name: 'media_mbps', absent: 0 },
  { field: 'phase', name: 'phase', absent: -1 },
] as const;

export const TRANSPORTS = ['tcp', 'quic', 'quic-grow-underutilised'] as const;
export const RECOVERIES = ['none', 'entered', 'in', 'timeout', 'exited', 'undone'] as const;

/** What own_event is told of, by its number. */
export const EVENTS = [
  { call: 'onAck', told: ACK, packets: ACKED_PACKET },
  { call: 'onLoss', told: LOSS, packets: LOST_PACKET },
  { call: 'onTimeout', told: TIMEOUT, packets: null },
  { call: 'onSent', told: SENT, packets: null },
  { call: 'onTick', told: fields(['now_ns', 'ms']), packets: null },
  { call: 'onIdleRestart', told: fields(['now_ns', 'ms']), packets: null },
] as const;

const LETTERS: Readonly<Record<FieldKind, string>> = { ms: 'm', count: 'c', flag: 'c', mbps: 'r', recovery: 'c' };
const letters = (all: readonly Field[]): string => all.map(({ kind }) => LETTERS[kind]).join('');

/** As the engine is told (native/drivers/wasm/own.cc), which then speaks the language's units. */
export const LAYOUTS = {
  events: EVENTS.map(({ told }) => letters(told)),
  acked: letters(ACKED_PACKET),
  lost: letters(LOST_PACKET),
};
