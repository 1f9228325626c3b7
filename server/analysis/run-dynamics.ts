// What a run's samples say of its course: how soon flows converge, recover from what the link does, and settle when others come and go, and how
// fair they are over short times. docs/metrics.md has the definitions.
import { capacityDips } from '#analysis/capacity-dips';
import { jainIndex, WINDOWS_K } from '#analysis/fairness';
import type { TimeSeries } from '#analysis/live-comparison';
import { flowsBeside } from '#analysis/own-elements';
import { recoveries, RECOVERED, type Recovery } from '#analysis/recovery';
import { boxOf, rollingJain, type Box } from '#analysis/rolling-jain';
import { meanBetween, periodOf, type MeanBetween } from '#analysis/series-mean';
import { ratioOf, timeToSettle, type Pace } from '#analysis/settling';
import { finish } from '#analysis/steps';
import { baseRttMs } from '#protocol/base-rtt';
import { FORWARD_LINK_STREAM, receiverStream, senderStream } from '#protocol/columns';
import type { RunManifest } from '#protocol/manifest';

/** A column of a stream; null: the run has none such. */
export type ColumnOf = (stream: number, column: string) => TimeSeries | null;

export interface Convergence {
  readonly flow: number;
  /** Mean share of the capacity over the second half of its time. */
  readonly final_share: number;
  /** From its start, to within the band of that; null: it does not. */
  readonly to_final_s: number | null;
  /** The same to an equal part among those that run. */
  readonly to_fair_s: number | null;
}

export interface Change {
  readonly at_s: number;
  readonly joined: readonly number[];
  readonly left: readonly number[];
  /** How many run then. */
  readonly running: number;
  /** Until those that run share alike, or one alone uses the link; null: not before the next change or the end. */
  readonly settled_after_s: number | null;
}

export interface JainBox {
  readonly k: number;
  readonly window_s: number;
  /** null: no window, or one shorter than samples can tell. */
  readonly throughput: Box | null;
  readonly rtt: Box | null;
}

export interface RunDynamics {
  readonly rule: DynamicsRule;
  /** Empty where the link's capacity is not limited. */
  readonly convergence: readonly Convergence[];
  readonly recovery: readonly Recovery[];
  readonly settling: readonly Change[];
  /** Of the flows that share the link, while all of them run; empty of fewer than two. */
  readonly jain: readonly JainBox[];
}

export interface DynamicsRule {
  readonly base_rtt_s: number;
  readonly window_s: number;
  readonly hold_s: number;
  readonly band: number;
  readonly fair: number;
  readonly recovered: number;
}

const WINDOW_RTTS = 10;
/** Of windows: a level that is left sooner was only passed. */
const HOLD_WINDOWS = 5;
/** A packet of 1500 B in 10 ms is 1.2 Mbps: shorter windows show packets, not rates. */
const LEAST_WINDOW_S = 0.1;
export const BAND = 0.2;
export const FAIR = 0.9;
/** Samples in a window: with fewer the edges of rows decide. */
const FEWEST_ROWS = 5;
/** Of one length: beyond it they slide by more than a base RTT. */
const MOST_WINDOWS = 5000;

function ruleOf(manifest: RunManifest): DynamicsRule {
  const base_rtt_s = Math.max(...manifest.flows.map((flow) => baseRttMs(manifest, flow))) / 1000;
  const samples = (FEWEST_ROWS * manifest.sample_period_ms) / 1000;
  const window_s = Math.max(WINDOW_RTTS * base_rtt_s, LEAST_WINDOW_S, samples);
  return { base_rtt_s, window_s, hold_s: HOLD_WINDOWS * window_s, band: BAND, fair: FAIR, recovered: RECOVERED };
}

interface Flow {
  readonly flow: number;
  readonly from_s: number;
  readonly to_s: number;
  readonly throughput: MeanBetween;
  readonly rtt: MeanBetween | null;
}

function flowsOf({ flows, duration_s, forward }: RunManifest, column: ColumnOf): Flow[] {
  const beside = flowsBeside(forward.path, flows);
  return flows.flatMap(({ start_s, stop_s }, flow): Flow[] => {
    const throughput = column(receiverStream(flow), 'throughput_mbps');
    if (throughput === null || beside.includes(flow)) return [];
    const rtt = column(senderStream(flow), 'latest_rtt_ms');
    const to_s = Math.min(stop_s ?? duration_s, duration_s, throughput.time[throughput.rows - 1] ?? 0);
    return [
      { flow, from_s: start_s, to_s, throughput: meanBetween(throughput), rtt: rtt === null ? null : meanBetween(rtt) },
    ];
  });
}

const paceOf = ({ window_s, hold_s }: DynamicsRule): Pace => ({ window_s, hold_s, step_s: window_s / FEWEST_ROWS });

const runningAt = (flows: readonly Flow[], at_s: number): readonly Flow[] =>
  flows.filter(({ from_s, to_s }) => from_s <= at_s && to_s > at_s);

const near = (level: number) => (value: number) => Math.abs(value - level) <= BAND * level;

