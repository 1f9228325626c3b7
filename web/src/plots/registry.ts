// Every figure registers itself: a file `<what it needs>-foo.plot.tsx` in this folder that exports `plot = definePlot({…})` is all it takes.
// What has the figures of one kind of data (`run-plots.ts` …) finds them by that name, so that a page fetches only its own.
import type { FunctionComponent } from 'react';
import type { z } from 'zod';
import type { OptionsSchema } from './options';
import type {
  ComparisonPlotData,
  DifferencePlotData,
  ExperimentPlotData,
  LivePlotData,
  PacketPlotData,
  RunPlotData,
  StudyPlotData,
  TracePlotData,
} from './data';
import type { Table } from '../charts/types';
import type { Range } from '../charts/time-view';
import type { Theme } from '../theme/theme';

export interface PlotData {
  readonly run: RunPlotData;
  readonly live: LivePlotData;
  readonly packets: PacketPlotData;
  readonly difference: DifferencePlotData;
  readonly experiment: ExperimentPlotData;
  readonly trace: TracePlotData;
  readonly comparison: ComparisonPlotData;
  readonly study: StudyPlotData;
}
export type Need = keyof PlotData;

/** What of the data is on the screen: a CSV holds exactly that. */
export interface Shown {
  readonly range: Range | null;
  readonly hidden: ReadonlySet<string>;
}

export interface PlotProps<N extends Need, O> {
  readonly data: PlotData[N];
  readonly options: O;
  readonly setOptions: (change: Partial<O>) => void;
  /** Room for the figure's body; height is a wish the plot may exceed. */
  readonly size: { readonly width: number; readonly height: number };
  readonly theme: Theme;
}

export interface PlotDefinition<N extends Need = Need, S extends OptionsSchema = OptionsSchema> {
  /** In addresses and file names: stable for ever. */
  readonly id: string;
  readonly title: string;
  readonly needs: N;
  /** Place among the figures of the same page. */
  readonly order: number;
  /** Each key has a default, and a `title` in its metadata; becomes URL parameters and the controls of the figure. */
  readonly options: S;
  /** Usual height of the body, pixels. */
  readonly height: number;
  /** Below the first screens, and of many elements: it is drawn once it comes into sight. */
  readonly whenSeen?: true;
  /** For those who look closer: it is drawn once its title is pressed. */
  readonly whenAsked?: true;
  /** Rows for CSV and screen readers. */
  readonly table: (data: PlotData[N], options: z.output<S>, shown: Shown) => Table;
  /** Absent: it always has something to show of such data. */
  readonly applies?: (data: PlotData[N]) => boolean;
  readonly Component: FunctionComponent<PlotProps<N, z.output<S>>>;
}

/** A plot whose options type is known only to itself: PlotView checks options with its schema before they reach it. */
export type Plot<N extends Need> = PlotDefinition<N>;

export function definePlot<N extends Need, S extends OptionsSchema>(plot: PlotDefinition<N, S>): Plot<N> {
  return plot;
}

export type SomePlot = { [N in Need]: Plot<N> }[Need];
export type PlotModules = Readonly<Record<string, { readonly plot: SomePlot }>>;

/** In their order on the page. */
export const inOrder = (modules: PlotModules): SomePlot[] =>
  Object.values(modules)
    .map((module) => module.plot)
    .sort((a, b) => a.order - b.order || a.id.localeCompare(b.id));

export const plotsOf = <N extends Need>(needs: N, modules: PlotModules): Plot<N>[] =>
  inOrder(modules).filter((plot) => plot.needs === needs) as unknown as Plot<N>[];
