// What a cell's edge costs, by the model that knows of it (Uplink, figures 3 and 5): throughput and RTT within a second of handovers over the
// inside of cells, where the signal is above its mean; and whether throughput follows the signal.
import { FEWEST_MARKS, isNear } from '#analysis/around-marks';
import { correlationOf, momentsOf } from '#analysis/moments';
import type { ColumnOf } from '#analysis/run-dynamics';
import {
  known,
  NOTHING,
  POSITIVE,
  sharing,
  spanOf,
  STEP_WINDOWS,
  windowsIn,
  type Family,
} from '#analysis/sampled-parts';
import { meanBetween, type MeanBetween } from '#analysis/series-mean';
import { mean } from '#analysis/statistics';
import type { RunStory } from '#analysis/trace-marks';
import { receiverStream, senderStream } from '#protocol/columns';
import type { RunManifest } from '#protocol/manifest';

/** 100 ms; of a run with fewer samples as long as those. */
const BIN_S = 0.1;
/** As the paper samples throughput, “every five seconds” (section IV-A). */
const SIGNAL_S = 5;
/** As often as models tell their signal. */
const SIGNAL_STEP_S = 1;

/** Of all flows that share the link; null where one is not known. */
function sumOf(flows: readonly MeanBetween[]): MeanBetween {
  return (from, to) => {
    let sum = 0;
    for (const flow of flows) {
      const own = flow(from, to);
      if (own === null) return null;
      sum += own;
    }
    return sum;
  };
}

const columnsOf = (manifest: RunManifest, column: ColumnOf, which: (flow: number) => readonly [number, string]) => {
  const all = sharing(manifest).map(({ flow }) => column(...which(flow)));
  return all.includes(null) ? null : sumOf(all.flatMap((series) => (series === null ? [] : meanBetween(series))));
};

/** The mean near handovers over that inside of cells; null: one of them does not occur. */
function* edgeOverInside(
  series: MeanBetween,
  manifest: RunManifest,
  { handovers, signal }: RunStory,
): Generator<void, number | null, undefined> {
  const near = isNear(handovers.map(({ at_s }) => at_s));
  const [edge, inside]: [number[], number[]] = [[], []];
  const bin_s = Math.max(BIN_S, manifest.sample_period_ms / 1000);
  let seen = 0;
  for (const start of windowsIn(spanOf(sharing(manifest)), bin_s)) {
    const middle = start + bin_s / 2;
    const value = series(start, start + bin_s);
    const isEdge = near(middle);
    if (value !== null && isEdge) edge.push(value);
    else if (value !== null && (signal?.at(middle) ?? -Infinity) > (signal?.mean_db ?? Infinity)) inside.push(value);
    if (++seen % STEP_WINDOWS === 0) yield;
  }
  const [there, here] = [mean(edge), mean(inside)];
  return there === null || here === null || here === 0 ? null : there / here;
}

function signalCorrelation(series: MeanBetween, manifest: RunManifest, { signal }: RunStory): number | null {
  const points = [...windowsIn(spanOf(sharing(manifest)), SIGNAL_S)].flatMap((start): [number, number][] => {
    const steps = [...windowsIn({ from_s: start, to_s: start + SIGNAL_S }, SIGNAL_STEP_S)];
    const db = mean(steps.flatMap((from) => signal?.at(from + SIGNAL_STEP_S / 2) ?? []));
    const value = series(start, start + SIGNAL_S);
    return db === null || value === null ? [] : [[db, value]];
  });
  const moments = momentsOf(
    points.map(([db]) => db),
    points.map(([, value]) => value),
  );
  return points.length < FEWEST_MARKS ? null : correlationOf(moments);
}

const ratio = (label: string) => ({
  label: `${label} within a second of handovers over where the signal is above its mean`,
  unit: '×',
  range: POSITIVE,
});

export const AROUND: Family = {
  values: {
    handover_throughput: ratio('throughput'),
    handover_rtt: ratio('RTT'),
    signal_correlation: { label: 'correlation of the link’s throughput and its SNR in dB', unit: '', range: [-1, 1] },
  },
  story: true,
  needs: ({ flows }) =>
    flows.flatMap((_, flow) => [
      [receiverStream(flow), 'throughput_mbps'] as const,
      [senderStream(flow), 'latest_rtt_ms'] as const,
    ]),
  *steps(manifest, column, story) {
    if (story.signal === null) return NOTHING;
    const throughput = columnsOf(manifest, column, (flow) => [receiverStream(flow), 'throughput_mbps']);
    const rtt = columnsOf(manifest, column, (flow) => [senderStream(flow), 'latest_rtt_ms']);
    yield;
    const moves = story.handovers.length >= FEWEST_MARKS;
    const values = {
      handover_throughput: moves && throughput !== null ? yield* edgeOverInside(throughput, manifest, story) : null,
      handover_rtt: moves && rtt !== null ? yield* edgeOverInside(rtt, manifest, story) : null,
      signal_correlation: throughput === null ? null : signalCorrelation(throughput, manifest, story),
    };
    return { ...NOTHING, values: known(values) };
  },
};
