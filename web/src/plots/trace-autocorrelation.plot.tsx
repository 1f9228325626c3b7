// How long a trace remembers: the autocorrelation of its rates, at two resolutions.
import { useMemo } from 'react';
import { z } from 'zod';
import { Figure } from '../charts/Figure';
import { markerPath } from '#analysis/markers';
import { useVisibility, Visibility } from '../charts/visibility';
import { AcfChart, lagText, type AcfCurve } from './AcfChart';
import { definePlot, type PlotProps } from './registry';
import type { TracePlotData } from './data';
import styles from './trace-charts.module.css';

const options = z.object({});

const within = (seconds: number | null | undefined): string =>
  seconds === null || seconds === undefined ? 'longer than was looked for' : lagText(seconds);

function Autocorrelation({ data, size, theme }: PlotProps<'trace', z.output<typeof options>>) {
  const { trace, dynamics } = data;
  const visibility = useMemo(() => new Visibility(), []);
  const { hidden } = useVisibility(visibility);
  const all = useMemo<AcfCurve[]>(
    () =>
      (dynamics?.memory ?? []).map((memory, i) => ({
        key: `bins-${memory.bin_ms}`,
        label: `${memory.bin_ms} ms`,
        colour: i === 0 ? theme.ink3 : theme.ink,
        dash: i === 0 ? [3, 2] : [],
        marker: markerPath(i === 0 ? 'diamond' : 'circle', 4.5),
        opacity: 1,
        memory,
      })),
    [dynamics, theme],
  );
  const curves = all.filter(({ key }) => !hidden.has(key));
  const [fine, coarse] = dynamics?.memory ?? [];
  const says = `coherence time ${within(fine?.below_1e_s)}, memory ${within(coarse?.below_1e_s)}`;
  const constant = dynamics !== null && all.every(({ memory }) => memory.acf.length === 0);
  return (
    <Figure
      name={`${trace.name}-autocorrelation`}
      title="Autocorrelation of capacity"
      subtitle={
        dynamics === null || constant
          ? ''
          : `how much the rate of a bin says about that some time later; marked where it falls below 1/e: ${says}`
      }
      visibility={visibility}
      legend={all.map(({ key, label, colour, dash, marker }) => ({
        key,
        label: `bins of ${label}`,
        colour,
        dash,
        marker,
      }))}
      table={() => tableOf(data, hidden)}
    >
      {dynamics === null || constant ? (
        <p className={styles['nothing']} style={{ height: size.height }}>
          {constant ? 'The rate never changes: there is nothing to correlate.' : 'Computing …'}
        </p>
      ) : (
        <AcfChart
          curves={curves}
          width={size.width}
          height={size.height}
          label={`Autocorrelation of capacity: ${says}`}
        />
      )}
    </Figure>
  );
}

const tableOf = ({ dynamics }: TracePlotData, hidden: ReadonlySet<string>) => ({
  columns: ['bin_ms', 'lag_s', 'autocorrelation'],
  rows: (dynamics?.memory ?? [])
    .filter(({ bin_ms }) => !hidden.has(`bins-${bin_ms}`))
    .flatMap(({ bin_ms, acf }) => acf.map(([lag, r]) => [bin_ms, lag, r])),
});

export const plot = definePlot({
  id: 'autocorrelation',
  title: 'Autocorrelation of capacity',
  needs: 'trace',
  order: 30,
  height: 240,
  options,
  table: (data, _options, { hidden }) => tableOf(data, hidden),
  Component: Autocorrelation,
});
