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

/** A zoom in progress asks for nothing. */
const SETTLE_MS = 140;
const NOTHING: Loaded<CapacitySeries> = { value: null, error: null };

/** Capacity of a range of the trace, of all of it, or of nothing, in about `bins` bins. A newer request cancels the older one. */
export function useCapacity(
  { trace, loadPreview }: TracePlotData,
  range: Range | 'all' | 'nothing',
  bins: number,
): Loaded<CapacitySeries> {
  const [loaded, setLoaded] = useState(NOTHING);
  const wanted = range !== 'nothing';
  const part = typeof range !== 'string';
  const fromMs = part ? Math.max(0, Math.floor(range[0] * 1000)) : 0;
  const toMs = part ? Math.min(trace.info.period_ms, Math.ceil(range[1] * 1000)) : trace.info.period_ms;
  const count = Math.max(1, Math.min(bins, toMs - fromMs));
  useEffect(() => {
    if (!wanted) return;
    const abort = new AbortController();
    const load = async (): Promise<void> => {
      try {
        const preview = await loadPreview({ bins: count, fromMs, toMs, signal: abort.signal });
        if (!abort.signal.aborted) setLoaded({ value: capacitySeries(preview, fromMs), error: null });
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        if (!abort.signal.aborted) setLoaded(({ value }) => ({ value, error: reason }));
      }
    };
    const timer = setTimeout(() => void load(), part ? SETTLE_MS : 0);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [loadPreview, wanted, part, fromMs, toMs, count]);
  return wanted ? loaded : NOTHING;
}
