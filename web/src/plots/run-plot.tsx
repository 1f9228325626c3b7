// The common shape of all figures of one run: panels on the shared time axis, a legend of flows and quantities, rows of what is shown.
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import type { z } from 'zod';
import { Figure } from '../charts/Figure';
import { TimeSeriesPanel } from '../charts/TimeSeriesPanel';
import { GLYPH_HEIGHT, GLYPH_WIDTH, glyphMarkup } from '../charts/glyph';
import { panelRows } from '../charts/panel-rows';
import type { LegendItem } from '../charts/figure-props';
import type { PanelSpec, SeriesSpec } from '../charts/types';
import { getTheme, type Theme } from '../theme/theme';
import type { DifferencePlotData, LivePlotData, RunPlotData, RunSamples, StreamData } from './data';
import { flowsOf, forwardLink, ghostGroups, type Flow } from './flows';
import { OptionControls } from './OptionControls';
import type { OptionsSchema } from './options';
import { definePlot, type Plot, type PlotData, type PlotProps } from './registry';
import styles from './plots.module.css';

export interface RunPanel {
  readonly spec: PanelSpec;
  readonly height: number;
  readonly heading?: string;
  /** Who is who among lines of one flow, beside the heading. */
  readonly keys?: readonly LegendItem[];
  /** Instead of a picture that would show nothing; its values are in the table all the same. */
  readonly said?: string | undefined;
}

/** What a figure is made of, for one state of the data. */
export interface RunPicture {
  readonly subtitle: string;
  readonly legend: readonly LegendItem[];
  readonly panels: readonly RunPanel[];
}

export interface RunScene<O, D extends RunPlotData = RunPlotData> {
  readonly data: D;
  readonly flows: readonly Flow[];
  readonly link: StreamData | undefined;
  readonly options: O;
  readonly theme: Theme;
  readonly height: number;
  /** All samples are there. */
  readonly whole: boolean;
}

export interface RunPlotDefinition<S extends OptionsSchema, D extends RunPlotData = RunPlotData> {
  readonly id: string;
  readonly title: string;
  readonly order: number;
  readonly height: number;
  readonly options: S;
  readonly build: (scene: RunScene<z.output<S>, D>) => RunPicture;
}

type Streams = ReadonlyMap<number, StreamData>;
const known = new WeakMap<RunSamples, Streams>();

/** A copy of the map of streams that is replaced when one comes in: live stores fill theirs in place. */
function streamsOf(samples: RunSamples): Streams {
  const before = known.get(samples);
  if (before?.size === samples.streams.size) return before;
  const now = new Map(samples.streams);
  known.set(samples, now);
  return now;
}

const useStreams = (samples: RunSamples): Streams => useSyncExternalStore(samples.subscribe, () => streamsOf(samples));

/** A figure of one run. */
export const defineRunPlot = <S extends OptionsSchema>(plot: RunPlotDefinition<S>): Plot<'run'> =>
  defineTimePlot('run', plot);

/** A figure of one run and a measurement that is laid over it. */
export const defineLivePlot = <S extends OptionsSchema>(plot: RunPlotDefinition<S, LivePlotData>): Plot<'live'> =>
  defineTimePlot('live', plot);

/** A figure of runs less one of them. */
export const defineDifferencePlot = <S extends OptionsSchema>(
  plot: RunPlotDefinition<S, DifferencePlotData>,
): Plot<'difference'> => defineTimePlot('difference', plot);

function defineTimePlot<N extends 'run' | 'live' | 'difference', S extends OptionsSchema>(
  needs: N,
  plot: RunPlotDefinition<S, PlotData[N]>,
): Plot<N> {
  type Options = z.output<S>;
  const sceneOf = (
    data: PlotData[N],
    streams: Streams,
    options: Options,
    theme: Theme,
    height: number,
  ): RunScene<Options, PlotData[N]> => ({
    data,
    flows: flowsOf(data, streams, theme),
    link: forwardLink(streams),
    options,
    theme,
    height,
    whole: data.samples.complete,
  });

  function Component({ data, options, setOptions, size, theme }: PlotProps<N, Options>) {
    const { samples, view, visibility } = data;
    const streams = useStreams(samples);
    const whole = useSyncExternalStore(samples.subscribe, () => samples.complete);
    const {
      subtitle,
      legend,
      panels: own,
    } = useMemo(
      () => ghostsBeneath(plot.build({ ...sceneOf(data, streams, options, theme, size.height), whole }), data),
      [data, streams, options, theme, size.height, whole],
    );
    const panels = useLinked(own, data.beside, whole);
    const last = panels.findLastIndex(({ said }) => said === undefined);
    // Nothing to show of this run at all: no frame around nothing.
    if (panels.length === 0) return null;
    return (
      <Figure
        name={`${data.id}-${plot.id}`}
        title={plot.title}
        subtitle={subtitle}
        legend={legend}
        visibility={visibility}
        table={() =>
          panelRows(
            panels.map(({ spec }) => spec),
            view.range,
            visibility,
          )
        }
        controls={
          <OptionControls
            schema={plot.options}
            options={options}
            setOptions={(change) => setOptions(change as Partial<Options>)}
          />
        }
      >
        {panels.map(({ spec, height, heading, keys, said }, i) => (
          <div key={spec.id}>
            {heading !== undefined && (
              <PanelHeading text={heading} keys={said === undefined ? (keys ?? []) : []} said={said} />
            )}
            {said !== undefined ? null : (
              <TimeSeriesPanel
                spec={spec}
                view={view}
                visibility={visibility}
                width={size.width}
                height={height}
                source={samples}
                timeAxis={i === last && (data.sharedAxis === true ? 'shared' : true)}
              />
            )}
          </div>
        ))}
      </Figure>
    );
  }

  return definePlot<N, S>({
    id: plot.id,
    title: plot.title,
    needs,
    order: plot.order,
    height: plot.height,
    options: plot.options,
    table: (data, options, { range, hidden }) => {
      const { panels } = plot.build(sceneOf(data, streamsOf(data.samples), options, getTheme(), plot.height));
      return panelRows(
        panels.map(({ spec }) => spec),
        range,
        { shows: (keys) => !hidden.has(keys.group) && !(keys.facet !== undefined && hidden.has(keys.facet)) },
      );
    },
    Component,
  });
}

