// A run around its handovers, or around the outages of its link where no model tells of handovers: what throughput, RTT and queueing delay do on
// average from two seconds before to four after, and how the time within a second of them compares with the rest (Uplink, figure 5).
import { capacityDips } from '#analysis/capacity-dips';
import { eventAverage, type Around, type AroundRule } from '#analysis/event-average';
import { boxOf, type Box } from '#analysis/rolling-jain';
import type { ColumnOf } from '#analysis/run-dynamics';
import { meanBetween } from '#analysis/series-mean';
import type { RunMark } from '#analysis/trace-marks';
import { FORWARD_LINK_STREAM, receiverStream, senderStream } from '#protocol/columns';
import type { RunManifest } from '#protocol/manifest';

/** Of fewer an average says little, and its interval nothing. */
export const FEWEST_MARKS = 3;
/** A mark's own time, either side of it. */
export const NEAR_S = 1;
const BEFORE_S = 2;
const AFTER_S = 4;
/** Bins of 100 ms; of a run with fewer samples as long as those. */
const BIN_S = 0.1;

export type AroundQuantity = 'throughput' | 'rtt' | 'queueing';

export interface AroundSeries {
  readonly quantity: AroundQuantity;
  /** null: the link. */
  readonly flow: number | null;
  readonly around: readonly Around[];
  /** Means of bins within NEAR_S of a mark, and of all others; null: there are none. */
  readonly near: Box | null;
  readonly rest: Box | null;
}

export interface AroundMarks {
  /** `outages`: where the link itself failed, by its capacity (capacity-dips.ts). */
  readonly of: 'handovers' | 'outages';
  readonly marks: readonly RunMark[];
  readonly rule: AroundRule & { readonly near_s: number };
  readonly series: readonly AroundSeries[];
}

interface Watched {
  readonly quantity: AroundQuantity;
  readonly flow: number | null;
  readonly stream: number;
  readonly column: string;
  readonly from_s: number;
  readonly to_s: number;
}

function watchedOf({ flows, duration_s }: RunManifest): Watched[] {
  const ofFlows = flows.flatMap(({ start_s, stop_s }, flow) => {
    const span = { flow, from_s: start_s, to_s: Math.min(stop_s ?? duration_s, duration_s) };
    return [
      { ...span, quantity: 'throughput' as const, stream: receiverStream(flow), column: 'throughput_mbps' },
      { ...span, quantity: 'rtt' as const, stream: senderStream(flow), column: 'latest_rtt_ms' },
    ];
  });
  const from_s = Math.min(...ofFlows.map((one) => one.from_s));
  const to_s = Math.max(...ofFlows.map((one) => one.to_s));
  const link = { quantity: 'queueing' as const, flow: null, stream: FORWARD_LINK_STREAM, column: 'sojourn_mean_ms' };
  return [...ofFlows, { ...link, from_s, to_s }];
}

/** In which bins from `from_s` on any of the marks lies within NEAR_S of the bin's middle. */
export function isNear(marks: readonly number[]): (at_s: number) => boolean {
  let next = 0;
  // Bins are asked for in order of time.
  return (at_s) => {
    while (next < marks.length && (marks[next] ?? 0) < at_s - NEAR_S) next++;
    return next < marks.length && (marks[next] ?? Infinity) <= at_s + NEAR_S;
  };
}

function seriesOf(watched: Watched, column: ColumnOf, marks: readonly number[], rule: AroundRule): AroundSeries | null {
  const { quantity, flow, from_s, to_s } = watched;
  const series = column(watched.stream, watched.column);
  if (series === null) return null;
  const mean = meanBetween(series);
  const [near, rest]: [number[], number[]] = [[], []];
  const within = isNear(marks);
  for (let i = 0; from_s + (i + 1) * rule.bin_s <= to_s + 1e-9; i++) {
    const start = from_s + i * rule.bin_s;
    const value = mean(start, start + rule.bin_s);
    const side = within(start + rule.bin_s / 2) ? near : rest;
    if (value !== null) side.push(value);
  }
  return {
    quantity,
    flow,
    around: eventAverage(mean, marks, rule, { from_s, to_s }),
    near: boxOf(near),
    rest: boxOf(rest),
  };
}

/** What the link's capacity shows where nobody tells of handovers. */
function outagesOf(column: ColumnOf, first_s: number): RunMark[] {
  const capacity = column(FORWARD_LINK_STREAM, 'capacity_mbps');
  return (capacity === null ? [] : capacityDips(capacity))
    .filter(({ from_s }) => from_s > first_s)
    .map(({ kind, from_s, back_s }) => ({ kind, at_s: from_s, lasts_s: (back_s ?? from_s) - from_s }));
}

/** Of a run that is over, with all of its samples; null: too little happened. */
export function aroundMarks(
  manifest: RunManifest,
  handovers: readonly RunMark[],
  column: ColumnOf,
): AroundMarks | null {
  const watched = watchedOf(manifest);
  const first_s = Math.min(...watched.map(({ from_s }) => from_s));
  const told = handovers.filter(({ at_s }) => at_s > first_s);
  const marks = told.length >= FEWEST_MARKS ? told : outagesOf(column, first_s);
  if (marks.length < FEWEST_MARKS) return null;
  const bin_s = Math.max(BIN_S, manifest.sample_period_ms / 1000);
  const rule = { before_s: BEFORE_S, after_s: AFTER_S, bin_s };
  const times = marks.map(({ at_s }) => at_s);
  return {
    of: marks === told ? 'handovers' : 'outages',
    marks,
    rule: { ...rule, near_s: NEAR_S },
    series: watched.flatMap((one) => seriesOf(one, column, times, rule) ?? []),
  };
}
