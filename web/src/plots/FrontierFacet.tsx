// One throughput-delay plane: a point per CCA and queue limit with the limit written in it.
import { useMemo, useState } from 'react';
import type { Frontier, FrontierAxes } from '#analysis/frontier';
import { tracePart, type TracePart } from '#analysis/trace-part';
import type { TraceRecord } from '#protocol/api';
import { textWidth } from '../charts/measure';
import { Tip, type TipContent } from '../charts/Tip';
import { useVisibility } from '../charts/visibility';
import type { Theme } from '../theme/theme';
import type { ExperimentPlotData } from './data';
import type { CcaSeries } from './experiment-series';
import { surroundingsOf, type Surroundings } from '#analysis/frontier-around';
import { FrontierGround } from './FrontierGround';
import { capacityNameOf } from '#analysis/frontier-inset';
import { FrontierLabels } from './FrontierLabels';
import { layoutFrontier, type FrontierLayout, type FrontierLook } from '#analysis/frontier-layout';
import { FrontierPoints, tipOf } from './FrontierPoints';
import type { Slot } from '#analysis/frontier-stacks';
import { formatMetric } from '#analysis/metric-text';
import styles from './frontier.module.css';

export interface FrontierFacetProps {
  readonly frontier: Frontier;
  readonly axes: FrontierAxes;
  readonly look: FrontierLook;
  readonly series: ReadonlyMap<string, CcaSeries>;
  readonly data: ExperimentPlotData;
  readonly title: string;
  readonly trace: TraceRecord | undefined;
  readonly width: number;
  readonly height: number;
  readonly theme: Theme;
}

/** Marks fainter while another CCA is highlighted. */
const FAINT = 0.16;

export function FrontierFacet({
  frontier,
  axes,
  look,
  series,
  data,
  title,
  trace,
  width,
  height,
  theme,
}: FrontierFacetProps) {
  const { visibility, selected, onSelect } = data;
  const { hidden, highlighted } = useVisibility(visibility);
  const [tip, setTip] = useState<TipContent | null>(null);
  const { duration_s, vary, trace_from_s } = data.record.spec;
  const period = trace?.info.period_ms ?? 0;
  const part = useMemo<TracePart>(
    () => tracePart({ duration_s, vary, trace_from_s }, period),
    [duration_s, vary, trace_from_s, period],
  );
  const layout = useMemo(
    () =>
      layoutFrontier({
        frontier,
        series,
        shows: (one) => !hidden.has(one.group),
        look,
        width,
        height,
        measure: (text) => textWidth(text, `500 12px ${theme.sans}`),
        write: (delay) => formatMetric(axes.x, delay),
        insetLines: trace === undefined || trace.spark.length === 0 ? 0 : part.kind === 'whole' ? 1 : 2,
        capacityName: capacityNameOf(part),
      }),
    [frontier, series, hidden, look, width, height, theme.sans, axes.x, trace, part],
  );
  const around = useMemo(() => surroundingsOf(layout), [layout]);
  const { plot } = layout;
  const strength = (one: CcaSeries): number => (highlighted === null || highlighted === one.group ? 1 : FAINT);
  const show = (slot: Slot): void => {
    visibility.highlight(slot.point.series.group);
    setTip(tipOf(slot, axes));
  };
  const leave = (): void => {
    visibility.highlight(null);
    setTip(null);
  };
  const choose = (key: string): void => {
    const next = new Set(selected);
    if (!next.delete(key)) next.add(key);
    onSelect([...next]);
  };

  return (
    <div className={styles['facet']}>
      <svg
        width={width}
        height={height}
        data-figure-part=""
        className={styles['svg']}
        role="group"
        aria-label={`${title}: points per algorithm and queue limit`}
      >
        <text x={plot.x} y={14} className={styles['title']}>
          {title}
        </text>
        <FrontierGround
          layout={layout}
          axes={axes}
          look={look}
          part={part}
          trace={trace}
          ran={frontier.capacity_mbps}
        />
        {layout.hull !== '' && <path d={layout.hull} className={styles['hull']} />}
        <Lines lines={layout.lines} strength={strength} />
        {around.map((one) => (
          <Around key={one.series.key} around={one} opacity={strength(one.series)} lit={highlighted !== null} />
        ))}
        <FrontierPoints
          stacks={layout.stacks}
          axes={axes}
          selected={selected}
          strength={strength}
          theme={theme}
          onChoose={choose}
          onShow={show}
          onLeave={leave}
        />
        <FrontierLabels labels={layout.labels} series={series} strength={strength} theme={theme} />
      </svg>
      <Tip content={tip} width={width} />
    </div>
  );
}

/** Each algorithm's way from the smallest limit to the largest. */
const Lines = ({
  lines,
  strength,
}: Pick<FrontierLayout, 'lines'> & { readonly strength: (one: CcaSeries) => number }) =>
  lines.map(({ series, path }) => (
    <path
      key={series.key}
      d={path}
      fill="none"
      stroke={series.look.colour}
      strokeDasharray={series.look.dash.join(' ') || undefined}
      opacity={0.4 * strength(series)}
    />
  ));

/** Repetitions as faint dots, the 95 % intervals of their means, and lines from marks that had to move to where they belong. */
function Around({
  around: { series, judged, alone, whiskers, leaders, homes },
  opacity,
  lit,
}: {
  readonly around: Surroundings;
  readonly opacity: number;
  /** Of forty points the intervals are a thicket, of one algorithm they can be read. */
  readonly lit: boolean;
}) {
  const { colour } = series.look;
  return (
    <g opacity={opacity} fill="none" stroke={colour}>
      {judged !== '' && <path d={judged} className={styles['dots']} opacity={0.3} />}
      {alone !== '' && <path d={alone} className={styles['dots']} opacity={0.8} />}
      {whiskers !== '' && <path d={whiskers} opacity={lit ? 1 : 0.55} />}
      {leaders !== '' && <path d={leaders} strokeWidth={1.25} opacity={0.7} />}
      {homes !== '' && <path d={homes} fill={colour} className={styles['home']} />}
    </g>
  );
}