function convergenceOf(flows: readonly Flow[], capacity: MeanBetween, rule: DynamicsRule): Convergence[] {
  return flows.flatMap(({ flow, from_s, to_s, throughput }) => {
    const share = ratioOf(throughput, capacity);
    const final_share = share((from_s + to_s) / 2, to_s);
    if (final_share === null) return [];
    const ofFair: MeanBetween = (from, to) => {
      const own = share(from, to);
      return own === null ? null : own * runningAt(flows, from).length;
    };
    const watch = { ...paceOf(rule), from_s, to_s };
    return [
      {
        flow,
        final_share,
        to_final_s: timeToSettle(share, near(final_share), watch),
        to_fair_s: timeToSettle(ofFair, near(1), watch),
      },
    ];
  });
}

/** Starts and stops, those within a window of one another together; not the first start, and not the end of all. */
function changesOf(flows: readonly Flow[], { window_s }: DynamicsRule, end_s: number) {
  const times = flows
    .flatMap(({ flow, from_s, to_s }) => [
      { at_s: from_s, joined: [flow], left: [] as number[] },
      { at_s: to_s, joined: [] as number[], left: [flow] },
    ])
    .filter(({ at_s }) => at_s < end_s - window_s)
    .toSorted((a, b) => a.at_s - b.at_s);
  const changes: typeof times = [];
  for (const change of times) {
    const before = changes.at(-1);
    if (before === undefined || change.at_s - before.at_s > window_s) changes.push(change);
    else {
      before.at_s = change.at_s;
      before.joined.push(...change.joined);
      before.left.push(...change.left);
    }
  }
  return changes;
}

function settlingOf(flows: readonly Flow[], capacity: MeanBetween | null, rule: DynamicsRule, end_s: number): Change[] {
  const changes = changesOf(flows, rule, end_s);
  return changes.map(({ at_s, joined, left }, i) => {
    const running = runningAt(flows, at_s);
    const [only] = running;
    const alike: MeanBetween = (from, to) => {
      const rates = running.map(({ throughput }) => throughput(from, to));
      return rates.includes(null) ? null : jainIndex(rates.map((rate) => rate ?? 0));
    };
    const watch = { ...paceOf(rule), from_s: at_s, to_s: changes[i + 1]?.at_s ?? end_s };
    const settled_after_s =
      only === undefined
        ? null
        : running.length > 1
          ? timeToSettle(alike, (index) => index >= FAIR, watch)
          : capacity === null
            ? null
            : timeToSettle(ratioOf(only.throughput, capacity), (share) => share >= RECOVERED, watch);
    return { at_s, joined, left, running: running.length, settled_after_s };
  });
}

function* jainSteps(
  flows: readonly Flow[],
  { base_rtt_s }: DynamicsRule,
  period_s: number,
): Generator<void, JainBox[], undefined> {
  const from_s = Math.max(...flows.map((flow) => flow.from_s));
  const to_s = Math.min(...flows.map((flow) => flow.to_s));
  if (flows.length < 2 || to_s <= from_s || base_rtt_s <= 0) return [];
  const step_s = Math.max(base_rtt_s, (to_s - from_s) / MOST_WINDOWS);
  const boxFor = (series: readonly MeanBetween[], window_s: number): Box | null => {
    if (series.length < flows.length || window_s < FEWEST_ROWS * period_s) return null;
    return boxOf(rollingJain(series, { from_s, to_s, window_s, step_s }).map(({ index }) => index));
  };
  const throughputs = flows.map(({ throughput }) => throughput);
  const rtts = flows.flatMap(({ rtt }) => rtt ?? []);
  const boxes: JainBox[] = [];
  for (const k of WINDOWS_K) {
    const whole = k * base_rtt_s;
    // As the summary's: what falls short of it by a hundredth is the one window of all the time that they run.
    const window_s = to_s - from_s < whole && to_s - from_s >= 0.99 * whole ? to_s - from_s : whole;
    const throughput = boxFor(throughputs, window_s);
    yield;
    boxes.push({ k, window_s, throughput, rtt: boxFor(rtts, window_s) });
    yield;
  }
  return boxes;
}

/** Of a run that is over, with all of its samples. */
export const dynamicsOf = (manifest: RunManifest, column: ColumnOf): RunDynamics =>
  finish(dynamicsSteps(manifest, column));

/** The same in short steps. */
export function* dynamicsSteps(manifest: RunManifest, column: ColumnOf): Generator<void, RunDynamics, undefined> {
  const rule = ruleOf(manifest);
  const flows = flowsOf(manifest, column);
  yield;
  const series = manifest.forward.capacity.kind === 'unlimited' ? null : column(FORWARD_LINK_STREAM, 'capacity_mbps');
  const delivered = column(FORWARD_LINK_STREAM, 'delivered_mbps');
  const capacity = series === null ? null : meanBetween(series);
  const end_s = Math.max(0, ...flows.map(({ to_s }) => to_s));
  const first_s = Math.min(...flows.map(({ from_s }) => from_s));
  yield;
  // Before anybody sends nobody has anything to recover from.
  const dips = series === null ? [] : capacityDips(series).filter(({ from_s, back_s }) => (back_s ?? from_s) > first_s);
  yield;
  const recovery =
    capacity === null || delivered === null
      ? []
      : recoveries(dips, meanBetween(delivered), capacity, paceOf(rule), end_s);
  yield;
  const convergence = capacity === null ? [] : convergenceOf(flows, capacity, rule);
  yield;
  // The first of them is the start of all.
  const settling = settlingOf(flows, capacity, rule, end_s).slice(1);
  const period_s = series === null ? manifest.sample_period_ms / 1000 : periodOf(series);
  return { rule, convergence, recovery, settling, jain: yield* jainSteps(flows, rule, period_s) };
}
