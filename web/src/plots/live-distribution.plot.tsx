// The shares of time at or below each rate, live and emulated, and what the two-sample tests make of them.
import { scaleLinear } from 'd3';
import { useMemo, useSyncExternalStore } from 'react';
import { z } from 'zod';
import {
  compareLive,
  FEWEST_INTERVALS,
  shareAtMost,
  verdictOf,
  type LiveComparison,
  type Verdict,
} from '#analysis/live-comparison';
import { comparedIntervals } from '#analysis/live-intervals';
import { receiverStream } from '#protocol/columns';
import { Figure } from '../charts/Figure';
import { SvgAxis } from '../charts/SvgAxis';
import { tickFormat } from '../charts/scales';
import { formatMeasured, formatRate, UNIT_SPACE } from '../ui/format';
import type { LivePlotData } from './data';
import { flowsOf } from './flows';
import { comparedFlow, LIVE, liveLegend, liveStyle } from './live-series';
import { OptionControls } from './OptionControls';
import { definePlot, type PlotProps } from './registry';
import plots from './plots.module.css';
import styles from './live-distribution.module.css';

const options = z.object({
  by: z
    .enum(['auto', 'interval', '500ms', '1s', '2s'])
    .default('auto')
    .meta({
      title: 'By',
      labels: { auto: 'automatic', interval: 'its intervals', '500ms': '0.5 s', '1s': '1 s', '2s': '2 s' },
    }),
});
type Options = z.output<typeof options>;

const TOP = 22;
const BOTTOM = 40;
/** The tests' numbers stand beside the curves where there is room, else below. */
const FACTS_WIDTH = 300;
const WIDE = 720;
const LINE = 19;
/** The live curve is broad and grey, as its silhouettes are. */
const BROAD = 5;

function comparisonOf({ samples, record, offset_s, flow }: LivePlotData, { by }: Options): LiveComparison | null {
  const stream = samples.streams.get(receiverStream(flow));
  const values = stream?.column('throughput_mbps');
  if (stream === undefined || values === undefined) return null;
  const compared = comparedIntervals(record.measurement, SECONDS[by]);
  return compareLive(compared, { time: stream.time, values, rows: stream.rows }, offset_s);
}

/** Undefined: as long as it takes for what iperf3 counts to be what arrived. */
const SECONDS = { auto: undefined, interval: 0, '500ms': 0.5, '1s': 1, '2s': 2 } as const;

/** A staircase: up by one value's share at each value. */
function staircase(values: readonly number[], x: (rate: number) => number, y: (share: number) => number): string {
  const sorted = [...values].sort((a, b) => a - b);
  const steps = sorted.map((value, i) => `H${x(value).toFixed(1)}V${y((i + 1) / sorted.length).toFixed(1)}`);
  return `M${x(sorted[0] ?? 0).toFixed(1)},${y(0)}${steps.join('')}`;
}

const chance = (p: number): string => (p < 0.001 ? 'p < 0.001' : `p = ${formatMeasured(p, 2)}`);

/** Label and value of each line. */
function factsOf(comparison: LiveComparison): string[][] {
  const {
    live,
    emulated,
    interval_s,
    resolution_mbps,
    kolmogorovSmirnov: ks,
    pIndependent,
    mannWhitney: mw,
  } = comparison;
  const spread = ({ mean, sd }: LiveComparison['live']): string =>
    `${formatMeasured(mean)} ± ${formatMeasured(sd ?? 0)}${UNIT_SPACE}Mbps`;
  const worth = Math.round(Math.min(live.independent, emulated.independent));
  const all = `if all ${live.values.length} were independent`;
  return [
    ['live, mean ± deviation', spread(live)],
    ['emulated', spread(emulated)],
    [`intervals of ${formatMeasured(interval_s, 2)}${UNIT_SPACE}s, known to`, formatRate(resolution_mbps)],
    ['Kolmogorov–Smirnov', `D = ${formatMeasured(ks.d, 2)}`],
    [`for ${worth} independent values`, chance(pIndependent)],
    [all, chance(ks.p)],
    ['Mann–Whitney: live is faster', `in ${formatMeasured(100 * mw.share, 2)}${UNIT_SPACE}% of pairs`],
    [`${all} too`, chance(mw.p)],
  ];
}

function LiveDistribution({ data, options: chosen, setOptions, size, theme }: PlotProps<'live', Options>) {
  const { samples, visibility } = data;
  const complete = useSyncExternalStore(samples.subscribe, () => samples.complete);
  // Not before all rows are there: they may come in any order and many steps.
  const comparison = useMemo(() => (complete ? comparisonOf(data, chosen) : null), [data, chosen, complete]);
  const flow = comparedFlow(flowsOf(data, samples.streams, theme), data);
  const hidden = useSyncExternalStore(visibility.subscribe, () => visibility.state.hidden);
  if (flow === undefined) return null;
  const beside = size.width >= WIDE;
  const left = 40;
  const right = beside ? size.width - FACTS_WIDTH - 24 : size.width - 12;
  const bottom = size.height - BOTTOM;
  const verdict = comparison === null ? null : verdictOf(comparison);
  return (
    <Figure
      name={`${data.id}-live-distribution`}
      title="Distribution of throughput, live and emulated"
      subtitle={verdict === null ? '' : verdict.sentence}
      legend={comparison === null ? [] : liveLegend(flow, theme)}
      visibility={visibility}
      controls={<OptionControls schema={options} options={chosen} setOptions={setOptions} />}
      table={() => tableOf(comparison, hidden, flow.key)}
    >
      {comparison === null ? (
        <p className={plots['waiting']} style={{ height: size.height }}>
          {complete
            ? `Fewer than ${FEWEST_INTERVALS} intervals lie within the run: there is nothing to compare.`
            : 'Loading the run …'}
        </p>
      ) : (
        <Curves
          comparison={comparison}
          hidden={hidden}
          flow={{ key: flow.key, colour: flow.look.colour, dash: flow.look.dash }}
          live={liveStyle(theme)}
          frame={{ width: size.width, height: size.height, left, right, bottom, beside }}
        />
      )}
    </Figure>
  );
}

