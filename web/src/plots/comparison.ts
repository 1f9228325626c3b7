// What the figures of several traces share: their looks, their legend, and their capacity at the zoom of the moment.
import { useEffect, useState } from 'react';
import type { LegendItem } from '../charts/figure-props';
import type { Identity } from '#analysis/cca-look';
import type { Range } from '../charts/time-view';
import type { Theme } from '../theme/theme';
import type { ComparedTrace, ComparisonPlotData } from './data';
import { capacitySeries, type CapacitySeries } from './trace-data';
import { traceLooks } from './trace-looks';

export interface TraceSeries extends ComparedTrace {
  readonly id: string;
  readonly label: string;
  readonly look: Identity;
}

const LETTERS = 'ABCDEF';

/** In the order of the comparison; equal names are numbered. */
export function traceSeries({ traces }: ComparisonPlotData, theme: Theme): TraceSeries[] {
  const looks = traceLooks(
    traces.map(({ trace }) => trace.id),
    theme,
  );
  return traces.flatMap((compared, i) => {
    const { id, name } = compared.trace;
    const earlier = traces.slice(0, i).filter((other) => other.trace.name === name).length;
    const look = looks[i];
    return look === undefined
      ? []
      : [
          {
            ...compared,
            id,
            look,
            label: earlier === 0 ? name : `${name} (${earlier + 1})`,
          },
        ];
  });
}

export const traceLegend = (series: readonly TraceSeries[], lines: boolean): LegendItem[] =>
  series.map(({ id, label, look }, i) => ({
    key: id,
    // A letter before the name, as no CCA has.
    label: `${LETTERS[i] ?? ''} ${label}`.trim(),
    colour: look.colour,
    ...(lines ? { dash: look.dash } : { glyph: 'swatch' as const }),
  }));

/** Which scale is meant: by itself a logarithmic one where the slower trace would be a line at the foot of the faster one's axis. */
export function scaleOf(chosen: 'auto' | 'linear' | 'log', traces: readonly ComparedTrace[]): 'linear' | 'log' {
  if (chosen !== 'auto') return chosen;
  const peaks = traces.map(({ trace }) => trace.info.peak_1s_mbps);
  return Math.max(...peaks) > 5 * Math.min(...peaks) ? 'log' : 'linear';
}

export interface LoadedCapacities {
  readonly values: readonly (CapacitySeries | null)[];
  readonly error: string | null;
}

/** A zoom in progress asks for nothing. */
const SETTLE_MS = 140;
const NOTHING: LoadedCapacities = { values: [], error: null };

/** Capacity of a range of each trace, or of all of it, in about `bins` bins; the last answer stays until there is another. */
export function useCapacities(
  traces: readonly ComparedTrace[],
  range: Range | 'all',
  bins: number | ((trace: ComparedTrace) => number),
): LoadedCapacities {
  const [loaded, setLoaded] = useState(NOTHING);
  const part = range !== 'all';
  const [from, to] = part ? range : [0, Infinity];
  useEffect(() => {
    const abort = new AbortController();
    const load = async (): Promise<void> => {
      try {
        const values = await Promise.all(
          traces.map(async (compared) => {
            const period = compared.trace.info.period_ms;
            const fromMs = Math.max(0, Math.floor(from * 1000));
            const toMs = Math.min(period, Math.ceil(to * 1000));
            if (fromMs >= toMs) return null;
            const wanted = typeof bins === 'number' ? bins : bins(compared);
            const count = Math.max(1, Math.min(wanted, toMs - fromMs));
            const preview = await compared.loadPreview({ bins: count, fromMs, toMs, signal: abort.signal });
            return capacitySeries(preview, fromMs);
          }),
        );
        if (!abort.signal.aborted) setLoaded({ values, error: null });
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        if (!abort.signal.aborted) setLoaded(({ values }) => ({ values, error: reason }));
      }
    };
    const timer = setTimeout(() => void load(), part ? SETTLE_MS : 0);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [traces, part, from, to, bins]);
  return loaded;
}
