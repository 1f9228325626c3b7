// Box plots of one condition: an algorithm a row, throughput on one side and delay on the other, below one another where there is no room.
import { scaleLinear, scaleLog } from 'd3';
import type { SampledBox } from '#protocol/sampled';
import { shortened, textWidth } from '../charts/measure';
import { SvgAxis } from '../charts/SvgAxis';
import type { Theme } from '../theme/theme';
import { formatChosen, formatMeasured, plural } from '../ui/format';
import { oneTwoFive } from '#analysis/frontier-layout';
import type { Condition } from './pooled-cells';
import styles from './plane.module.css';

export const QUANTITIES = { throughput: 'throughput, Mbps', delay: 'packet delay, ms' } as const;
export type Quantity = keyof typeof QUANTITIES;

/** From the least 5th to the greatest 95th percentile. */
export type Extent = readonly [least: number, most: number];

interface SpreadFacetProps {
  readonly condition: Condition;
  readonly extents: Readonly<Record<Quantity, Extent>>;
  readonly width: number;
  readonly theme: Theme;
}

const [ROW, TOP, BOTTOM, RIGHT, GAP] = [24, 26, 40, 18, 28];
const BOX = 12;
/** Both beside one another want so much. */
const BESIDE = 640;

export function SpreadFacet({ condition, extents, width, theme }: SpreadFacetProps) {
  const font = `400 12px ${theme.sans}`;
  const names = condition.cells.map(({ series }) => series.label);
  const left = Math.min(Math.max(60, ...names.map((name) => textWidth(name, font) + 30)), width * 0.34);
  const beside = width >= BESIDE;
  const panel = beside ? (width - left - GAP) / 2 : width - left;
  const tall = condition.cells.length * ROW + BOTTOM;
  const height = TOP + (beside ? tall : 2 * tall);
  return (
    <svg
      width={width}
      height={height}
      data-figure-part=""
      className={styles['svg']}
      role="img"
      aria-label={spoken(condition)}
    >
      <text x={0} y={14} className={styles['title']}>
        {condition.title}
      </text>
      {(['throughput', 'delay'] as const).map((quantity, i) => (
        <Panel
          key={quantity}
          condition={condition}
          quantity={quantity}
          extent={extents[quantity]}
          named={!beside || i === 0}
          names={{ width: left - 30, font }}
          x={beside ? left + i * (panel + GAP) : left}
          y={TOP + (beside ? 0 : i * tall)}
          width={panel - RIGHT}
        />
      ))}
    </svg>
  );
}

interface PanelProps {
  readonly condition: Condition;
  readonly quantity: Quantity;
  readonly extent: Extent;
  readonly named: boolean;
  readonly names: { readonly width: number; readonly font: string };
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

function Panel({ condition: { cells }, quantity, extent, named, names, x: left, y: top, width }: PanelProps) {
  const bottom = cells.length * ROW;
  // Delays of algorithms differ by factors; rates begin at nothing.
  const x =
    quantity === 'delay' ? scaleLog(extent, [0, width]).clamp(true) : scaleLinear([0, extent[1]], [0, width]).nice(4);
  const ticks = quantity === 'delay' ? oneTwoFive(extent[0], extent[1], width) : x.ticks(Math.max(2, width / 80));
  return (
    <g transform={`translate(${left},${top})`}>
      <g className={styles['grid']}>
        {ticks.map((tick) => (
          <path key={tick} d={`M${Math.round(x(tick)) + 0.5},0V${bottom}`} />
        ))}
      </g>
      {cells.map(({ cell, series: { label, look }, sampled: { boxes } }, row) => {
        const [box, middle] = [boxes[quantity], row * ROW + ROW / 2];
        return (
          <g key={cell.key} transform={`translate(0,${middle})`}>
            {named ? (
              <>
                <path
                  d={look.path(4.6)}
                  transform={`translate(${-names.width - 18},0)`}
                  fill={look.hollow ? 'none' : look.colour}
                  stroke={look.colour}
                  strokeWidth={look.hollow ? 1.6 : 0}
                />
                <text x={-names.width - 8} dy="0.35em" className={styles['name']}>
                  <title>{label}</title>
                  {shortened(label, names.width, names.font)}
                </text>
              </>
            ) : null}
            {box === undefined ? null : (
              <g>
                <title>{`${label}: ${saidOf(box)}`}</title>
                <path
                  className={styles['whisker']}
                  d={`M${x(box.p05)},0H${x(box.p25)}M${x(box.p75)},0H${x(box.p95)}M${x(box.p05)},-3V3M${x(box.p95)},-3V3`}
                />
                <rect
                  className={styles['box']}
                  x={x(box.p25)}
                  y={-BOX / 2}
                  width={Math.max(x(box.p75) - x(box.p25), 1)}
                  height={BOX}
                  fill={look.colour}
                  stroke={look.colour}
                />
                <path className={styles['median']} d={`M${x(box.p50)},${-BOX / 2}V${BOX / 2}`} />
              </g>
            )}
          </g>
        );
      })}
      <SvgAxis side="bottom" scale={x} ticks={ticks} format={formatChosen} at={bottom} />
      <text x={width} y={bottom + 33} textAnchor="end" className={styles['unit']}>
        {QUANTITIES[quantity]}
      </text>
    </g>
  );
}

const saidOf = ({ p05, p25, p50, p75, p95, n, runs }: SampledBox): string =>
  `median ${formatMeasured(p50)}, quartiles ${formatMeasured(p25)} and ${formatMeasured(p75)}, 5 % below ${formatMeasured(p05)}, 5 % above ${formatMeasured(p95)}, in ${n} windows of ${runs === 1 ? 'one run' : plural(runs, 'run')}`;

const spoken = ({ title, cells }: Condition): string =>
  `${title}. ${cells
    .map(({ series, sampled: { boxes } }) =>
      (['throughput', 'delay'] as const)
        .flatMap((quantity) => {
          const box = boxes[quantity];
          return box === undefined ? [] : [`${series.label}, ${QUANTITIES[quantity]}: ${saidOf(box)}`];
        })
        .join('; '),
    )
    .join('. ')}`;
