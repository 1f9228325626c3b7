// What all figures of an experiment share: its results by cell, and the look of each CCA with its parameters.
import { seriesOf, type CcaSeries } from '#analysis/cca-series';
import { harmTable, type HarmTable } from '#analysis/harm';
import { resultsOf, type CellBrief, type CellSamples } from '#analysis/results';
import { sharePlanes, type SharePlanes } from '#analysis/share-lines';
import { tableOf, type TableRow } from '#analysis/table';
import { termTable, type TermTable } from '#analysis/terms';
import type { ExperimentRecord } from '#protocol/api';
import type { LegendItem } from '../charts/figure-props';
import type { Theme } from '../theme/theme';
import type { CcaListing, ExperimentPlotData } from './data';

interface Analysis {
  readonly ccas: CcaListing;
  readonly results: readonly CellBrief[];
  /** With all that their runs give; null: the page does not have their runs. */
  readonly whole: readonly CellSamples[] | null;
  readonly harm: HarmTable;
  readonly shares: SharePlanes;
  readonly rows: readonly TableRow[];
  readonly terms: TermTable;
}

const analyses = new WeakMap<ExperimentRecord, Analysis>();

/** The terms are the expensive part: they are made when they are first asked for. */
function analyse(record: ExperimentRecord, ccas: CcaListing): Analysis {
  const results = resultsOf(record, [...ccas.values()]);
  let rows: readonly TableRow[] | null = null;
  let terms: TermTable | null = null;
  let harm: HarmTable | null = null;
  let shares: SharePlanes | null = null;
  return {
    ccas,
    results,
    whole: results,
    get harm() {
      return (harm ??= harmTable(results));
    },
    get shares() {
      return (shares ??= sharePlanes(results));
    },
    get rows() {
      return (rows ??= tableOf(results));
    },
    get terms() {
      return (terms ??= termTable(results));
    },
  };
}

function analysisOf({ record, ccas, figures }: ExperimentPlotData): Analysis {
  if (figures !== undefined) return { ccas, whole: null, harm: harmTable([]), shares: sharePlanes([]), ...figures };
  let analysis = analyses.get(record);
  if (analysis?.ccas !== ccas) {
    analysis = analyse(record, ccas);
    analyses.set(record, analysis);
  }
  return analysis;
}

/** Results by cell: computed once per record, whichever figures ask. */
export const cellResults = (data: ExperimentPlotData): readonly CellBrief[] => analysisOf(data).results;

export const harmOf = (data: ExperimentPlotData): HarmTable => analysisOf(data).harm;

export const sharesOf = (data: ExperimentPlotData): SharePlanes => analysisOf(data).shares;

export const wholeResults = (data: ExperimentPlotData): readonly CellSamples[] | null => analysisOf(data).whole;

export const tableRows = (data: ExperimentPlotData): readonly TableRow[] => analysisOf(data).rows;

/** Terms of the scores with their replicates: not made again while weights are dragged. */
export const scoreTerms = (data: ExperimentPlotData): TermTable => analysisOf(data).terms;

export { groupOf, limitUnit, shortLimit, type CcaSeries } from '#analysis/cca-series';

/** In the order of the experiment. */
export const ccaSeries = (
  { record, ccas }: Pick<ExperimentPlotData, 'record' | 'ccas'>,
  theme: Theme,
): Map<string, CcaSeries> => seriesOf(record.cells, ccas, theme);

export const markerLegend = (series: Iterable<CcaSeries>): LegendItem[] =>
  [...series].map(({ group, label, look }) => ({
    key: group,
    label,
    colour: look.colour,
    marker: look.path(4.6),
    hollow: look.hollow,
    glyph: 'marker',
  }));
