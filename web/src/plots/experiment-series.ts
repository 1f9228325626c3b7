// What all figures of an experiment share: its results by cell, and the look of each CCA with its parameters.
import { ccaLabel } from '#analysis/cca-label';
import { queueLabel } from '#analysis/queue-label';
import { ccaKey, resultsOf, type CellBrief } from '#analysis/results';
import { tableOf, type TableRow } from '#analysis/table';
import { termTable, type TermTable } from '#analysis/terms';
import type { Cell, ExperimentRecord } from '#protocol/api';
import type { CcaDescriptor } from '#protocol/cca';
import type { BufferSpec } from '#protocol/spec';
import { identity, UNKNOWN_IDENTITY, type Identity } from '../charts/identity';
import type { LegendItem } from '../charts/figure-props';
import type { Theme } from '../theme/theme';
import type { CcaListing, ExperimentPlotData } from './data';

interface Analysis {
  readonly ccas: CcaListing;
  readonly results: readonly CellBrief[];
  readonly rows: readonly TableRow[];
  readonly terms: TermTable;
}

const analyses = new WeakMap<ExperimentRecord, Analysis>();

/** The terms are the expensive part: they are made when they are first asked for. */
function analyse(record: ExperimentRecord, ccas: CcaListing): Analysis {
  const results = resultsOf(record, [...ccas.values()]);
  let rows: readonly TableRow[] | null = null;
  let terms: TermTable | null = null;
  return {
    ccas,
    results,
    get rows() {
      return (rows ??= tableOf(results));
    },
    get terms() {
      return (terms ??= termTable(results));
    },
  };
}

function analysisOf({ record, ccas, figures }: ExperimentPlotData): Analysis {
  if (figures !== undefined) return { ccas, ...figures };
  let analysis = analyses.get(record);
  if (analysis?.ccas !== ccas) {
    analysis = analyse(record, ccas);
    analyses.set(record, analysis);
  }
  return analysis;
}

/** Results by cell: computed once per record, whichever figures ask. */
export const cellResults = (data: ExperimentPlotData): readonly CellBrief[] => analysisOf(data).results;

export const tableRows = (data: ExperimentPlotData): readonly TableRow[] => analysisOf(data).rows;

/** Terms of the scores with their replicates: not made again while weights are dragged. */
export const scoreTerms = (data: ExperimentPlotData): TermTable => analysisOf(data).terms;

/** A CCA with its parameters, as one series of the experiment's figures. */
export interface CcaSeries {
  /** As #analysis/results calls it. */
  readonly key: string;
  readonly group: string;
  readonly label: string;
  readonly cca: CcaDescriptor | null;
  readonly look: Identity;
}

/** Key of a CCA with its parameters in the Visibility store and in addresses: without commas. */
export const groupOf = ({ cca }: Pick<Cell, 'cca'>): string =>
  [
    'cca',
    cca.id,
    ...Object.entries(cca.params).map(([name, value]) => `${name}=${value}`),
    ...(cca.queue === undefined ? [] : [`queue=${queueLabel(cca.queue)}`]),
    ...(cca.transport === undefined ? [] : [`transport=${cca.transport}`]),
  ]
    .join(':')
    .replaceAll(',', ';');

/** In the order of the experiment; the same CCA with other parameters is told apart as flows of one CCA are. */
export function ccaSeries({ record, ccas }: ExperimentPlotData, theme: Theme): Map<string, CcaSeries> {
  const series = new Map<string, CcaSeries>();
  const seen = new Map<string, number>();
  for (const cell of record.cells) {
    const key = ccaKey(cell);
    if (series.has(key)) continue;
    const cca = ccas.get(cell.cca.id) ?? null;
    const nth = seen.get(cell.cca.id) ?? 0;
    seen.set(cell.cca.id, nth + 1);
    const look = identity(cca ?? UNKNOWN_IDENTITY, theme, nth);
    series.set(key, { key, group: groupOf(cell), label: ccaLabel(cell, cca), cca, look });
  }
  return series;
}

export const markerLegend = (series: Iterable<CcaSeries>): LegendItem[] =>
  [...series].map(({ group, label, look }) => ({
    key: group,
    label,
    colour: look.colour,
    marker: look.path(4.6),
    hollow: look.hollow,
    glyph: 'marker',
  }));

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });

/** A queue limit as it fits into a point; what the number counts is said beside the figure. */
export function shortLimit(buffer: BufferSpec): string {
  if ('infinite' in buffer) return '∞';
  if ('bdp' in buffer) return compact.format(buffer.bdp);
  if ('packets' in buffer) return compact.format(buffer.packets);
  if ('bytes' in buffer) return compact.format(buffer.bytes);
  return compact.format(buffer.ms);
}

/** What the numbers in the points count: “BDP”, “packets or ms”. */
export function limitUnit(cells: readonly Pick<Cell, 'buffer'>[]): string {
  const units = new Set(
    cells.flatMap(({ buffer }) =>
      'infinite' in buffer
        ? []
        : 'bdp' in buffer
          ? ['BDP']
          : 'packets' in buffer
            ? ['packets']
            : 'bytes' in buffer
              ? ['bytes']
              : ['ms'],
    ),
  );
  return [...units].join(' or ');
}