/** What is looked back at is drawn before the flows that are there now, and after what lies behind all flows. */
function ghostsBeneath(picture: RunPicture, data: RunPlotData): RunPicture {
  const ghosts = ghostGroups(data);
  if (ghosts.size === 0) return picture;
  const panels = picture.panels.map((panel) => {
    const { series } = panel.spec;
    const isGhost = ({ group }: SeriesSpec): boolean => ghosts.has(group);
    const first = series.findIndex(({ group }) => group.startsWith('flow:'));
    const [behind, flows] = [series.slice(0, first), series.slice(first)];
    const drawn = [...behind, ...flows.filter(isGhost), ...flows.filter((one) => !isGhost(one))];
    return first < 0 ? panel : { ...panel, spec: { ...panel.spec, series: drawn } };
  });
  return { ...picture, panels };
}

const NEVER = (): (() => void) => () => undefined;
const UNLINKED = (): number => 0;

/** The panels on the scales that they share with those of other runs; of a run that goes on they are its own. */
function useLinked(panels: readonly RunPanel[], beside: RunPlotData['beside'], whole: boolean): readonly RunPanel[] {
  const scales = whole ? beside?.scales : undefined;
  const version = useSyncExternalStore(scales?.subscribe ?? NEVER, scales?.getVersion ?? UNLINKED);
  useEffect(
    () =>
      scales?.tell(
        {},
        panels.map(({ spec }) => spec),
      ),
    [scales, panels],
  );
  return useMemo(() => {
    if (beside === undefined) return panels;
    return panels.map((panel) => {
      const { spec } = panel;
      // Read beside those of other runs, what is not a flow's needs the name of its run.
      const series = spec.series.map((one) =>
        one.group.startsWith('flow:') ? one : { ...one, label: `${one.label}, ${beside.label}` },
      );
      return { ...panel, spec: { ...spec, series, y: scales?.axisOf(spec) ?? spec.y } };
    });
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the version stands for what the scales say
  }, [panels, beside, scales, version]);
}

interface PanelHeadingProps {
  readonly text: string;
  readonly keys: readonly LegendItem[];
  readonly said?: string | undefined;
}

const PanelHeading = ({ text, keys, said }: PanelHeadingProps) => (
  <div className={styles['heading']}>
    <p data-figure-text="">{text}</p>
    {said === undefined ? null : <span data-figure-text="">{said}</span>}
    {keys.map((item) => (
      <span key={item.key}>
        <svg
          width={GLYPH_WIDTH}
          height={GLYPH_HEIGHT}
          data-figure-part=""
          aria-hidden="true"
          dangerouslySetInnerHTML={{ __html: glyphMarkup(item) }}
        />
        <span data-figure-text="">{item.label}</span>
      </span>
    ))}
  </div>
);

/** One entry per flow. */
export const flowLegend = (flows: readonly Pick<Flow, 'key' | 'label' | 'look'>[]): LegendItem[] =>
  flows.map(({ key, label, look }) => ({ key, label, colour: look.colour, dash: look.dash }));

/** An entry that stands for a quantity of all flows, in neutral ink. */
export const quantityLegend = (
  facet: string,
  label: string,
  colour: string,
  dash: readonly number[] = [],
): LegendItem => ({
  key: facet,
  label,
  colour,
  dash,
});

/** In what colours the legend shows the quantities of each flow: of a single one in its own. */
export const quantityColour = (flows: readonly Flow[], theme: Theme): string => {
  const [only, ...others] = flows;
  return only === undefined || others.length > 0 ? theme.ink : only.look.colour;
};

/** With many flows lines get thinner, so that they can still be told apart. */
export const lineWidth = (flows: readonly Flow[]): number => (flows.length > 4 ? 1.2 : 1.6);
