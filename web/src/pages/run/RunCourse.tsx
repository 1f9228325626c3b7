// What a finished run's samples come to: figures of all of it, below those over time.
import { PlotView } from '../../plots/plot-view';
import { OVER_PLOTS } from '../../plots/over-plots';
import type { RunPlotData } from '../../plots/data';
import type { RawSearch, SearchShape, SearchState } from '../../ui/search';
import { plotOptions } from '../plot-options';

interface RunCourseProps {
  readonly run: RunPlotData;
  readonly raw: RawSearch;
  readonly setRaw: SearchState<SearchShape>['setRaw'];
}

export const RunCourse = ({ run, raw, setRaw }: RunCourseProps) => (
  <>
    {OVER_PLOTS.map((plot) => (
      <PlotView key={plot.id} plot={plot} data={run} {...plotOptions(plot.id, raw, setRaw)} />
    ))}
  </>
);
