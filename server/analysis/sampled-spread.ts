// How throughput and delay are spread over time: means over 100 ms, of all flows that share the link together.
import type { ColumnOf } from '#analysis/run-dynamics';
import { quantilesOf, sketchOf } from '#analysis/quantile-sketch';
import type { Family, SampledValue } from '#analysis/sampled-parts';
import { NOTHING, POSITIVE, rowwise, sharing, spanOf, STEP_WINDOWS, windowsIn } from '#analysis/sampled-parts';
import { meanBetween, type MeanBetween } from '#analysis/series-mean';
import { receiverStream } from '#protocol/columns';
import type { RunManifest } from '#protocol/manifest';

export const SPREAD_WINDOW_S = 0.1;

/** No window is shorter than a sample. */
export const spreadWindow = ({ sample_period_ms }: Pick<RunManifest, 'sample_period_ms'>): number =>
  Math.max(SPREAD_WINDOW_S, sample_period_ms / 1000);

const QUANTILES = { p05: 0.05, p25: 0.25, p50: 0.5, p75: 0.75, p95: 0.95, max: 1 };

interface Receiving {
  readonly from_s: number;
  readonly to_s: number;
  readonly throughput: MeanBetween;
  /** Of what arrived with a known delay: its rate, and its rate times its delay. */
  readonly timed: MeanBetween | null;
  readonly delayed: MeanBetween | null;
}

function receivingOf(manifest: RunManifest, column: ColumnOf): Receiving[] {
  return sharing(manifest).flatMap(({ flow, from_s, to_s }): Receiving[] => {
    const throughput = column(receiverStream(flow), 'throughput_mbps');
    if (throughput === null) return [];
    const owd = column(receiverStream(flow), 'owd_mean_ms');
    const both = (of: (rate: number, delay: number) => number): MeanBetween | null =>
      owd === null ? null : meanBetween(rowwise(throughput, owd, (rate, ms) => (Number.isNaN(ms) ? 0 : of(rate, ms))));
    const [timed, delayed] = [both((rate) => rate), both((rate, ms) => rate * ms)];
    return [{ from_s, to_s, throughput: meanBetween(throughput), timed, delayed }];
  });
}

/** Of one window; what is not known is NaN. */
function windowOf(flows: readonly Receiving[], from_s: number, to_s: number): readonly [mbps: number, ms: number] {
  let [rate, timed, delayed] = [0, 0, 0];
  for (const flow of flows) {
    // Who does not send yet, or no more, has nothing; who sends and is not known makes the sum unknown.
    const idle = to_s <= flow.from_s || from_s >= flow.to_s;
    rate += flow.throughput(from_s, to_s) ?? (idle ? 0 : NaN);
    timed += flow.timed?.(from_s, to_s) ?? 0;
    delayed += flow.delayed?.(from_s, to_s) ?? 0;
  }
  return [rate, timed > 0 ? delayed / timed : NaN];
}

const ascending = (values: readonly number[]): Float64Array =>
  Float64Array.from(values.filter((value) => !Number.isNaN(value))).sort();

const mbps = (label: string): SampledValue => ({
  label: `throughput over time, ${label}`,
  unit: 'Mbps',
  range: POSITIVE,
});
const ms = (label: string): SampledValue => ({
  label: `packet delay over time, ${label}`,
  unit: 'ms',
  range: POSITIVE,
});

export const SPREAD: Family = {
  values: Object.fromEntries(
    Object.keys(QUANTILES).flatMap((name) => [
      [`throughput_${name}_mbps`, mbps(name)],
      [`delay_${name}_ms`, ms(name)],
    ]),
  ),
  needs: ({ flows }) =>
    flows.flatMap((_, flow) => [
      [receiverStream(flow), 'throughput_mbps'] as const,
      [receiverStream(flow), 'owd_mean_ms'] as const,
    ]),
  *steps(manifest, column) {
    const flows = receivingOf(manifest, column);
    if (flows.length === 0) return NOTHING;
    yield;
    const length_s = spreadWindow(manifest);
    const [rates, delays]: [number[], number[]] = [[], []];
    for (const from_s of windowsIn(spanOf(sharing(manifest)), length_s)) {
      const [rate, delay] = windowOf(flows, from_s, from_s + length_s);
      rates.push(rate);
      delays.push(delay);
      if (rates.length % STEP_WINDOWS === 0) yield;
    }
    const [throughput, delay] = [ascending(rates), ascending(delays)];
    const named = (values: Float64Array, before: string, after: string): Record<string, number> =>
      quantilesOf(
        values,
        Object.fromEntries(Object.entries(QUANTILES).map(([name, q]) => [`${before}_${name}_${after}`, q])),
      );
    const sketches = Object.entries({ throughput: sketchOf(throughput), delay: sketchOf(delay) });
    return {
      ...NOTHING,
      values: { ...named(throughput, 'throughput', 'mbps'), ...named(delay, 'delay', 'ms') },
      sketches: Object.fromEntries(sketches.flatMap(([name, one]) => (one === null ? [] : [[name, one] as const]))),
    };
  },
};
