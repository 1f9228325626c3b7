// What an algorithm that is written in the page is made of (docs/own-algorithms.md). A program is one module whose default export is an
// `Algorithm`. These types are there without an import; nothing of a browser, of Node, of clocks or networks is.
//
// Times are milliseconds since the run began, sizes are bytes on the wire, rates are Mbps. `null`: not known. What a call is told of holds
// for as long as the call: what is to be remembered is copied out of it.

/** One packet newly acknowledged. Only with `needs.acked_packets`. */
interface AckedPacket {
  /** Transmission number: grows by one per transmission, never reused. */
  readonly number: number;
  readonly bytes: number;
  readonly sent_ms: number;
  readonly rtt_ms: number;
  /** Receiver's timestamp less `sent_ms`; only with `needs.receiver_timestamps`. */
  readonly one_way_ms: number | null;
  /** What the connection had delivered when it was sent. */
  readonly delivered_at_send_bytes: number;
  /** `Controller.tag` when it was sent. */
  readonly tag: number;
  readonly retransmission: boolean;
}

interface LostPacket {
  readonly number: number;
  readonly bytes: number;
  readonly sent_ms: number;
  readonly tag: number;
  /** In flight when it was sent, itself included. */
  readonly inflight_at_send_bytes: number;
  readonly delivered_at_send_bytes: number;
  readonly lost_at_send_bytes: number;
  readonly app_limited: boolean;
}

/**
 * Where the flow stands in loss recovery. `entered`: this acknowledgement revealed the first loss of an episode; `in`: it goes on;
 * `timeout`: what was outstanding at a retransmission timeout is being repaired, windows may grow (RFC 5681 section 3.1);
 * `exited`: the episode is over; `undone`: it was proven spurious.
 */
type Recovery = 'none' | 'entered' | 'in' | 'timeout' | 'exited' | 'undone';

/** An acknowledgement, after the transport has updated its counters. */
interface Ack {
  readonly now_ms: number;
  /** Newly acknowledged, cumulatively and selectively. */
  readonly acked_bytes: number;
  readonly acked_packets: number;
  /** The same one by one; empty without `needs.acked_packets`. */
  readonly packets: readonly AckedPacket[];
  /** Of the most recently sent packet newly acknowledged; null if ambiguous. */
  readonly rtt_ms: number | null;
  /** The forward part of it, on two clocks whose offset is unknown but constant. */
  readonly one_way_ms: number | null;
  readonly srtt_ms: number;
  readonly rttvar_ms: number;
  /** Least of the connection's life. */
  readonly min_rtt_ms: number;
  /** Transmission number of the newest packet acknowledged. */
  readonly newest_number: number;
  /** Of the next transmission: a round that starts now ends when it is acknowledged. */
  readonly next_number: number;
  /** Delivery-rate sample (draft-ietf-ccwg-bbr section 4.1); null: nothing newly delivered, or the interval was shorter than min_rtt. */
  readonly rate_mbps: number | null;
  readonly rate_interval_ms: number;
  /** Delivered over that interval. */
  readonly rate_delivered_bytes: number;
  /** The sample began while the application, not the window, was the limit. */
  readonly rate_app_limited: boolean;
  /** What the connection had delivered, and what was in flight, when the sampled packet was sent. */
  readonly rate_prior_delivered_bytes: number;
  readonly rate_inflight_bytes: number;
  /** Lost since the sampled packet was sent. */
  readonly rate_lost_bytes: number;
  /** Totals of the connection, this acknowledgement included. */
  readonly delivered_bytes: number;
  readonly lost_bytes: number;
  readonly inflight_before_bytes: number;
  readonly inflight_bytes: number;
  readonly lost_packets: number;
  /** The window was what held the sender back: only then may it grow (RFC 9002 section 7.8). */
  readonly window_limited: boolean;
  /** The receiver held this acknowledgement back (delayed-ACK timer). */
  readonly delayed: boolean;
  /** Newly reported congestion-experienced marks. */
  readonly ce_packets: number;
  readonly recovery: Recovery;
  /** When the pacer releases the next packet. */
  readonly next_send_ms: number;
}

/** Packets declared lost. */
interface Loss {
  readonly now_ms: number;
  readonly lost_bytes: number;
  /** 0: marks that the flow answers as losses. */
  readonly lost_packets: number;
  readonly packets: readonly LostPacket[];
  /** First loss of an episode: the classic place to reduce. */
  readonly new_episode: boolean;
  readonly inflight_before_bytes: number;
  readonly inflight_bytes: number;
  readonly total_delivered_bytes: number;
  readonly total_lost_bytes: number;
}

