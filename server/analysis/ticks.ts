// How the ticks of an axis are written.
import { formatChosen, getWriting } from '#analysis/format';

/** A tick's number with as many decimals as the steps between ticks need, and a prefix that keeps it short. */
export function tickFormat(
  values: readonly number[],
  unit: string,
): { format: (value: number) => string; unit: string } {
  const top = Math.max(...values.map(Math.abs), 0);
  const scale = unitScale(unit, top);
  return { format: (value) => formatChosen(Number((value / scale.factor).toPrecision(6))), unit: scale.unit };
}

/** Ticks are round in what they are written in: so many of the axis' own unit are one of it. */
export const tickStep = (unit: string): number => (unit === 'Mbps' && getWriting().rates === 'bytes' ? 8 : 1);

/** Factors are of the unit that values are in; rates in bytes are of Mbps all the same. */
const SCALES: Readonly<Record<string, readonly { factor: number; unit: string }[]>> = {
  B: [
    { factor: 1e9, unit: 'GB' },
    { factor: 1e6, unit: 'MB' },
    { factor: 1e3, unit: 'kB' },
    { factor: 1, unit: 'B' },
  ],
  Mbps: [
    { factor: 1e3, unit: 'Gbps' },
    { factor: 1, unit: 'Mbps' },
    { factor: 1e-3, unit: 'kbps' },
  ],
  'MB/s': [
    { factor: 8e3, unit: 'GB/s' },
    { factor: 8, unit: 'MB/s' },
    { factor: 8e-3, unit: 'kB/s' },
  ],
  ms: [
    { factor: 1e3, unit: 's' },
    { factor: 1, unit: 'ms' },
    { factor: 1e-3, unit: 'µs' },
  ],
};

/** The largest prefix with which the greatest value is at least 1 (for ms only from 10 s on: 1500 ms reads better than 1.5 s). */
export function unitScale(unit: string, top: number): { factor: number; unit: string } {
  const inBytes = unit === 'Mbps' && getWriting().rates === 'bytes';
  const steps = SCALES[inBytes ? 'MB/s' : unit];
  if (inBytes && top === 0) return { factor: 8, unit: 'MB/s' };
  if (steps === undefined || top === 0) return { factor: 1, unit };
  return (
    steps.find((step) => top >= step.factor * (unit === 'ms' && step.unit === 's' ? 10 : 1)) ??
    steps.at(-1) ?? { factor: 1, unit }
  );
}
