// A report of iperf3 as a measurement: read by the engine, checked, in units of the wire.
import { MeasurementRefused, measurementOf } from '#analysis/iperf3';
import { readIperf3, TraceRefused, type TraceOptions } from '#bridge/traces';
import { Iperf3Report } from '#protocol/iperf3';
import type { Measurement } from '#protocol/measurement';
import { AppError } from './errors.ts';

const ASK = 'Make one with `iperf3 -c HOST -J -i 0.1 > live.json`.';

/** `where`: what whoever gave it calls it. Throws AppError. */
export async function readMeasurement(
  from: Parameters<typeof readIperf3>[0],
  where: string,
  options: TraceOptions = {},
): Promise<Measurement> {
  try {
    const value = await readIperf3(from, options);
    const report = Iperf3Report.safeParse(value);
    if (report.success) return measurementOf(report.data);
    throw new MeasurementRefused(reasonOf(value, report.error.issues[0]), ASK);
  } catch (error) {
    if (error instanceof MeasurementRefused)
      throw new AppError('MEASUREMENT_REFUSED', error.message, { where, hint: error.hint });
    if (error instanceof TraceRefused)
      throw new AppError('MEASUREMENT_REFUSED', error.problem.message, { where, hint: error.problem.hint ?? ASK });
    throw error;
  }
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}
const reasonOf = (value: unknown, issue: Issue | undefined): string =>
  typeof value === 'object' && value !== null && 'start' in value
    ? `${issue?.path.join('.') ?? 'the report'}: ${issue?.message ?? 'not valid'}`
    : 'this is JSON, but not a report of iperf3: it has no "start"';
