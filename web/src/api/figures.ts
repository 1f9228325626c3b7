// What the server makes of an experiment whose runs are too many for the page: the same figures, table and scores as of few.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { CcaDescriptor } from '#protocol/cca';
import { FiguresPage, ScoreTerms, type CellFiguresRecord } from '#protocol/figures';
import { ccaLabel } from '#analysis/cca-label';
import type { CellBrief } from '#analysis/results';
import { bufferLabel } from '#analysis/limits';
import { isReference } from '#analysis/results';
import type { Estimate } from '#analysis/statistics';
import type { TableRow } from '#analysis/table';
import type { CcaTerms, TermTable } from '#analysis/terms';
import { call } from './client';

const CELLS_A_PAGE = 250;

const pathOf = (id: string): string => `/experiments/${encodeURIComponent(id)}`;

export interface Figures {
  readonly cells: readonly CellFiguresRecord[];
  readonly terms: ScoreTerms;
}

async function readFigures(id: string, signal: AbortSignal): Promise<Figures> {
  const cells: CellFiguresRecord[] = [];
  for (let next: number | null = 0; next !== null;) {
    const path = `${pathOf(id)}/figures?limit=${CELLS_A_PAGE}&after=${next}`;
    const page: FiguresPage = await call(path, FiguresPage, { signal });
    cells.push(...page.cells);
    next = page.next;
  }
  return { cells, terms: await call(`${pathOf(id)}/terms`, ScoreTerms, { signal }) };
}

/** `going`: its runs still end. Once more when the last has. */
export const figuresQuery = (id: string, going: boolean) =>
  queryOptions({
    queryKey: ['experiments', id, 'figures', going],
    queryFn: ({ signal }) => readFigures(id, signal),
    placeholderData: keepPreviousData,
    refetchInterval: going ? 10_000 : false,
  });

/** Without the values of single runs, which would be too many dots. */
const estimateOf = (found: CellFiguresRecord['intra'] | undefined): Estimate | null =>
  found === undefined || found === null ? null : { ...found, values: [] };

const metricsOf = (found: CellFiguresRecord['metrics']) =>
  Object.fromEntries(
    Object.entries(found).map(([id, value]) => [id, estimateOf(value)]),
  ) as unknown as TableRow['metrics'];

function floats(text: string | null): Float64Array | null {
  if (text === null) return null;
  return new Float64Array(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)).buffer);
}

const replicatesOf = (packed: Figures['terms']['ccas'][number]['replicates']): CcaTerms['replicates'] => ({
  throughput: floats(packed.throughput),
  delay: floats(packed.delay),
  intra: floats(packed.intra),
  inter: floats(packed.inter),
});

/** As the page's figures, table and scores want it. */
export function drawnOf(
  { cells, terms }: Figures,
  listing: readonly CcaDescriptor[],
): { readonly results: readonly CellBrief[]; readonly rows: readonly TableRow[]; readonly terms: TermTable } {
  const ccas = new Map(listing.map((cca) => [cca.id, cca]));
  const results = cells.map((found): CellBrief => {
    const { cell, n, metrics, capacity, planned, pending, running, left_out, excluded } = found;
    const figures = { n, metrics: metricsOf(metrics), capacity };
    return { cell, cca: ccas.get(cell.cca.id) ?? null, figures, planned, pending, running, left_out, excluded };
  });
  const rows = results.map((result, i): TableRow => {
    const { cell, cca, figures, planned, pending, excluded } = result;
    const { metrics, n } = figures;
    const found = cells[i];
    return {
      key: cell.key,
      cell,
      cca,
      label: ccaLabel(cell, cca),
      limit: bufferLabel(cell.buffer),
      reference: isReference(result),
      n,
      planned,
      pending,
      excluded,
      metrics,
      intra: estimateOf(found?.intra),
      inter: estimateOf(found?.inter),
      delay_basis: found?.delay_basis ?? null,
      missing_k: found?.missing_k ?? { intra: [], inter: [] },
      scores: (found?.scores ?? null) as TableRow['scores'],
    };
  });
  return {
    results,
    rows,
    terms: {
      ...terms,
      ccas: terms.ccas.map(({ replicates, replicates_traces, cca, ...rest }) => ({
        ...rest,
        cca: ccas.get(cca) ?? null,
        replicates: replicatesOf(replicates),
        replicates_traces: replicatesOf(replicates_traces),
      })),
    },
  };
}
