// Capacity before a step in grey, after it in front, and the strip on which a part is selected.
import { useEffect, useMemo } from 'react';
import type { EditSketch } from '#protocol/edit';
import type { TraceSketch } from '#protocol/trace';
import { Figure } from '../../charts/Figure';
import { panelRows } from '../../charts/panel-rows';
import type { TimeView } from '../../charts/time-view';
import { TimeSeriesPanel } from '../../charts/TimeSeriesPanel';
import type { PanelSpec, SeriesSpec } from '../../charts/types';
import { Visibility } from '../../charts/visibility';
import { capacityPanel, useBandText } from '../../plots/capacity-panel';
import { capacitySeries } from '../../plots/trace-data';
import { type Theme, useTheme } from '../../theme/theme';
import { formatDelay } from '../../ui/format';
import { useWidth } from '../../ui/use-width';
import { SpanBrush } from './SpanBrush';
import type { Span } from './steps';
import css from './edit.module.css';

const HEIGHT = 280;
/** On a phone it shares the screen with the steps. */
const LOW_HEIGHT = 170;
const NARROW = 520;

interface EditChartProps {
  readonly name: string;
  /** Null: nothing has been done yet. */
  readonly before: TraceSketch | null;
  readonly after: EditSketch;
  readonly view: TimeView;
  /** Of the trace on which spans lie. */
  readonly lengthMs: number;
  readonly span: Span | null;
  readonly onSpan: (span: Span | null) => void;
}

function panel(before: TraceSketch | null, after: TraceSketch, theme: Theme): PanelSpec {
  const now = capacityPanel(capacitySeries(after.preview, 0), after.mean_mbps, theme);
  if (before === null) return now;
  const old: SeriesSpec = {
    id: 'before',
    kind: 'step-area',
    label: 'before',
    unit: 'Mbps',
    group: 'before',
    data: capacitySeries(before.preview, 0).mean,
    style: { colour: theme.capacityEdge, fill: theme.capacityEdge, width: 0.5, opacity: 0.6 },
  };
  const line = now.series.filter(({ id }) => id !== 'range');
  return { ...now, title: 'Capacity before and after', series: [old, ...line] };
}

export function EditChart({ name, before, after, view, lengthMs, span, onSpan }: EditChartProps) {
  const theme = useTheme();
  const [host, width] = useWidth<HTMLDivElement>();
  const endS = Math.max(before?.period_ms ?? 0, after.period_ms) / 1000;
  useEffect(() => view.setExtent([0, endS]), [view, endS]);
  const visibility = useMemo(() => new Visibility(), []);
  const spec = useMemo(() => panel(before, after, theme), [before, after, theme]);
  const band = useBandText(spec, view, visibility);
  return (
    <div ref={host} className={css['chart']}>
      <Figure
        name={`${name}-edit`}
        title="Capacity over time"
        subtitle={`Mbps in bins of ${formatDelay(after.preview.bin_ms)}: mean${before === null ? band : ''}`}
        legend={[
          ...(before === null
            ? []
            : [{ key: 'before', label: 'before', colour: theme.capacityEdge, glyph: 'swatch' as const }]),
          { key: 'mean', label: before === null ? 'mean' : 'after', colour: theme.ink },
          ...(before === null
            ? [
                {
                  key: 'range',
                  label: 'least to greatest 10 ms',
                  colour: theme.capacityEdge,
                  glyph: 'swatch' as const,
                },
              ]
            : []),
          {
            key: 'trace-mean',
            label: before === null ? 'mean of all' : 'mean after',
            colour: theme.ink3,
            dash: [5, 3],
          },
        ]}
        visibility={visibility}
        table={() => panelRows([spec], view.range, visibility)}
      >
        {width === 0 ? null : (
          <>
            <TimeSeriesPanel
              spec={spec}
              view={view}
              visibility={visibility}
              width={width}
              height={width < NARROW ? LOW_HEIGHT : HEIGHT}
            />
            <SpanBrush view={view} width={width} lengthMs={lengthMs} span={span} onChange={onSpan} />
          </>
        )}
      </Figure>
    </div>
  );
}
