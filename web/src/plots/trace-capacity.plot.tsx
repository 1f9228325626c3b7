// A trace's capacity over time: an overview of all of it, and the part that is looked at in detail.
import { useMemo } from 'react';
import { z } from 'zod';
import { Figure } from '../charts/Figure';
import { panelRows } from '../charts/panel-rows';
import { TimeSeriesPanel } from '../charts/TimeSeriesPanel';
import { useTimeView } from '../charts/time-view';
import { Visibility } from '../charts/visibility';
import { formatChosen, UNIT_SPACE } from '../ui/format';
import { definePlot, type PlotProps } from './registry';
import { TraceOverview } from './TraceOverview';
import { capacityPanel, useBandText } from './capacity-panel';
import { useCapacity } from './trace-data';
import styles from './plots.module.css';

const options = z.object({});

/** Hidden parts are this figure's own affair. */
const visibilities = new WeakMap<object, Visibility>();
function visibilityOf(owner: object): Visibility {
  let visibility = visibilities.get(owner);
  if (visibility === undefined) {
    visibility = new Visibility();
    visibilities.set(owner, visibility);
  }
  return visibility;
}

const binText = (ms: number): string =>
  ms >= 1000 ? `${formatChosen(ms / 1000)}${UNIT_SPACE}s` : `${formatChosen(ms)}${UNIT_SPACE}ms`;

function Capacity({ data, size, theme }: PlotProps<'trace', z.output<typeof options>>) {
  const { view, trace, marks } = data;
  const range = useTimeView(view, (now) => now.range);
  const bins = Math.max(100, Math.round(size.width));
  const overview = useCapacity(data, 'all', bins);
  const detail = useCapacity(data, view.zoomed ? range : 'nothing', bins);
  const shown = detail.value ?? overview.value;
  const handovers = useMemo(() => (marks?.marks ?? []).map(({ at_s }) => at_s), [marks]);
  const spec = useMemo(
    () => (shown === null ? null : capacityPanel(shown, trace.info.mean_mbps, theme, handovers)),
    [shown, trace, theme, handovers],
  );
  const visibility = visibilityOf(view);
  const band = useBandText(spec, view, visibility);
  const error = detail.error ?? overview.error;
  return (
    <Figure
      name={`${trace.name}-capacity`}
      title="Capacity over time"
      subtitle={
        shown === null
          ? ''
          : `Mbps in bins of ${binText(shown.bin_ms)}: mean${shown.bin_ms > 10 ? band : ''}. Drag to zoom, down to 1 ms; double-click: back`
      }
      legend={[
        { key: 'mean', label: 'mean', colour: theme.ink },
        { key: 'range', label: 'least to greatest 10 ms', colour: theme.capacityEdge, glyph: 'swatch' },
        { key: 'trace-mean', label: 'mean of the trace', colour: theme.ink3, dash: [5, 3] },
        ...(handovers.length === 0
          ? []
          : [{ key: 'handover', label: 'handover', colour: theme.ink2, glyph: 'change' as const }]),
      ]}
      visibility={visibility}
      table={() => panelRows(spec === null ? [] : [spec], view.range, visibility)}
    >
      {spec === null ? (
        <p className={styles['waiting']} style={{ height: size.height }}>
          {error ?? 'Loading the trace …'}
        </p>
      ) : (
        <TimeSeriesPanel spec={spec} view={view} visibility={visibility} width={size.width} height={size.height} />
      )}
      {overview.value !== null && <TraceOverview capacity={overview.value} view={view} width={size.width} />}
      {error !== null && spec !== null && (
        <p role="alert" className={styles['problem']}>
          {error}
        </p>
      )}
    </Figure>
  );
}

export const plot = definePlot({
  id: 'capacity',
  title: 'Capacity over time',
  needs: 'trace',
  order: 10,
  height: 280,
  options,
  // Detail is loaded as the view moves; the rows of the whole trace at a glance are its thumbnail.
  table: ({ trace }) => ({
    columns: ['time_s', 'capacity_mbps'],
    rows: trace.spark.map((rate, i) => [((i + 1) * trace.info.period_ms) / 1000 / trace.spark.length, rate]),
  }),
  Component: Capacity,
});
