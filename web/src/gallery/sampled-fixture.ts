// Made-up samples of an experiment's cells, by the same code that pools real ones.
import { momentsOf } from '#analysis/moments';
import { cellSampled } from '#analysis/pooled-samples';
import { sketchOf } from '#analysis/quantile-sketch';
import { PLANES, SPACING_NAMES } from '#analysis/sampled-plane';
import { histogramOf } from '#analysis/sampled-rto';
import type { ExperimentRecord, RunRef } from '#protocol/api';
import type { CellSampled, RunSampled } from '#protocol/sampled';
import { random } from './ccas';

const WINDOWS = 600;

function runOf({ summary }: RunRef, seed: number): RunSampled | null {
  const link = summary?.links[0];
  const [rate, rtt] = [summary?.receivers[0]?.throughput_mbps ?? 0, summary?.senders[0]?.rtt.mean_ms ?? 0];
  if (link === undefined || rate === 0 || rtt === 0) return null;
  const draw = random(seed);
  const around = (mean: number, spread: number): number[] =>
    Array.from({ length: WINDOWS }, () => Math.max(0, mean * (1 + spread * (draw() + draw() + draw() - 1.5))));
  const [rates, rtts] = [around(rate, 0.6), around(rtt, 0.5)];
  const inflight = rtts.map((ms, i) => (ms * (rates[i] ?? 0)) / 8);
  const sorted = (values: readonly number[]): Float64Array => Float64Array.from(values).sort();
  const [throughput, delay] = [sketchOf(sorted(rates)), sketchOf(sorted(rtts.map((ms) => ms / 2)))];
  return {
    values: {},
    sketches: throughput === null || delay === null ? {} : { throughput, delay },
    moments: Object.fromEntries(
      SPACING_NAMES.flatMap((spacing) =>
        PLANES.map((plane) => [`${plane}:${spacing}`, momentsOf(rtts, plane === 'inflight' ? inflight : rates)]),
      ),
    ),
    histograms: { rto: histogramOf(rtts.map((ms) => 200 + 2 * ms * draw())) },
  };
}

export const sampledFixture = ({ cells, runs }: ExperimentRecord): CellSampled[] =>
  cells.map(({ key }) =>
    cellSampled(
      key,
      runs
        .filter(({ cell, role, summary }) => cell === key && role === 'solo' && summary !== null)
        .map((run, i) => runOf(run, runs.indexOf(run) + i)),
    ),
  );
