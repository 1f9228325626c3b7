// How long delivered packets were under way, as round trips: the base RTT, what they waited beyond their least one-way delay, and what their
// flow's acknowledgements waited for a way back whose capacity is limited. Every packet that arrived counts. RTT samples do not: after a
// timeout that was none the packets that were late give no sample (Karn), so that a sender that stalls looks quicker than its packets were.
// Runs of engines before that told no least one-way delay stand on their RTT samples, as they did, and say so.
import type { RunSummary } from '#protocol/summary';

/** What figures of delay stand on. */
export type DelayBasis = 'packets' | 'rtt';

export interface FlowDelay {
  readonly flow: number;
  /** Packets, or RTT samples. */
  readonly count: number;
  readonly mean_ms: number;
  /** Over the flow's base RTT; null where that is 0. */
  readonly inflation: number | null;
}

export interface RunDelays {
  readonly basis: DelayBasis;
  /** Those that are known. */
  readonly flows: readonly FlowDelay[];
}

function packetsOf({ links, senders }: RunSummary, receiver: RunSummary['receivers'][number]): FlowDelay | null {
  const { flow, owd, base_owd_ms, base_rtt_ms } = receiver;
  if (base_owd_ms === undefined || base_rtt_ms === undefined || owd.mean_ms === null) return null;
  const back = links.find(({ direction }) => direction === 'reverse')?.flows?.find((own) => own.flow === flow);
  const mean_ms = base_rtt_ms + owd.mean_ms - base_owd_ms + (back?.queueing_delay.mean_ms ?? 0);
  // Without a base RTT only the optimal has an inflation: it waits for nothing.
  const inflation =
    base_rtt_ms > 0 ? mean_ms / base_rtt_ms : (senders.find((sender) => sender.flow === flow)?.delay_inflation ?? null);
  return { flow, count: owd.count, mean_ms, inflation };
}

const samplesOf = ({ senders }: RunSummary): readonly FlowDelay[] =>
  senders.flatMap(({ flow, rtt: { count, mean_ms }, delay_inflation }) =>
    mean_ms === null || count === 0 ? [] : [{ flow, count, mean_ms, inflation: delay_inflation }],
  );

const known = new WeakMap<RunSummary, RunDelays>();

/** Of all flows by their packets, or of all by their RTT samples: one run has one measure. */
export function delaysOf(summary: RunSummary): RunDelays {
  const before = known.get(summary);
  if (before !== undefined) return before;
  const samples = samplesOf(summary);
  const packets = summary.receivers.flatMap((receiver) => packetsOf(summary, receiver) ?? []);
  const lacking = samples.some(({ flow }) => !packets.some((own) => own.flow === flow));
  const found: RunDelays = lacking ? { basis: 'rtt', flows: samples } : { basis: 'packets', flows: packets };
  known.set(summary, found);
  return found;
}

/** Of several runs together; null: none of them has delays. */
export function basisOf(runs: Iterable<RunSummary>): DelayBasis | 'mixed' | null {
  const found = new Set<DelayBasis>();
  for (const summary of runs) {
    const { basis, flows } = delaysOf(summary);
    if (flows.length > 0) found.add(basis);
  }
  return found.size > 1 ? 'mixed' : ([...found][0] ?? null);
}

export const OF_RTTS =
  'Runs of earlier versions do not tell their packets’ delays: delay over the base RTT, and what is made of it, is of their RTT samples, which miss the packets that were delayed most.';

/** What is said beside a figure that does not stand on packets alone; null: it does. */
export function basisNote(basis: DelayBasis | 'mixed' | null): { text: string; title: string; about: string } | null {
  if (basis === null || basis === 'packets') return null;
  return {
    text: basis === 'rtt' ? 'of RTTs' : 'partly of RTTs',
    title: `Of RTT samples${basis === 'rtt' ? '' : ' in some runs'}, as the packets’ own delays are not known`,
    about: OF_RTTS,
  };
}
