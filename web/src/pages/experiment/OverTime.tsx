// What the runs' samples come to: read when somebody wants to see it, because each run has to be gone through once.
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ExperimentRecord } from '#protocol/api';
import { sampledQuery } from '../../api/sampled';
import type { ExperimentPlotData } from '../../plots/data';
import { POOLED_PLOTS } from '../../plots/pooled-plots';
import { PlotView } from '../../plots/plot-view';
import { plotOptions } from '../plot-options';
import { Button } from '../../ui/button';
import { plural } from '../../ui/format';
import { Notice, ProblemNotice } from '../../ui/notice';
import { FigureSkeleton } from '../../ui/page-skeleton';
import type { RawSearch, SearchShape, SearchState } from '../../ui/search';
import page from '../../ui/page.module.css';

interface OverTimeProps {
  readonly record: ExperimentRecord;
  readonly data: ExperimentPlotData;
  /** It is wanted: as the address says. */
  readonly wanted: boolean;
  readonly onWanted: () => void;
  readonly raw: RawSearch;
  readonly setRaw: SearchState<SearchShape>['setRaw'];
}

export function OverTime({ record, data, wanted, onWanted, raw, setRaw }: OverTimeProps) {
  const sampled = useQuery({ ...sampledQuery(record.id, record.runs_done), enabled: wanted });
  const drawn = useMemo(() => ({ ...data, sampled: sampled.data }), [data, sampled.data]);
  if (!wanted)
    return (
      <div>
        <Button onPress={onWanted}>{`Read the samples of ${plural(record.runs_done, 'run')}`}</Button>
      </div>
    );
  if (sampled.error !== null) return <ProblemNotice error={sampled.error} onRetry={() => void sampled.refetch()} />;
  if (sampled.data === undefined) return <FigureSkeleton height={240} />;
  if (sampled.data.every(({ told }) => told === 0))
    return (
      <Notice title="There are no samples">These runs were made without, or theirs were let go to make room.</Notice>
    );
  return (
    <div className={page['stack']}>
      {POOLED_PLOTS.map((plot) => (
        <PlotView key={plot.id} plot={plot} data={drawn} {...plotOptions(plot.id, raw, setRaw)} />
      ))}
    </div>
  );
}
