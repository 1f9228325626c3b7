// A run around its handovers or outages, as its figure and its CSV have it.
import { aroundMarks, type AroundMarks, type AroundQuantity } from '#analysis/around-marks';
import { marksInRun } from '#analysis/trace-marks';
import { FORWARD_LINK_STREAM } from '#protocol/columns';
import type { Table } from '../charts/types';
import type { RunPlotData, RunSamples } from './data';
import type { Shown } from './registry';

export const QUANTITIES: Readonly<Record<AroundQuantity, { readonly title: string; readonly unit: string }>> = {
  throughput: { title: 'Throughput', unit: 'Mbps' },
  rtt: { title: 'RTT', unit: 'ms' },
  queueing: { title: 'Queueing delay', unit: 'ms' },
};

/** Key in the Visibility store. */
export const keyOf = (flow: number | null): string => (flow === null ? 'link' : `flow:${flow}`);

const known = new WeakMap<
  RunSamples,
  { readonly marks: RunPlotData['traceMarks']; readonly found: AroundMarks | null }
>();

/** Of a run that is over; null: it goes on, several are laid over one another, or too little happened. */
export function aroundOf({ samples, manifest, overlays, traceMarks }: RunPlotData): AroundMarks | null {
  if (!samples.complete || overlays !== undefined || samples.streams.get(FORWARD_LINK_STREAM) === undefined)
    return null;
  const before = known.get(samples);
  if (before !== undefined && before.marks === traceMarks) return before.found;
  const handovers = traceMarks === undefined ? [] : marksInRun(manifest, traceMarks, traceMarks.period_ms);
  const found = aroundMarks(manifest, handovers, (stream, column) => {
    const data = samples.streams.get(stream);
    const values = data?.column(column);
    return data === undefined || values === undefined ? null : { time: data.time, values, rows: data.rows };
  });
  known.set(samples, { marks: traceMarks, found });
  return found;
}

const COLUMNS = [
  ...['time_s', 'series', 'what', 'lasts_s', 'from_mark_s', 'mean', 'low', 'high', 'events'],
  ...['least', 'p25', 'p50', 'p75', 'most', 'bins'],
];
const nothing = (count: number): null[] => Array.from({ length: count }, () => null);

/** Marks that begin in the range; averages and boxes, which are of all of the run. */
export function tableOf(found: AroundMarks | null, names: readonly string[], { range, hidden }: Shown): Table {
  if (found === null) return { columns: COLUMNS, rows: [] };
  const [from, to] = range ?? [-Infinity, Infinity];
  const marks = found.marks
    .filter(({ at_s }) => at_s >= from && at_s <= to)
    .map(({ at_s, kind, lasts_s }) => [at_s, kind, 'mark', lasts_s, ...nothing(11)]);
  const shown = range === null ? found.series.filter(({ flow }) => !hidden.has(keyOf(flow))) : [];
  const averages = shown.flatMap(({ quantity, flow, around, near, rest }) => {
    const series = flow === null ? 'link' : (names[flow] ?? `flow ${flow + 1}`);
    const { title, unit } = QUANTITIES[quantity];
    const what = `${title}, ${unit}`;
    return [
      ...around.map(({ at_s, value }) => [
        ...[null, series, what, null, at_s, value?.mean ?? null, value?.low ?? null, value?.high ?? null],
        ...[value?.n ?? 0, ...nothing(6)],
      ]),
      ...(['near', 'rest'] as const).map((side) => {
        const box = side === 'near' ? near : rest;
        return [
          ...[null, series, `${what}, ${side === 'near' ? 'near' : 'elsewhere'}`, null, null, box?.mean ?? null],
          ...nothing(3),
          ...[box?.least ?? null, box?.p25 ?? null, box?.p50 ?? null, box?.p75 ?? null, box?.most ?? null, box?.n ?? 0],
        ];
      }),
    ];
  });
  return { columns: COLUMNS, rows: [...marks, ...averages] };
}