/** A retransmission timeout; in QUIC persistent congestion. */
interface Timeout {
  readonly now_ms: number;
  readonly inflight_before_bytes: number;
  readonly inflight_bytes: number;
  readonly delivered_bytes: number;
  readonly lost_bytes: number;
  /** ssthresh was already reduced for this data: it is not reduced again. */
  readonly repeated: boolean;
}

/** One packet that leaves. */
interface Sent {
  readonly now_ms: number;
  readonly number: number;
  readonly bytes: number;
  readonly retransmission: boolean;
  readonly app_limited: boolean;
  readonly inflight_before_bytes: number;
  readonly inflight_bytes: number;
}

/**
 * The sender's side of one flow. Its properties are what the transport does: they are read after every call. Internals are read by their
 * names, too, whenever a sample is taken.
 */
interface Controller {
  /** More than 0; Infinity for rate control alone. */
  cwnd_bytes: number;
  /** Where proportional rate reduction lands; absent: Infinity. */
  ssthresh_bytes?: number;
  /** With `needs.pacing: 'own'`; absent or 0: as the window opens. */
  pacing_mbps?: number;
  /** What leaves in one piece; absent: the transport's default. */
  send_quantum_bytes?: number;
  /** Nothing leaves before; absent: nothing is held. */
  hold_until_ms?: number;
  /** When onTick is called next; absent or Infinity: never. */
  next_tick_ms?: number;
  /** Attached to each packet sent: the number of a monitor interval, an epoch … A whole number from 0. */
  tag?: number;
  /** The algorithm itself holds the flow back: rate samples of what is in flight now count as application-limited. */
  limits_itself?: boolean;
  /** What a media encoder is told to produce. */
  media_mbps?: number;
  /** One word for the time line. */
  phase?: string;

  onAck(ack: Ack): void;
  onLoss?(loss: Loss): void;
  onTimeout?(timeout: Timeout): void;
  onSent?(sent: Sent): void;
  onTick?(now_ms: number): void;
  /** First send after nothing was in flight and the application was the limit. */
  onIdleRestart?(now_ms: number): void;
}

interface NumberParam {
  readonly type: 'number' | 'integer';
  readonly label: string;
  readonly default: number;
  readonly min: number;
  readonly max: number;
  readonly unit?: string;
  readonly help?: string;
}
interface SwitchParam {
  readonly type: 'boolean';
  readonly label: string;
  readonly default: boolean;
  readonly help?: string;
}
interface ChoiceParam {
  readonly type: 'choice';
  readonly label: string;
  /** The first is the default. */
  readonly choices: readonly string[];
  readonly help?: string;
}

/** A property of the controller that is sampled for plots. */
interface InternalValue {
  readonly label: string;
  readonly unit?: string;
  /** The property is one of these words: drawn as a ribbon. */
  readonly states?: readonly string[];
}

interface Setup {
  /** Values of the parameters, by name. */
  readonly params: Readonly<Record<string, number>> & Readonly<Record<string, number | boolean | string>>;
  readonly now_ms: number;
  readonly mss_bytes: number;
  readonly initial_window_packets: number;
  /** `quic`: windows do not grow while they do not limit (RFC 9002 section 7.8). */
  readonly transport: 'tcp' | 'quic' | 'quic-grow-underutilised';
  /** What the connection's opening took; null: nothing was measured. */
  readonly handshake_rtt_ms: number | null;
}

interface Algorithm {
  /** As people write it: at most 40 characters. */
  readonly name: string;
  /** One or two plain sentences: what it believes and does. */
  readonly summary?: string;
  /** Paper, draft or link. */
  readonly source?: string;
  readonly needs?: {
    /** `window` (default): paced at cwnd / srtt by the transport; `own`: `pacing_mbps`; `none`: bursts as the window opens. */
    readonly pacing?: 'window' | 'own' | 'none';
    /** Pace from the first packet on; Linux leaves the first ten unpaced. */
    readonly paced_start?: boolean;
    /** Proportional rate reduction in recovery (default true): the window lands on `ssthresh_bytes`. */
    readonly prr?: boolean;
    readonly acked_packets?: boolean;
    readonly receiver_timestamps?: boolean;
    /** Packets that can be marked instead of dropped; marks come as `ack.ce_packets`. */
    readonly ecn?: 'none' | 'classic' | 'l4s';
  };
  readonly params?: Readonly<Record<string, NumberParam | SwitchParam | ChoiceParam>>;
  readonly internals?: Readonly<Record<string, InternalValue>>;
  create(setup: Setup): Controller;
}
