// A report of iperf3 as series that lie over runs.
import { durationOf, importedOf, labelText, seriesOf, type Row } from '#analysis/imported-series';
import { countedOf } from '#analysis/live-intervals';
import type { Imported, ImportedQuantity } from '#protocol/imported';
import type { MeasuredInterval, Measurement } from '#protocol/measurement';

/** iperf3's clock drifts by milliseconds from one interval to the next: so much of an interval is none of its length. */
const DRIFT = 0.2;

/** Ends of intervals, on the multiples of their usual length that they stand for. */
function rowsOf(
  intervals: readonly MeasuredInterval[],
  usual_s: number,
  read: (interval: MeasuredInterval) => number | null,
): Row[] {
  const rows: Row[] = [];
  let before = -Infinity;
  for (const interval of intervals) {
    const whole = Math.round(interval.end_s / usual_s) * usual_s;
    const end = usual_s > 0 && Math.abs(whole - interval.end_s) <= DRIFT * usual_s ? whole : interval.end_s;
    const start = end - (interval.end_s - interval.start_s);
    // Between intervals that do not follow each other nothing was measured.
    if (rows.length > 0 && start > before + DRIFT * usual_s) rows.push({ time_s: start, value: null });
    rows.push({ time_s: Math.max(end, before, 0), value: read(interval) });
    before = end;
  }
  return rows;
}

export function importedMeasurement(measurement: Measurement): Imported {
  const { version, protocol, cca, started_at, total, interval_s, notes } = measurement;
  const counted = countedOf(measurement);
  const told: readonly [ImportedQuantity, readonly Row[]][] = [
    ['throughput_mbps', rowsOf(counted.intervals, counted.interval_s, (one) => one.throughput_mbps)],
    ['rtt_ms', rowsOf(total, interval_s, (one) => one.rtt_ms)],
    ['cwnd_bytes', rowsOf(total, interval_s, (one) => one.cwnd_bytes)],
  ];
  const series = told
    .filter(([, rows]) => rows.some(({ value }) => value !== null))
    .map(([quantity, rows]) => seriesOf(quantity, rows, (row) => `intervals.${row}`));
  const flows = [{ label: labelText(`iperf3 ${cca ?? protocol.toUpperCase()}`), cca, series }];
  return importedOf({
    form: 'iperf3',
    version: version === null ? null : labelText(version).slice(0, 64),
    title: null,
    started_at,
    duration_s: durationOf(flows),
    flows,
    notes,
  });
}
