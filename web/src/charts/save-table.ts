// A table of the page as a file, for LaTeX or as CSV.
import { latexTable, type LatexCell } from '#analysis/latex-table';
import { pathOf } from '../ui/place';
import { toCsv } from './csv';
import { download } from './download';
import { publicAddress } from './provenance';
import type { Table } from './types';

export interface WrittenTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly LatexCell[])[];
}

function fileOf(name: string): string {
  const [, id = 'paceline'] = /^\/[a-z]+\/([a-z0-9]+)$/.exec(pathOf(window.location.pathname)) ?? [];
  return `${id}-${name}`;
}

export const saveCsv = (name: string, table: Table): void =>
  download(`${fileOf(name)}.csv`, new Blob([toCsv(table)], { type: 'text/csv' }));

export function saveTable(name: string, caption: string, table: WrittenTable): void {
  const file = fileOf(name);
  const comments = [publicAddress(window.location.href)];
  const text = latexTable({ ...table, caption, label: `tab:${file}`, comments });
  download(`${file}.tex`, new Blob([text], { type: 'application/x-tex' }));
}
