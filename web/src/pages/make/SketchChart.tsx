// The capacity that the recipe of the moment makes.
import { useEffect, useMemo } from 'react';
import type { RecipeSketch } from '#protocol/recipe';
import { Figure } from '../../charts/Figure';
import { panelRows } from '../../charts/panel-rows';
import type { TimeView } from '../../charts/time-view';
import { TimeSeriesPanel } from '../../charts/TimeSeriesPanel';
import { Visibility } from '../../charts/visibility';
import { capacityPanel, useBandText } from '../../plots/capacity-panel';
import { capacitySeries } from '../../plots/trace-data';
import { useTheme } from '../../theme/theme';
import { formatDelay } from '../../ui/format';
import { useWidth } from '../../ui/use-width';
import css from './make.module.css';

const HEIGHT = 280;
/** On a phone it shares the screen with the sliders. */
const LOW_HEIGHT = 170;
const NARROW = 520;

export function SketchChart({ sketch, view }: { readonly sketch: RecipeSketch; readonly view: TimeView }) {
  const theme = useTheme();
  const [host, width] = useWidth<HTMLDivElement>();
  const periodS = sketch.period_ms / 1000;
  useEffect(() => view.setExtent([0, periodS]), [view, periodS]);
  const visibility = useMemo(() => new Visibility(), []);
  const spec = useMemo(
    () => capacityPanel(capacitySeries(sketch.preview, 0), sketch.mean_mbps, theme),
    [sketch, theme],
  );
  const band = useBandText(spec, view, visibility);
  return (
    <div ref={host} className={css['chart']}>
      <Figure
        name="scenario-capacity"
        title="Capacity over time"
        subtitle={`Mbps in bins of ${formatDelay(sketch.preview.bin_ms)}: mean${band}`}
        legend={[
          { key: 'mean', label: 'mean', colour: theme.ink },
          { key: 'range', label: 'least to greatest 10 ms', colour: theme.capacityEdge, glyph: 'swatch' },
          { key: 'trace-mean', label: 'mean of all', colour: theme.ink3, dash: [5, 3] },
        ]}
        visibility={visibility}
        table={() => panelRows([spec], view.range, visibility)}
      >
        {width === 0 ? null : (
          <TimeSeriesPanel
            spec={spec}
            view={view}
            visibility={visibility}
            width={width}
            height={width < NARROW ? LOW_HEIGHT : HEIGHT}
          />
        )}
      </Figure>
    </div>
  );
}
