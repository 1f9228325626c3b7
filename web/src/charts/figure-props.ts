// The public face of the Figure frame and of a time-series panel.
import type { ReactNode } from 'react';
import type { PanelSpec, Source, Table } from './types';
import type { TimeView } from './time-view';
import type { Visibility } from './visibility';

export interface LegendItem {
  /** Key in the Visibility store. */
  readonly key: string;
  readonly label: string;
  readonly colour: string;
  readonly dash?: readonly number[];
  /** SVG path of the marker around (0, 0) at size 4.5, when the figure shows points. */
  readonly marker?: string;
  readonly hollow?: boolean;
  /** What stands before the label; default: a line, with the marker on it if there is one. */
  readonly glyph?: 'line' | 'swatch' | 'marker' | 'loss' | 'timeout' | 'change' | 'mark' | 'hatch';
  /** Only explains: cannot be hidden. */
  readonly fixed?: boolean;
}

export interface FigureProps {
  /** File name of downloads, without extension. */
  readonly name: string;
  readonly title: string;
  /** Says what is measured, with units and the sampling rule. */
  readonly subtitle?: string;
  readonly legend?: readonly LegendItem[];
  readonly visibility?: Visibility;
  /** Rows of what is shown at the moment of asking. */
  readonly table: () => Table;
  /** Small tables are read out in full; of large ones the panels speak themselves. */
  readonly spoken?: boolean;
  /** Address of exactly this view; default: the page's own. */
  readonly link?: () => string;
  /** Controls at the right of the title. */
  readonly controls?: ReactNode;
  readonly children: ReactNode;
}

export interface TimeSeriesPanelProps {
  readonly spec: PanelSpec;
  readonly view: TimeView;
  readonly visibility: Visibility;
  readonly width: number;
  readonly height: number;
  /** Redraws when it reports growth; absent: the data is complete. */
  readonly source?: Source;
  /** The time axis has numbers; of stacked panels only the last needs them. `shared`: the page has one for all; what is saved has its own. */
  readonly timeAxis?: boolean | 'shared';
}
