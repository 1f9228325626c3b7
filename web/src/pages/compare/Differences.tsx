// What each run is less one of them, over time.
import { memo, useMemo } from 'react';
import { TimeAxis } from '../../charts/TimeAxis';
import { DIFFERENCE_PLOTS } from '../../plots/difference-plots';
import type { DifferencePlotData } from '../../plots/data';
import { PlotView } from '../../plots/plot-view';
import { Select } from '../../ui/choice';
import { Section } from '../../ui/page';
import { plotOptions } from '../plot-options';
import type { CompareState } from './compare-search';
import css from './compare.module.css';

interface DifferencesProps {
  readonly data: Omit<DifferencePlotData, 'reference'>;
  /** Of what can be held against. */
  readonly choices: readonly { readonly id: string; readonly label: string }[];
  readonly reference: number;
  readonly raw: CompareState['raw'];
  readonly setRaw: CompareState['setRaw'];
  readonly onReference: (id: string) => void;
}

/** Renders only when something else than samples changed. */
export const Differences = memo(function Differences(props: DifferencesProps) {
  const { data: laid, choices, reference, raw, setRaw, onReference } = props;
  const data = useMemo<DifferencePlotData>(() => ({ ...laid, reference, sharedAxis: true }), [laid, reference]);
  return (
    <Section
      title="Difference over time"
      note="Each run less the reference, flow by flow, on the same time axis as above."
      aside={<Select label="Reference" value={choices[reference]?.id ?? ''} options={choices} onChange={onReference} />}
    >
      <div className={css['panels']}>
        {DIFFERENCE_PLOTS.map((plot) => (
          <PlotView key={plot.id} plot={plot} data={data} {...plotOptions(plot.id, raw, setRaw)} />
        ))}
        <TimeAxis view={data.view} />
      </div>
    </Section>
  );
});
