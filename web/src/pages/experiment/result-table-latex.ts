// The table of results as it stands on the page, for LaTeX: its rows, their order, its groups and columns.
import type { WrittenTable } from '../../charts/save-table';
import type { Grouping } from './grouping';
import { DIMENSION_TEXTS, type AxisColumn, type Column } from './result-columns';
import type { CellText, Line } from './result-lines';

interface Shown {
  readonly lines: readonly Line[];
  readonly units: readonly string[];
  readonly columns: readonly Column[];
  readonly axes: readonly AxisColumn[];
  readonly group: Grouping;
}

/** Blanks that only line numbers up on the page; an interval as papers write it. */
const written = ({ mean, spread, note }: CellText): string =>
  [mean.trim(), spread === '' ? '' : `(${spread.replace(/\s*…\s*/gu, '–')})`, note?.text ?? '']
    .filter((part) => part !== '')
    .join(' ');

export function resultTable({ lines, units, columns, axes, group }: Shown): WrittenTable {
  return {
    columns: [
      'Algorithm',
      'Queue limit',
      ...axes.map(({ label }) => label),
      ...columns.map(({ label }, i) => [label, units[i] ?? ''].filter(Boolean).join(', ')),
      'n',
    ],
    rows: lines.map((line) => {
      const figures = line.texts.map(written);
      if (line.kind === 'row') {
        const { label, limit, n } = line.row;
        return [label, limit, ...axes.map(({ read }) => read(line.row)), ...figures, n];
      }
      const [first] = line.group.rows;
      const title = group === 'none' || first === undefined ? '' : DIMENSION_TEXTS[group](first);
      return [title, '', ...axes.map(() => ''), ...figures, line.n];
    }),
  };
}
