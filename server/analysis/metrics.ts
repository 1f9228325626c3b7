// What is read off one run. Each metric is defined here once; table, frontier, exports and their documentation
// (docs/metrics.md) take it from this list. A run of several flows is one link: delays are means over all its packets.
import { fairnessTerm, jainIndex } from '#analysis/fairness';
import { delaysOf } from '#analysis/packet-delay';
import type { Range } from '#analysis/statistics';
import type { DelayStats, RunSummary } from '#protocol/summary';

export interface Metric {
  readonly id: string;
  readonly label: string;
  /** Name in files, with the unit. */
  readonly column: string;
  /** '' for a share or a factor. */
  readonly unit: string;
  readonly better: 'more' | 'less';
  /** Where values can be: intervals stay there. */
  readonly range: (run: Pick<RunSummary, 'base_rtt_ms'>) => Range;
  /** null: not measured in this run. */
  readonly of: (summary: RunSummary) => number | null;
  readonly definition: string;
}

const forward = (summary: RunSummary) => summary.links.find((link) => link.direction === 'forward');
const total = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

/** Mean over packets of several flows. */
function packetMean(parts: readonly (readonly [count: number, mean: number | null])[]): number | null {
  const known = parts.flatMap(([count, mean]) => (mean === null || count === 0 ? [] : [{ count, mean }]));
  const count = total(known.map((part) => part.count));
  return count === 0 ? null : total(known.map((part) => part.count * part.mean)) / count;
}
const meanDelay = (stats: readonly DelayStats[]): number | null => packetMean(stats.map((s) => [s.count, s.mean_ms]));
/** Of several flows from their merged histograms: percentiles of each cannot be joined. */
const p95 = (stats: readonly DelayStats[], together: DelayStats | undefined): number | null =>
  (stats.length === 1 ? stats[0] : together)?.p95_ms ?? null;

function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

/** What arrived of the messages of the flows whose application writes any, with what was due. */
const messages = ({ senders, receivers }: RunSummary) =>
  receivers.flatMap(({ flow, messages: received }) => {
    const offered = senders.find((sender) => sender.flow === flow)?.messages;
    return received === undefined || offered === undefined ? [] : [{ offered, received }];
  });

/** Processor time of the sending ends, s; null: not of all of them is it known. */
function senderCpu({ senders }: RunSummary): number | null {
  const spent = senders.flatMap(({ cpu_s }) => cpu_s ?? []);
  return senders.length === 0 || spent.length < senders.length ? null : total(spent);
}

/** Packet delay over base RTT. */
const inflation = (summary: RunSummary): number | null =>
  packetMean(delaysOf(summary).flows.map(({ count, inflation: own }) => [count, own]));

/** Reminis' default: an application tolerates so many base RTTs. */
export const TOLERATED_RTTS = 1.5;

const positive = (): Range => [0, Infinity];
const fromBaseRtt = ({ base_rtt_ms }: Pick<RunSummary, 'base_rtt_ms'>): Range => [base_rtt_ms, Infinity];
const fromOne = (): Range => [1, Infinity];
const fraction = (): Range => [0, 1];

