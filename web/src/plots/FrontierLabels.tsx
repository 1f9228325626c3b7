// The names of the algorithms in a throughput-delay plane, each beside a point of its own.
import type { Theme } from '../theme/theme';
import type { CcaSeries } from './experiment-series';
import { LABEL_MARKER, type FrontierLayout } from '#analysis/frontier-layout';
import styles from './frontier.module.css';

interface FrontierLabelsProps {
  readonly labels: FrontierLayout['labels'];
  readonly series: ReadonlyMap<string, CcaSeries>;
  readonly strength: (series: CcaSeries) => number;
  readonly theme: Theme;
}

export const FrontierLabels = ({ labels, series, strength, theme }: FrontierLabelsProps) => (
  <>
    {labels.map(({ id, box, anchor, leader }) => {
      const one = series.get(id);
      if (one === undefined) return null;
      return (
        <g key={id} opacity={strength(one)} className={styles['label']}>
          {leader && (
            <path
              d={`M${anchor.x},${anchor.y}L${Math.min(Math.max(anchor.x, box.x), box.x + box.width)},${Math.min(Math.max(anchor.y, box.y), box.y + box.height)}`}
              stroke={one.look.colour}
              opacity={0.6}
            />
          )}
          <path
            d={one.look.path(3.6)}
            transform={`translate(${box.x + 6},${box.y + box.height / 2})`}
            fill={one.look.hollow ? theme.surface : one.look.colour}
            stroke={one.look.hollow ? one.look.colour : theme.surface}
            strokeWidth={one.look.hollow ? 1.4 : 2}
            paintOrder="stroke"
          />
          <text x={box.x + LABEL_MARKER + 1} y={box.y + box.height - 4}>
            {one.label}
          </text>
        </g>
      );
    })}
  </>
);
