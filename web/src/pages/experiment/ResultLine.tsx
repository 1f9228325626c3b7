// A line of the table of results: a cell of the matrix, or the group that the cells below it are of.
import type { TableRow } from '#analysis/table';
import type { CcaDescriptor } from '#protocol/cca';
import { CcaMark } from '../../ui/cca-mark';
import { cx } from '../../ui/cx';
import { plural } from '../../ui/format';
import { Icon } from '../../ui/icons';
import { Badge } from '../../ui/page';
import type { Grouping } from './grouping';
import { type AxisColumn, DIMENSION_TEXTS } from './result-columns';
import type { CellText, Line } from './result-lines';
import page from '../../ui/page.module.css';
import css from './experiment.module.css';

interface Where {
  /** Among all lines, from 0. */
  readonly place: number;
  /** Lines are higher where they are narrow. */
  readonly measure: ((line: HTMLTableRowElement | null) => void) | null;
}

interface ResultLineProps extends Where {
  readonly line: Line;
  readonly group: Grouping;
  readonly axes: readonly AxisColumn[];
  /** Keys of groups. */
  readonly closed: ReadonlySet<string>;
  /** Keys of cells. */
  readonly selected: ReadonlySet<string>;
  /** Of a group: it is opened or closed. */
  readonly onToggle: (key: string) => void;
  /** Of a cell: it is selected, or no longer. */
  readonly onSelect: (key: string) => void;
}

export function ResultLine({ line, group, axes, closed, selected, onToggle, onSelect, ...where }: ResultLineProps) {
  if (line.kind === 'group') {
    const { key } = line.group;
    const first = line.group.rows[0];
    return (
      <GroupLine
        {...where}
        line={line}
        title={group === 'none' || first === undefined ? '' : DIMENSION_TEXTS[group](first)}
        cca={group === 'cca' ? (first?.cca ?? null) : null}
        axes={axes.length}
        open={!closed.has(key)}
        onToggle={() => onToggle(key)}
      />
    );
  }
  const { row, texts } = line;
  return (
    <RowLine
      {...where}
      row={row}
      axes={axes.map((column) => column.read(row))}
      texts={texts}
      selected={selected.has(row.key)}
      onToggle={() => onSelect(row.key)}
    />
  );
}

interface RowLineProps extends Where {
  readonly row: TableRow;
  readonly axes: readonly string[];
  readonly texts: readonly CellText[];
  readonly selected: boolean;
  readonly onToggle: () => void;
}

function RowLine({ place, measure, row, axes, texts, selected, onToggle }: RowLineProps) {
  return (
    <tr
      className={css['rowMain']}
      aria-rowindex={place + 2}
      ref={measure}
      data-index={place}
      onClick={onToggle}
      {...(selected ? { 'data-selected': '' } : {})}
    >
      <th scope="row">
        <button
          type="button"
          className={css['expand']}
          aria-pressed={selected}
          aria-label={`Select ${row.label}, ${row.limit}${axes.map((text) => `, ${text}`).join('')}`}
          onClick={(event) => {
            event.stopPropagation();
            onToggle();
          }}
        >
          <CcaMark cca={row.cca ?? undefined} />
          {row.label}
          {row.reference ? <Badge>reference</Badge> : null}
        </button>
        {axes.length === 0 ? null : <div className={css['axes']}>{axes.join(' · ')}</div>}
      </th>
      <td className={page['num']}>{row.limit}</td>
      {axes.map((text, i) => (
        <td key={String(i) + text} className={css['axis']}>
          {text}
        </td>
      ))}
      <Numbers texts={texts} />
      <td className={page['num']}>
        {row.excluded.length === 0 && row.n === row.planned ? (
          row.n
        ) : (
          <span
            className={cx(row.n < row.planned && row.pending === 0 && css['unmeasured'])}
            title={row.excluded.map((run) => `repetition ${run.repetition + 1}: ${run.reason}`).join('\n')}
          >
            <Runs n={row.n} planned={row.planned} />
          </span>
        )}
      </td>
    </tr>
  );
}

interface GroupLineProps extends Where {
  readonly line: Extract<Line, { kind: 'group' }>;
  readonly title: string;
  /** Whose mark the title has. */
  readonly cca: CcaDescriptor | null;
  /** How many columns of axes there are. */
  readonly axes: number;
  readonly open: boolean;
  readonly onToggle: () => void;
}

function GroupLine({ place, measure, line, title, cca, axes, open, onToggle }: GroupLineProps) {
  return (
    <tr className={css['group']} aria-rowindex={place + 2} ref={measure} data-index={place} onClick={onToggle}>
      <th scope="row">
        <button
          type="button"
          className={css['expand']}
          aria-expanded={open}
          onClick={(event) => {
            event.stopPropagation();
            onToggle();
          }}
        >
          <span className={css['chevron']}>
            <Icon name="down" size={12} />
          </span>
          {cca === null ? null : <CcaMark cca={cca} />}
          <span>
            {title} <small>{plural(line.group.rows.length, 'cell')}</small>
          </span>
        </button>
      </th>
      {/* A mean of limits or of axes means nothing. */}
      <td />
      {Array.from({ length: axes }, (_, i) => (
        <td key={i} className={css['axis']} />
      ))}
      <Numbers texts={line.texts} />
      <td className={page['num']}>
        <Runs n={line.n} planned={line.planned} />
      </td>
    </tr>
  );
}

const Numbers = ({ texts }: { readonly texts: readonly CellText[] }) =>
  texts.map(({ mean, spread, note }, i) => (
    <td key={String(i)} className={page['num']}>
      {mean}
      {spread === '' ? null : (
        <>
          {' '}
          <span className={css['pm']}>{spread}</span>
        </>
      )}
      {note === null ? null : (
        <>
          {' '}
          <span className={css['standsOn']} title={note.title}>
            {note.text}
          </span>
        </>
      )}
    </td>
  ));

/** How many repetitions are behind the means. */
const Runs = ({ n, planned }: { readonly n: number; readonly planned: number }) =>
  n === planned ? n : `${n} of ${planned}`;
