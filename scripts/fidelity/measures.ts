import { mean, PACKET_BYTES, sum, type LinkRun } from './link-run.ts';

const STATISTICS = {
  mean,
  median: (values: readonly number[]) => quantile(values, 0.5),
  p95: (values: readonly number[]) => quantile(values, 0.95),
  least: (values: readonly number[]) => values.reduce((least, value) => Math.min(least, value), Infinity),
  most: (values: readonly number[]) => values.reduce((most, value) => Math.max(most, value), -Infinity),
};
export type Statistic = keyof typeof STATISTICS;

/** Nearest rank. */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN;
}

/** Values of the first flow and the link, one per sample; what has other names than a sender's column. */
const SERIES: Readonly<Record<string, (run: LinkRun, from: number) => number[]>> = {
  'cwnd packets': (run, from) => run.senderColumn(0, 'cwnd_bytes', from).map((bytes) => bytes / PACKET_BYTES),
  'inflight packets': (run, from) => run.senderColumn(0, 'inflight_bytes', from).map((bytes) => bytes / PACKET_BYTES),
  'RTT ms': (run, from) => run.senderColumn(0, 'latest_rtt_ms', from),
  'queue packets': (run, from) => run.linkColumn('queue_packets', from),
  'queueing ms': (run, from) => run.linkColumn('sojourn_mean_ms', from),
};

const known = (values: readonly number[]): number[] => values.filter((value) => !Number.isNaN(value));

/** Jain's index of the flows' rates. */
export const jain = (rates: readonly number[]): number =>
  sum(rates) ** 2 / (rates.length * sum(rates.map((rate) => rate * rate)));

export const rates = (run: LinkRun, from: number, to = Infinity): number[] =>
  run.summary.senders.map(({ flow }) => run.throughputMbps(flow, from, to));

/** What is one number per run. */
const FIGURES: Readonly<Record<string, (run: LinkRun, from: number) => number>> = {
  'utilisation %': (run, from) =>
    (100 * sum(run.linkColumn('delivered_mbps', from))) / sum(run.linkColumn('capacity_mbps', from)),
  'throughput Mbps': (run, from) => run.throughputMbps(0, from),
  'first flow’s share %': (run, from) => (100 * run.throughputMbps(0, from)) / sum(rates(run, from)),
  'Jain’s index': (run, from) => jain(rates(run, from)),
  // of the whole run: a start's losses are losses
  'dropped %': ({ link }) => (100 * link.dropped_packets) / link.arrived_packets,
  'p95 queueing ms of all packets': ({ link }) => link.queueing_delay.p95_ms ?? NaN,
  // each sample weighs as much as it delivered
  'mean queueing ms': (run, from) => {
    const [delays, weights] = [run.linkColumn('sojourn_mean_ms', from), run.linkColumn('delivered_mbps', from)];
    const terms = delays.map((delay, i) => (Number.isNaN(delay) ? 0 : delay * (weights[i] ?? 0)));
    return sum(terms) / sum(weights);
  },
  'seconds between losses': (run, from) => {
    const lost = run.linkColumn('dropped_packets', from).map((packets) => packets > 0);
    const times = run
      .linkColumn('time_s', from)
      .filter((time, i, all) => lost[i] === true && time - lastLoss(all, lost, i) > 1);
    return ((times.at(-1) ?? NaN) - (times[0] ?? NaN)) / (times.length - 1);
  },
};

function lastLoss(times: readonly number[], lost: readonly boolean[], before: number): number {
  for (let i = before - 1; i >= 0; i--) if (lost[i] === true) return times[i] ?? 0;
  return -Infinity;
}

/** `utilisation %`, `median cwnd packets`, `most of mu` …: a figure, or a statistic of a series or of an internal of the first flow. */
export function measure(run: LinkRun, what: string, fromS: number): number {
  const figure = FIGURES[what];
  if (figure !== undefined) return figure(run, fromS);
  const [statistic = '', ...rest] = what.split(' ');
  const of = STATISTICS[statistic as Statistic] as (typeof STATISTICS)[Statistic] | undefined;
  const name = rest.join(' ');
  if (of === undefined) throw new Error(`there is no measure "${what}"; figures: ${Object.keys(FIGURES).join(', ')}`);
  return of(known(SERIES[name]?.(run, fromS) ?? run.senderColumn(0, name, fromS)));
}
