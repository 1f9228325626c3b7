// A table of the page as a file for LaTeX.
import { latexTable, type LatexCell } from '#analysis/latex-table';
import { download } from './download';
import { publicAddress } from './provenance';

export interface WrittenTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly LatexCell[])[];
}

export function saveTable(name: string, caption: string, table: WrittenTable): void {
  const [, id = 'paceline'] = /^\/[a-z]+\/([a-z0-9]+)$/.exec(window.location.pathname) ?? [];
  const file = `${id}-${name}`;
  const comments = [publicAddress(window.location.href)];
  const text = latexTable({ ...table, caption, label: `tab:${file}`, comments });
  download(`${file}.tex`, new Blob([text], { type: 'application/x-tex' }));
}
