// Runs beside one another: the same panels for each, on shared axes, under one cross-hair.
import { Link } from '@tanstack/react-router';
import { memo, useEffect, useMemo } from 'react';
import type { CcaDescriptor } from '#protocol/cca';
import { LinkedScales } from '../../charts/linked-scales';
import type { TimeView } from '../../charts/time-view';
import type { Visibility } from '../../charts/visibility';
import type { OracleState, RunPlotData, RunSamples } from '../../plots/data';
import { PlotView } from '../../plots/plot-view';
import { RUN_PLOTS } from '../../plots/run-plots';
import { CcaMark } from '../../ui/cca-mark';
import { plotOptions } from '../plot-options';
import { oracleOfRun } from '../use-oracles';
import { CursorTable } from '../run/CursorTable';
import type { CompareState } from './compare-search';
import type { ComparedRun } from './use-compared';
import css from './compare.module.css';

interface SideBySideProps {
  readonly runs: readonly ComparedRun[];
  /** Of all of them together. */
  readonly samples: RunSamples;
  readonly oracle: OracleState | undefined;
  readonly ccas: ReadonlyMap<string, CcaDescriptor>;
  readonly view: TimeView;
  readonly visibility: Visibility;
  readonly raw: CompareState['raw'];
  readonly setRaw: CompareState['setRaw'];
}

export const SideBySide = memo(function SideBySide(props: SideBySideProps) {
  const { runs, samples, oracle, ccas, view, visibility, raw, setRaw } = props;
  const scales = useMemo(() => new LinkedScales(), []);
  const all = useMemo(
    () =>
      runs.map(({ id, label, flows, manifest, samples: own }, i): RunPlotData => ({
        id,
        manifest,
        samples: own,
        ccas,
        view,
        visibility,
        flowLabels: flows,
        oracle: oracleOfRun(oracle, i),
        beside: { label, scales },
      })),
    [runs, oracle, ccas, view, visibility, scales],
  );
  useEffect(() => {
    const head = (): void => view.setHead(samples.timeS);
    head();
    return samples.subscribe(head);
  }, [samples, view]);
  return (
    <>
      <div className={css['beside']}>
        {runs.map(({ id, record, label, manifest }, i) => {
          const data = all[i];
          return data === undefined ? null : (
            <section
              key={id}
              className={css['one']}
              style={{ gridRow: `span ${RUN_PLOTS.length + 1}` }}
              aria-label={label}
            >
              <h3>
                <CcaMark cca={ccas.get(manifest.flows[0]?.cca.id ?? '')} size={14} />{' '}
                {record === null ? (
                  label
                ) : (
                  <Link to="/r/$id" params={{ id }}>
                    {label}
                  </Link>
                )}
              </h3>
              {RUN_PLOTS.map((plot) =>
                // Of what another program measured there is no queue; its place is kept, as the others' rows are the same.
                record === null && plot.id === 'queue' ? (
                  <div key={plot.id} />
                ) : (
                  <PlotView key={plot.id} plot={plot} data={data} {...plotOptions(plot.id, raw, setRaw)} />
                ),
              )}
            </section>
          );
        })}
      </div>
      <div className={css['values']}>
        <CursorTable view={view} samples={samples} alone={null} />
      </div>
    </>
  );
});
