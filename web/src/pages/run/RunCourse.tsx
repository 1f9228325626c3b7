// What a finished run's samples come to: figures of all of it, below those over time.
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { queueByFlowQuery } from '../../api/packets';
import { PlotView } from '../../plots/plot-view';
import { OVER_PLOTS } from '../../plots/over-plots';
import type { RunPlotData } from '../../plots/data';
import { useFrozen } from '../../share/frozen';
import type { RawSearch, SearchShape, SearchState } from '../../ui/search';
import { plotOptions } from '../plot-options';

interface RunCourseProps {
  readonly run: RunPlotData;
  /** It can be made again, to tell what its samples do not. */
  readonly watchable: boolean;
  readonly raw: RawSearch;
  readonly setRaw: SearchState<SearchShape>['setRaw'];
}

export function RunCourse({ run, watchable, raw, setRaw }: RunCourseProps) {
  const frozen = useFrozen();
  const enabled = watchable && frozen === null && run.manifest.flows.length > 1;
  // Without it there is one figure less: nothing else is wrong.
  const { data: queueByFlow } = useQuery({ ...queueByFlowQuery(run.id), enabled });
  const whole = useMemo(() => ({ ...run, queueByFlow }), [run, queueByFlow]);
  return OVER_PLOTS.map((plot) => (
    <PlotView key={plot.id} plot={plot} data={whole} {...plotOptions(plot.id, raw, setRaw)} />
  ));
}
