// iperf3 reports for tests, in the form that iperf 3.12 writes.
import { Iperf3Report } from '#protocol/iperf3';
import type { Measurement } from '#protocol/measurement';
import { measurementOf } from '#analysis/iperf3';

export interface MadeReport {
  readonly protocol?: 'TCP' | 'UDP';
  /** The report of the end that sends: with windows and RTTs. */
  readonly sender?: boolean;
  readonly streams?: number;
  readonly interval_s?: number;
  /** Payload rate of all streams together, Mbps, one per interval. */
  readonly mbps: readonly number[];
  readonly cwnd_bytes?: (i: number) => number;
  readonly rtt_ms?: (i: number) => number;
  readonly omit?: number;
  readonly congestion?: string;
  readonly mss?: number;
}

export function iperf3Report(made: MadeReport): object {
  const { protocol = 'TCP', sender = true, streams = 1, interval_s = 0.1, mbps, omit = 0, mss = 1448 } = made;
  const intervals = mbps.map((rate, i) => {
    // The clock starts again after the omitted intervals.
    const start = (i < omit ? i : i - omit) * interval_s;
    const seconds = interval_s * 1.0003;
    const span = { start, end: start + seconds, seconds, omitted: i < omit, sender };
    const bytes = Math.round((rate * 1e6 * seconds) / 8 / streams);
    const tcp = {
      retransmits: i % 10 === 0 ? 1 : 0,
      snd_cwnd: made.cwnd_bytes?.(i) ?? 120_000,
      snd_wnd: 3_000_000,
      rtt: Math.round((made.rtt_ms?.(i) ?? 40) * 1000),
      rttvar: 1500,
      pmtu: 1500,
    };
    const udp = sender
      ? { packets: Math.round(bytes / 1448) }
      : { jitter_ms: 0.2, lost_packets: 2, packets: 50, lost_percent: 4 };
    const one = (socket: number): object => ({
      socket,
      ...span,
      bytes,
      bits_per_second: (bytes * 8) / seconds,
      ...(protocol === 'TCP' ? (sender ? tcp : {}) : udp),
    });
    return {
      streams: Array.from({ length: streams }, (_, k) => one(5 + 2 * k)),
      sum: { ...span, bytes: bytes * streams, bits_per_second: (bytes * streams * 8) / seconds },
    };
  });
  const congestion = made.congestion ?? 'cubic';
  return {
    start: {
      connected: [
        { socket: 5, local_host: '192.0.2.1', local_port: 40_000, remote_host: '192.0.2.2', remote_port: 5201 },
      ],
      version: 'iperf 3.12',
      system_info: 'Linux "phone" 6.1.0',
      timestamp: { time: 'Sat, 11 Jul 2026 10:15:00 GMT', timesecs: 1_783_764_900 },
      ...(protocol === 'TCP' ? { tcp_mss_default: mss } : {}),
      target_bitrate: 0,
      test_start: {
        protocol,
        num_streams: streams,
        blksize: protocol === 'TCP' ? 131_072 : 1448,
        omit: 0,
        duration: Math.round((mbps.length - omit) * interval_s),
        reverse: sender ? 0 : 1,
      },
    },
    intervals,
    end: protocol === 'TCP' ? { sender_tcp_congestion: congestion, receiver_tcp_congestion: congestion } : {},
  };
}

/** What becomes of it: the engine passes on what it reads under iperf3's own names. */
export const madeMeasurement = (made: MadeReport): Measurement =>
  measurementOf(Iperf3Report.parse({ ...iperf3Report(made), complete: true }));
