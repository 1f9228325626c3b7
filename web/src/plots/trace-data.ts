// A trace's capacity at the zoom of the moment: each range is asked for once it has stood still, the last answer stays until then.
import { useEffect, useState } from 'react';
import type { TracePreview } from '#protocol/trace';
import type { Range } from '../charts/time-view';
import type { SeriesData } from '../charts/types';
import type { TracePlotData } from './data';

export interface CapacitySeries {
  readonly bin_ms: number;
  readonly mean: SeriesData;
  readonly min: SeriesData;
  readonly max: SeriesData;
}

/** Bins become rows that end where the bin ends, as in telemetry. */
export function capacitySeries(
  { bin_ms, mean_mbps, min_mbps, max_mbps }: TracePreview,
  fromMs: number,
): CapacitySeries {
  const x = Float64Array.from(mean_mbps, (_, i) => (fromMs + (i + 1) * bin_ms) / 1000);
  const series = (values: readonly number[]): SeriesData => ({
    x,
    y: Float32Array.from(values),
    length: values.length,
  });
  return { bin_ms, mean: series(mean_mbps), min: series(min_mbps), max: series(max_mbps) };
}

export interface Loaded<T> {
  readonly value: T | null;
  readonly error: string | null;
}

/** Loads again when `key` changes; a newer request cancels the older one. */
function useLoaded<T>(load: (signal: AbortSignal) => Promise<T>, key: unknown, delayMs: number): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({ value: null, error: null });
  useEffect(() => {
    const abort = new AbortController();
    const timer = setTimeout(() => {
      load(abort.signal).then(
        (value) => !abort.signal.aborted && setLoaded({ value, error: null }),
        (error: unknown) =>
          !abort.signal.aborted &&
          setLoaded((old) => ({ value: old.value, error: error instanceof Error ? error.message : String(error) })),
      );
    }, delayMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the key says when to load
  }, [key, delayMs]);
  return loaded;
}

const clampRange = (range: Range | null, periodMs: number): { fromMs: number; toMs: number } => ({
  fromMs: range === null ? 0 : Math.max(0, Math.floor(range[0] * 1000)),
  toMs: range === null ? periodMs : Math.min(periodMs, Math.ceil(range[1] * 1000)),
});

/** Capacity of a range of the trace (null: all of it) in about `bins` bins. */
export function useCapacity(
  { trace, loadPreview }: TracePlotData,
  range: Range | null,
  bins: number,
): Loaded<CapacitySeries> {
  const { fromMs, toMs } = clampRange(range, trace.info.period_ms);
  const count = Math.max(1, Math.min(bins, toMs - fromMs));
  return useLoaded(
    async (signal) => capacitySeries(await loadPreview({ bins: count, fromMs, toMs, signal }), fromMs),
    `${trace.id}/${fromMs}/${toMs}/${count}`,
    range === null ? 0 : SETTLE_MS,
  );
}

/** A zoom in progress asks for nothing. */
const SETTLE_MS = 140;