export const METRICS = {
  utilisation: {
    id: 'utilisation',
    label: 'utilisation',
    column: 'utilisation',
    unit: '',
    better: 'more',
    range: fraction,
    of: (summary) => forward(summary)?.utilisation ?? null,
    definition:
      'Bytes delivered through opportunities over the bytes the opportunities offered, from the first flow’s start to the end',
  },
  throughput: {
    id: 'throughput',
    label: 'throughput',
    column: 'throughput_mbps',
    unit: 'Mbps',
    better: 'more',
    range: positive,
    of: (summary) => {
      const link = forward(summary);
      if (link === undefined || summary.receivers.length === 0 || link.to_s <= link.from_s) return null;
      return (total(summary.receivers.map((r) => r.received_bytes)) * 8) / 1e6 / (link.to_s - link.from_s);
    },
    definition:
      'Bytes that arrived for the first time, of all flows, over the time from the first flow’s start to the end',
  },
  queueing_mean: {
    id: 'queueing_mean',
    label: 'queueing delay, mean',
    column: 'queueing_mean_ms',
    unit: 'ms',
    better: 'less',
    range: positive,
    of: (summary) => forward(summary)?.queueing_delay.mean_ms ?? null,
    definition: 'From arrival at the queue to the packet’s opportunity, mean over delivered packets',
  },
  queueing_p95: {
    id: 'queueing_p95',
    label: 'queueing delay, p95',
    column: 'queueing_p95_ms',
    unit: 'ms',
    better: 'less',
    range: positive,
    of: (summary) => forward(summary)?.queueing_delay.p95_ms ?? null,
    definition: 'The same, nearest-rank 95th percentile over delivered packets',
  },
  rtt_mean: {
    id: 'rtt_mean',
    label: 'RTT, mean',
    column: 'rtt_mean_ms',
    unit: 'ms',
    better: 'less',
    range: fromBaseRtt,
    of: ({ senders }) => meanDelay(senders.map((sender) => sender.rtt)),
    definition: 'Round-trip time samples of the senders, mean over samples',
  },
  rtt_p95: {
    id: 'rtt_p95',
    label: 'RTT, p95',
    column: 'rtt_p95_ms',
    unit: 'ms',
    better: 'less',
    range: fromBaseRtt,
    of: ({ senders, all_flows }) =>
      p95(
        senders.map((sender) => sender.rtt),
        all_flows?.rtt,
      ),
    definition: 'The same, nearest-rank 95th percentile; of several flows over the samples of all',
  },
  delay_inflation: {
    id: 'delay_inflation',
    label: 'delay inflation',
    column: 'delay_inflation',
    unit: '× base',
    better: 'less',
    range: fromOne,
    of: inflation,
    definition:
      'Packet delay over base RTT (propagation only), mean over delivered packets; of RTT samples where packets’ delays are not known',
  },
  packet_delay_mean: {
    id: 'packet_delay_mean',
    label: 'packet delay, mean',
    column: 'packet_delay_mean_ms',
    unit: 'ms',
    better: 'less',
    range: fromBaseRtt,
    of: (summary) => packetMean(delaysOf(summary).flows.map(({ count, mean_ms }) => [count, mean_ms])),
    definition:
      'Base RTT and what packets waited beyond it, mean over every delivered packet, those too that give no RTT sample; mean RTT where packets’ delays are not known',
  },
  d3: {
    id: 'd3',
    label: 'D3, delay over tolerance',
    column: 'd3',
    unit: '× tolerance',
    better: 'less',
    range: () => [1 / TOLERATED_RTTS, Infinity],
    of: (summary) => {
      const own = inflation(summary);
      return own === null ? null : own / TOLERATED_RTTS;
    },
    definition: `Mean packet delay over the delay tolerance threshold, ${TOLERATED_RTTS} base RTTs (Reminis); at most 1 keeps the promise`,
  },
  rtt_inflation: {
    id: 'rtt_inflation',
    label: 'RTT inflation',
    column: 'rtt_inflation',
    unit: '× base',
    better: 'less',
    range: fromOne,
    of: ({ senders }) => packetMean(senders.map((sender) => [sender.rtt.count, sender.delay_inflation])),
    definition: 'Mean RTT over base RTT, mean over samples: packets that were late after a timeout give none',
  },
  owd_mean: {
    id: 'owd_mean',
    label: 'one-way delay, mean',
    column: 'owd_mean_ms',
    unit: 'ms',
    better: 'less',
    range: positive,
    of: ({ receivers }) => meanDelay(receivers.map((receiver) => receiver.owd)),
    definition: 'From sending to arrival, mean over packets',
  },
  owd_p95: {
    id: 'owd_p95',
    label: 'one-way delay, p95',
    column: 'owd_p95_ms',
    unit: 'ms',
    better: 'less',
    range: positive,
    of: ({ receivers, all_flows }) =>
      p95(
        receivers.map((receiver) => receiver.owd),
        all_flows?.owd,
      ),
    definition: 'The same, nearest-rank 95th percentile; of several flows over the packets of all',
  },
  loss: {
    id: 'loss',
    label: 'loss',
    column: 'loss_share',
    unit: '',
    better: 'less',
    range: fraction,
    of: (summary) => {
      const link = forward(summary);
      const sent = total(summary.senders.map((sender) => sender.sent_packets));
      return link === undefined ? null : share(link.dropped_packets + link.lost_packets, sent);
    },
    definition: 'Packets that the queue dropped or the loss element removed, over packets sent',
  },
  retransmitted: {
    id: 'retransmitted',
    label: 'retransmissions',
    column: 'retransmitted_share',
    unit: '',
    better: 'less',
    range: fraction,
    of: ({ senders }) => {
      const again = senders.flatMap((s) => s.retransmitted_packets ?? []);
      return again.length < senders.length ? null : share(total(again), total(senders.map((s) => s.sent_packets)));
    },
    definition: 'Packets that were retransmissions, over packets sent; not of external programs that do not use TCP',
  },
  message_mean: {
    id: 'message_mean',
    label: 'message delay, mean',
    column: 'message_mean_ms',
    unit: 'ms',
    better: 'less',
    range: positive,
    of: (summary) => meanDelay(messages(summary).map(({ received }) => received.delay)),
    definition: 'Of transfers, frames and replayed writes: from birth to the last byte at the receiver, mean over them',
  },
  message_p95: {
    id: 'message_p95',
    label: 'message delay, p95',
    column: 'message_p95_ms',
    unit: 'ms',
    better: 'less',
    range: positive,
    of: (summary) =>
      p95(
        messages(summary).map(({ received }) => received.delay),
        summary.all_flows?.message_delay,
      ),
    definition: 'The same, nearest-rank 95th percentile; of several flows over the messages of all',
  },
  on_time: {
    id: 'on_time',
    label: 'frames on time',
    column: 'on_time_share',
    unit: '',
    better: 'more',
    range: fraction,
    of: (summary) => {
      const all = messages(summary);
      return share(total(all.map(({ received }) => received.on_time)), total(all.map(({ offered }) => offered.due)));
    },
    definition: 'Frames that were whole before their deadline, over those whose deadline came before the flow’s end',
  },
  jain: {
    id: 'jain',
    label: 'Jain’s index of the flows',
    column: 'jain_throughput',
    unit: '',
    better: 'more',
    range: fraction,
    of: ({ receivers }) => (receivers.length < 2 ? null : jainIndex(receivers.map((r) => r.throughput_mbps))),
    definition:
      'Jain’s index of the flows’ throughputs over the whole run; only of several flows, and where some join behind the link of those that share it',
  },
  cpu_percent: {
    id: 'cpu_percent',
    label: 'CPU of the senders',
    column: 'cpu_percent',
    unit: '%',
    better: 'less',
    range: positive,
    of: (summary) => {
      const link = forward(summary);
      const spent = senderCpu(summary);
      return link === undefined || spent === null || link.to_s <= link.from_s
        ? null
        : (100 * spent) / (link.to_s - link.from_s);
    },
    definition:
      'Processor time of the sending ends of all flows over the time from the first flow’s start to the end: 100 % is one processor; in real time only',
  },
  cpu_us_per_packet: {
    id: 'cpu_us_per_packet',
    label: 'CPU per packet',
    column: 'cpu_us_per_packet',
    unit: 'µs',
    better: 'less',
    range: positive,
    of: (summary) => {
      const spent = senderCpu(summary);
      return spent === null ? null : share(1e6 * spent, total(summary.senders.map((sender) => sender.sent_packets)));
    },
    definition: 'The same processor time over the packets that they sent, retransmissions included; in real time only',
  },
  jain_together: {
    id: 'jain_together',
    label: 'Jain’s index, flows together',
    column: 'jain_together',
    unit: '',
    better: 'more',
    range: fraction,
    of: (summary) => (summary.receivers.length < 2 ? null : fairnessTerm(summary).value),
    definition:
      'Jain’s index over rolling windows of 1 to 3000 base RTTs while all flows run, mean of short and long term; of several flows only',
  },
  first_share: {
    id: 'first_share',
    label: 'share of the first flow',
    column: 'first_flow_share',
    unit: '',
    better: 'more',
    range: fraction,
    of: ({ receivers }) =>
      receivers.length < 2
        ? null
        : share(
            receivers.find(({ flow }) => flow === 0)?.received_bytes ?? 0,
            total(receivers.map((r) => r.received_bytes)),
          ),
    definition:
      'What arrived of the first flow over what arrived of all, over the whole run; of several flows only: one of n that share evenly has 1/n',
  },
} as const satisfies Readonly<Record<string, Metric>>;

export type MetricId = keyof typeof METRICS;
export const METRIC_IDS = Object.keys(METRICS) as MetricId[];
/** What the frontier can show as delay and as throughput. */
export const DELAY_METRICS = [
  'queueing_mean',
  'queueing_p95',
  'rtt_mean',
  'rtt_p95',
  'delay_inflation',
  'packet_delay_mean',
  'rtt_inflation',
  'owd_mean',
  'owd_p95',
] as const;
export const RATE_METRICS = ['throughput', 'utilisation'] as const;
