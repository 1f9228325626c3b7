// What figures are made from. Plain data: nothing here knows of React, the server or the canvas.

/**
 * One series of samples that may still be growing. `x` never decreases; a NaN in `y` is a gap. The owner replaces the arrays
 * by larger ones when they are full and raises `length`; what was written before never changes.
 */
export interface SeriesData {
  readonly x: Float64Array;
  readonly y: Float32Array;
  readonly length: number;
}

/** Whatever tells that there is more to draw. */
export interface Source {
  readonly subscribe: (listener: () => void) => () => void;
}

export interface SeriesStyle {
  readonly colour: string;
  /** Line width in CSS pixels; default 1.5. */
  readonly width?: number;
  /** Canvas dash pattern; empty: solid. */
  readonly dash?: readonly number[];
  readonly opacity?: number;
  /** Fill of areas and bands; default: the colour at 15 %. */
  readonly fill?: string;
}

interface SeriesBase {
  /** Unique within the panel. */
  readonly id: string;
  readonly label: string;
  /** Unit of the values: `Mbps`, `ms`, `B` … */
  readonly unit: string;
  readonly style: SeriesStyle;
  /** Key under which the legend hides and highlights: several series (and panels) may share one. */
  readonly group: string;
  /** A second key of the same kind: the quantity, when each flow has several (srtt, one-way delay). */
  readonly facet?: string;
  /** Kept out of the y scale: background that must not squeeze the foreground. */
  readonly background?: boolean;
}

/** `step`: a row's value holds over the interval that ends at its x, as telemetry rows do. */
export interface LineSeries extends SeriesBase {
  readonly kind: 'line' | 'step' | 'area' | 'step-area';
  readonly data: SeriesData;
}
/** Filled between two series of the same x. */
export interface BandSeries extends SeriesBase {
  readonly kind: 'band';
  readonly lower: SeriesData;
  readonly upper: SeriesData;
}
/** Values are indices into `states`: a ribbon of named phases, one lane per series. */
export interface RibbonSeries extends SeriesBase {
  readonly kind: 'ribbon';
  readonly data: SeriesData;
  readonly states: readonly string[];
}
/** The time in which a value is not zero, behind everything else; several share the height. `states` name zero and one. */
export interface ShadeSeries extends SeriesBase {
  readonly kind: 'shade';
  readonly data: SeriesData;
  readonly states: readonly string[];
}
export type SeriesSpec = LineSeries | BandSeries | RibbonSeries | ShadeSeries;

/** The values that stand for a series: of a band its upper ones. */
export const dataOf = (series: SeriesSpec): SeriesData => (series.kind === 'band' ? series.upper : series.data);

/** Events at moments: drawn on the time axis. `times` may grow in place. */
export interface MarkSpec {
  readonly id: string;
  readonly label: string;
  readonly shape: 'loss' | 'timeout' | 'start' | 'stop' | 'change' | 'mark';
  readonly colour: string;
  readonly group: string;
  readonly facet?: string;
  readonly times: readonly number[];
}

/** A horizontal line at a fixed value (queue limit, base RTT). */
export interface LimitSpec {
  readonly id: string;
  /** Written at the line; empty: the legend names it. */
  readonly label: string;
  readonly value: number;
  readonly colour: string;
  readonly dash?: readonly number[];
  readonly group?: string;
  /** Always inside the y range, or only when the data comes near (default). */
  readonly pinned?: boolean;
}

export interface YAxisSpec {
  /** What a tick's number becomes: default three significant digits. */
  readonly format?: (value: number) => string;
  /** Default: zero. `auto`: the least value. */
  readonly min?: 'zero' | 'auto';
  /**
   * `log`: from the least value above zero, which stands for zero too; each tick has its own unit, and there is no right axis.
   * `auto`: logarithmic where the data spans more than a decade.
   */
  readonly scale?: 'linear' | 'log' | 'auto';
  /**
   * What lies far beyond all else does not set the scale; a mark at the edge says where the scale is left. `lines`: a few values of a
   * line. `bands`: a band around lines, of which all is in sight.
   */
  readonly cut?: 'lines' | 'bands';
  readonly unit: string;
  /** What the scale takes in, instead of its own panel's values: panels beside one another share it. */
  readonly span?: readonly [number, number];
  /** Second scale at the right, an exact function of the left one. */
  readonly right?: { readonly unit: string; readonly factor: number; readonly format?: (value: number) => string };
}

export interface PanelSpec {
  readonly id: string;
  /** What the panel shows, for people who cannot see it: "throughput of each flow over time". */
  readonly title: string;
  readonly series: readonly SeriesSpec[];
  readonly marks?: readonly MarkSpec[];
  readonly limits?: readonly LimitSpec[];
  readonly y: YAxisSpec;
}

/** Rows behind a figure, for CSV and screen readers. Header cells carry the unit in the name: `delay_ms`. */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: Iterable<readonly (string | number | null)[]>;
}

/** A series' value under the cross-hair. */
export interface CursorReading {
  readonly panel: string;
  readonly series: string;
  readonly label: string;
  readonly unit: string;
  readonly group: string;
  readonly colour: string;
  /** NaN: no value here. For ribbons and shades the index. */
  readonly value: number;
  /** Name of the state, for ribbons and shades. */
  readonly text?: string;
}
