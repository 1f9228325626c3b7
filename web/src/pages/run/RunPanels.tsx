// The panels of one run on one time axis, with the table of values beside them. Live, replayed and finished runs look the same.
import { memo, useEffect, useMemo, useRef } from 'react';
import type { RunManifest } from '#protocol/manifest';
import type { CcaDescriptor } from '#protocol/cca';
import { TimeAxis } from '../../charts/TimeAxis';
import type { TimeView } from '../../charts/time-view';
import type { Visibility } from '../../charts/visibility';
import { loadPolicy } from '../../api/policies';
import type { RunPlotData, RunSamples } from '../../plots/data';
import { labelOfFlow } from '../../plots/flows';
import { PlotView } from '../../plots/plot-view';
import { REPLAY_PLOTS } from '../../plots/replay-plots';
import { RUN_PLOTS } from '../../plots/run-plots';
import { cx } from '../../ui/cx';
import type { RawSearch, SearchState, SearchShape } from '../../ui/search';
import { plotOptions } from '../plot-options';
import { CursorTable } from './CursorTable';
import css from './run.module.css';

/** A pointer that moved further was dragging a zoom. */
const CLICK_PX = 4;

interface RunPanelsProps {
  readonly id: string;
  readonly manifest: RunManifest;
  readonly samples: RunSamples;
  /** All of a run that is replayed. */
  readonly all?: RunSamples | undefined;
  readonly ccas: ReadonlyMap<string, CcaDescriptor>;
  readonly view: TimeView;
  readonly visibility: Visibility;
  readonly meanCapacity?: number | undefined;
  readonly oracle?: RunPlotData['oracle'];
  readonly band?: RunPlotData['band'];
  readonly raw: RawSearch;
  readonly setRaw: SearchState<SearchShape>['setRaw'];
  readonly onPin: (time: number) => void;
  /** Several runs laid over one another. */
  readonly overlays?: RunPlotData['overlays'];
  readonly flowLabels?: RunPlotData['flowLabels'];
  /** There is something else beside the figures: their values stand below them. */
  readonly narrow?: boolean;
}

/** Renders only when something else than samples changed: those go straight to the canvases. */
export const RunPanels = memo(function RunPanels({
  id,
  manifest,
  samples,
  all,
  ccas,
  view,
  visibility,
  meanCapacity,
  oracle,
  band,
  raw,
  setRaw,
  onPin,
  overlays,
  flowLabels,
  narrow = false,
}: RunPanelsProps) {
  const data = useMemo<RunPlotData>(
    () => ({
      id,
      manifest,
      samples,
      all,
      ccas,
      view,
      visibility,
      oracle,
      band,
      sharedAxis: true,
      loadPolicy,
      ...(meanCapacity === undefined ? {} : { meanCapacity }),
      ...(overlays === undefined ? {} : { overlays }),
      ...(flowLabels === undefined ? {} : { flowLabels }),
    }),
    [id, manifest, samples, all, ccas, view, visibility, meanCapacity, oracle, band, overlays, flowLabels],
  );
  useEffect(() => {
    const head = (): void => view.setHead(samples.timeS);
    head();
    return samples.subscribe(head);
  }, [samples, view]);
  const pressedAt = useRef(0);
  const [only, ...others] = manifest.flows;
  const alone = only === undefined || others.length > 0 ? null : labelOfFlow(only.cca, ccas);
  return (
    <div className={cx(css['layout'], narrow && css['narrow'])}>
      <div className={css['stack']}>
        {/* A click on a panel pins the cross-hair; the keyboard does the same with the key m. */}
        {/* eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
        <div
          className={css['panels']}
          onPointerDown={(event) => {
            pressedAt.current = event.clientX;
          }}
          onClick={(event) => {
            const onPanel = event.target instanceof Element && event.target.closest('[role="slider"]') !== null;
            const dragged = Math.abs(event.clientX - pressedAt.current) > CLICK_PX;
            if (onPanel && !dragged && event.detail === 1 && view.cursor !== null) onPin(view.cursor);
          }}
        >
          {RUN_PLOTS.map((plot) => (
            <PlotView key={plot.id} plot={plot} data={data} {...plotOptions(plot.id, raw, setRaw)} />
          ))}
        </div>
        <TimeAxis view={view} />
        {REPLAY_PLOTS.filter(({ applies }) => applies?.(data) ?? true).map((plot) => (
          <PlotView key={plot.id} plot={plot} data={data} {...plotOptions(plot.id, raw, setRaw)} />
        ))}
      </div>
      <CursorTable view={view} samples={samples} alone={alone} />
    </div>
  );
});