interface CurvesProps {
  readonly comparison: LiveComparison;
  readonly hidden: ReadonlySet<string>;
  readonly flow: { readonly key: string; readonly colour: string; readonly dash: readonly number[] };
  readonly live: { readonly colour: string; readonly opacity?: number };
  readonly frame: {
    readonly width: number;
    readonly height: number;
    readonly left: number;
    readonly right: number;
    readonly bottom: number;
    readonly beside: boolean;
  };
}

function Curves({ comparison, hidden, flow, live, frame }: CurvesProps) {
  const { width, height, left, right, bottom, beside } = frame;
  const { kolmogorovSmirnov: ks } = comparison;
  const all = [...comparison.live.values, ...comparison.emulated.values];
  const x = scaleLinear([Math.min(...all), Math.max(...all)], [left, right]).nice();
  const y = scaleLinear([0, 1], [bottom, TOP]);
  const ticks = x.ticks(Math.max(3, (right - left) / 90));
  const unit = tickFormat(ticks, 'Mbps');
  const facts = factsOf(comparison);
  const factsTop = beside ? TOP + 8 : height + 18;
  const factsLeft = beside ? right + 36 : left;
  const factsRight = width - 4;
  const shares = [comparison.live, comparison.emulated].map(({ values }) => y(shareAtMost(values, ks.at)));
  const [from = 0, to = 0] = shares;
  return (
    <svg
      width={width}
      height={beside ? height : height + (facts.length + 1) * LINE + 8}
      data-figure-part=""
      className={styles['svg']}
      role="img"
      aria-label={`Half of the live intervals have at most ${formatRate(median(comparison.live.values))}, half of the emulated ones at most ${formatRate(median(comparison.emulated.values))}; the shares differ by at most ${Math.round(ks.d * 100)} percent`}
    >
      <g className={styles['grid']}>
        {[0.25, 0.5, 0.75, 1].map((tick) => (
          <path key={tick} d={`M${left},${Math.round(y(tick)) + 0.5}H${right}`} />
        ))}
      </g>
      {hidden.has(LIVE) ? null : (
        <path
          className={styles['curve']}
          d={staircase(comparison.live.values, x, y)}
          stroke={live.colour}
          strokeWidth={BROAD}
          strokeOpacity={live.opacity ?? 1}
        />
      )}
      {hidden.has(flow.key) ? null : (
        <path
          className={styles['curve']}
          d={staircase(comparison.emulated.values, x, y)}
          stroke={flow.colour}
          strokeWidth={1.6}
          strokeDasharray={flow.dash.join(' ')}
        />
      )}
      {hidden.has(LIVE) || hidden.has(flow.key) || ks.d === 0 ? null : (
        <g className={styles['difference']}>
          <path d={`M${x(ks.at)},${from}V${to}m-4,0h8M${x(ks.at) - 4},${from}h8`} />
          <text
            x={x(ks.at) + (x(ks.at) > right - 30 ? -9 : 9)}
            y={(from + to) / 2 + 4}
            textAnchor={x(ks.at) > right - 30 ? 'end' : 'start'}
          >
            D
          </text>
        </g>
      )}
      <SvgAxis side="bottom" scale={x} ticks={ticks} format={unit.format} at={bottom} />
      <SvgAxis side="left" scale={y} ticks={[0, 0.25, 0.5, 0.75, 1]} format={(share) => `${share * 100}`} at={left} />
      <text x={left - 6} y={10} textAnchor="end" className={styles['unit']}>
        %
      </text>
      <text x={right} y={height - 5} textAnchor="end" className={styles['unit']}>
        {`throughput of an interval, ${unit.unit}`}
      </text>
      <text x={factsLeft} y={factsTop} className={styles['verdict']}>
        {headOf(verdictOf(comparison))}
      </text>
      {facts.map(([label, value], i) => (
        <g key={label} className={styles['fact']}>
          <text x={factsLeft} y={factsTop + (i + 1) * LINE}>
            {label}
          </text>
          <text x={factsRight} y={factsTop + (i + 1) * LINE} textAnchor="end" className={styles['value']}>
            {value}
          </text>
        </g>
      ))}
    </svg>
  );
}

const headOf = ({ similar, decided }: Verdict): string =>
  decided ? (similar ? 'Similar' : 'Different') : 'Not shown to differ';

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}

/** Every value of both with its share, so that the figure can be drawn again. */
function tableOf(comparison: LiveComparison | null, hidden: ReadonlySet<string>, flow: string) {
  const rowsOf = (name: string, values: readonly number[]): (string | number)[][] =>
    [...values].sort((a, b) => a - b).map((value, i) => [name, value, (i + 1) / values.length]);
  return {
    columns: ['sample', 'throughput_mbps', 'share_at_or_below'],
    rows:
      comparison === null
        ? []
        : [
            ...(hidden.has(LIVE) ? [] : rowsOf('live', comparison.live.values)),
            ...(hidden.has(flow) ? [] : rowsOf('emulated', comparison.emulated.values)),
          ],
  };
}

export const plot = definePlot({
  id: 'live-distribution',
  title: 'Distribution of throughput, live and emulated',
  needs: 'live',
  order: 40,
  height: 230,
  options,
  table: (data, chosen, { hidden }) => tableOf(comparisonOf(data, chosen), hidden, `flow:${data.flow}`),
  Component: LiveDistribution,
});
