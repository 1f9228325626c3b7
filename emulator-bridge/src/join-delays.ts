// Delays of all flows together, of what the processes of a run in real time tell of their own: their histograms are merged here, and leave the
// summary with that. Percentiles are of the nearest rank, as in the engine (core/histogram.cc).
import type { AllFlows, DelayStats, RunSummary } from '#protocol/summary';

const NONE: DelayStats = { count: 0, mean_ms: null, p50_ms: null, p95_ms: null, p99_ms: null, max_ms: null };

/** A delay in ms and its packets in turn. */
function* bucketsOf(spread: readonly number[]): Generator<readonly [ms: number, packets: number], void, undefined> {
  for (let i = 0; i + 1 < spread.length; i += 2) yield [spread[i] ?? 0, spread[i + 1] ?? 0];
}

/** Of several flows; nothing when the histogram of one that has any is not known. */
export function mergedDelays(flows: readonly DelayStats[]): DelayStats {
  const known = flows.filter(({ count }) => count > 0);
  if (known.length === 0 || known.some(({ spread }) => spread === undefined)) return NONE;
  const packets = new Map<number, number>();
  for (const { spread = [] } of known)
    for (const [ms, more] of bucketsOf(spread)) packets.set(ms, (packets.get(ms) ?? 0) + more);
  const buckets = [...packets].sort(([a], [b]) => a - b);
  const count = known.reduce((total, delays) => total + delays.count, 0);
  const max_ms = Math.max(...known.map((delays) => delays.max_ms ?? 0));
  const percentile = (share: number): number => {
    let seen = 0;
    const found = buckets.find(([, more]) => (seen += more) >= Math.max(1, Math.ceil(share * count)));
    return Math.min(found?.[0] ?? max_ms, max_ms);
  };
  return {
    count,
    mean_ms: known.reduce((total, delays) => total + delays.count * (delays.mean_ms ?? 0), 0) / count,
    p50_ms: percentile(0.5),
    p95_ms: percentile(0.95),
    p99_ms: percentile(0.99),
    max_ms,
  };
}

type Flows = Pick<RunSummary, 'senders' | 'receivers'>;

/** `told`: what one process knows of all flows by itself. */
export function allFlowsOf({ senders, receivers }: Flows, told: AllFlows | undefined): AllFlows | undefined {
  if (senders.length < 2) return undefined;
  const either = (own: DelayStats | undefined, flows: readonly DelayStats[]): DelayStats =>
    own === undefined || own.count === 0 ? mergedDelays(flows) : own;
  return {
    rtt: either(
      told?.rtt,
      senders.map(({ rtt }) => rtt),
    ),
    owd: either(
      told?.owd,
      receivers.map(({ owd }) => owd),
    ),
    message_delay: either(
      told?.message_delay,
      receivers.flatMap(({ messages }) => messages?.delay ?? []),
    ),
  };
}

const without = ({ spread: _, ...delays }: DelayStats): DelayStats => delays;

/** As they are stored. */
export const withoutSpreads = ({ senders, receivers }: Flows): Flows => ({
  senders: senders.map((sender) => ({ ...sender, rtt: without(sender.rtt) })),
  receivers: receivers.map(({ messages, ...receiver }) => ({
    ...receiver,
    owd: without(receiver.owd),
    ...(messages === undefined ? {} : { messages: { ...messages, delay: without(messages.delay) } }),
  })),
});
