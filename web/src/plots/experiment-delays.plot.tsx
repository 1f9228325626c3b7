// How long packets waited, as tails: the share of all delivered packets of an algorithm's runs that waited longer than each delay.
import { scaleLog } from 'd3';
import { useMemo, useSyncExternalStore } from 'react';
import { z } from 'zod';
import { ccdf, delayQuantile, joined, type Distribution } from '#analysis/delay-distribution';
import { ccaKey, isReference } from '#analysis/results';
import { Figure } from '../charts/Figure';
import { SvgAxis } from '../charts/SvgAxis';
import type { Table } from '../charts/types';
import { formatChosen, formatDelay, plural, UNIT_SPACE } from '../ui/format';
import { getTheme, type Theme } from '../theme/theme';
import type { ExperimentPlotData } from './data';
import { ccaSeries, cellResults, type CcaSeries } from './experiment-series';
import { oneTwoFive } from './frontier-layout';
import { definePlot, type PlotProps, type Shown } from './registry';
import styles from './messages.module.css';

const options = z.object({});

// At the right end half of a label may stand beyond the axis.
const [TOP, BOTTOM, LEFT, RIGHT] = [22, 40, 52, 26];
/** One packet in ten thousand: below it single runs decide. */
const LEAST_SHARE = 1e-4;

interface Curve extends CcaSeries {
  readonly delays: Distribution;
  readonly runs: number;
}

/** Of the selected cells where some are selected; algorithms of whose runs one tells nothing have none. */
function curvesOf(data: ExperimentPlotData, theme: Theme): Curve[] {
  const results = cellResults(data).filter(
    (result) => !isReference(result) && (data.selected.size === 0 || data.selected.has(result.cell.key)),
  );
  return [...ccaSeries(data, theme).values()].flatMap((series) => {
    const own = results.filter(({ cell, figures }) => ccaKey(cell) === series.key && figures.n > 0);
    const known = own.flatMap(({ figures }) => figures.queueing ?? []);
    if (own.some(({ figures }) => (figures.queueing ?? null) === null) || known.length === 0) return [];
    const delays = joined(own.map(({ figures }) => figures.queueing ?? []));
    return [{ ...series, delays, runs: own.reduce((total, { figures }) => total + figures.n, 0) }];
  });
}

function Delays({ data, size, theme }: PlotProps<'experiment', z.output<typeof options>>) {
  const curves = useMemo(() => curvesOf(data, theme), [data, theme]);
  const hidden = useSyncExternalStore(data.visibility.subscribe, () => data.visibility.state.hidden);
  if (curves.length === 0) return null;
  const runs = curves.reduce((total, curve) => total + curve.runs, 0);
  return (
    <Figure
      name={`${data.record.id}-delays`}
      title="How long packets waited"
      subtitle={`share of the delivered packets that waited longer in the queue, ${plural(runs, 'run')} of ${data.selected.size === 0 ? 'all cells' : 'the selected cells'} pooled, every packet alike`}
      legend={curves.map(({ group, label, look }) => ({ key: group, label, colour: look.colour, dash: look.dash }))}
      visibility={data.visibility}
      table={() => tableOf(curves, hidden)}
    >
      <Tails curves={curves.filter(({ group }) => !hidden.has(group))} width={size.width} height={size.height} />
    </Figure>
  );
}

interface TailsProps {
  readonly curves: readonly Curve[];
  readonly width: number;
  readonly height: number;
}

function Tails({ curves, width, height }: TailsProps) {
  const [right, bottom] = [width - RIGHT, height - BOTTOM];
  const ends = curves.flatMap(({ delays }) => [delays[0]?.ms ?? 1, delayQuantile(delays, 1 - LEAST_SHARE) ?? 1]);
  const [least, most] = [Math.min(...ends, 1), Math.max(...ends, 10)];
  const x = scaleLog([least, most], [LEFT, right]).clamp(true);
  const y = scaleLog([LEAST_SHARE, 1], [bottom, TOP]).clamp(true);
  const shares = [1, 0.1, 0.01, 0.001, 0.0001];
  const spoken = curves
    .map(
      ({ label, delays }) =>
        `${label}: half waited at most ${formatDelay(delayQuantile(delays, 0.5))}, one in a hundred longer than ${formatDelay(delayQuantile(delays, 0.99))}`,
    )
    .join('; ');
  return (
    <svg width={width} height={height} data-figure-part="" className={styles['svg']} role="img" aria-label={spoken}>
      <g className={styles['grid']}>
        {shares.map((share) => (
          <path key={share} d={`M${LEFT},${Math.round(y(share)) + 0.5}H${right}`} />
        ))}
      </g>
      {curves.map(({ key, delays, look }) => (
        <path
          key={key}
          className={styles['curve']}
          d={pathOf(delays, x, y, bottom)}
          stroke={look.colour}
          strokeDasharray={look.dash.join(' ')}
        />
      ))}
      <SvgAxis side="bottom" scale={x} ticks={oneTwoFive(least, most, right - LEFT)} format={tickOf} at={bottom} />
      <SvgAxis side="left" scale={y} ticks={shares} format={(share) => formatChosen(share * 100)} at={LEFT} />
      <text x={LEFT - 6} y={10} textAnchor="end" className={styles['unit']}>
        %
      </text>
      <text x={right} y={height - 5} textAnchor="end" className={styles['unit']}>
        queueing delay
      </text>
    </svg>
  );
}

/** Between the delays at which the share is known a straight line; below the least that is drawn it leaves the picture. */
function pathOf(delays: Distribution, x: (ms: number) => number, y: (share: number) => number, bottom: number): string {
  let path = `M${x(0)},${y(1)}`;
  for (const { ms, longer } of ccdf(delays)) {
    if (longer < LEAST_SHARE) return `${path}L${x(ms).toFixed(1)},${bottom}`;
    path += `L${x(ms).toFixed(1)},${y(longer).toFixed(1)}`;
  }
  return path;
}

const tickOf = (ms: number): string =>
  ms < 1000 ? `${formatChosen(ms)}${UNIT_SPACE}ms` : `${formatChosen(ms / 1000)}${UNIT_SPACE}s`;

function tableOf(curves: readonly Curve[], hidden: ReadonlySet<string>): Table {
  return {
    columns: ['cca', 'queueing_delay_ms', 'share_longer'],
    rows: curves
      .filter(({ group }) => !hidden.has(group))
      .flatMap(({ label, delays }) => ccdf(delays).map(({ ms, longer }) => [label, ms, longer])),
  };
}

export const plot = definePlot({
  id: 'delays',
  title: 'How long packets waited',
  needs: 'experiment',
  order: 40,
  height: 240,
  options,
  table: (data, _, { hidden }: Shown) => tableOf(curvesOf(data, getTheme()), hidden),
  Component: Delays,
});
