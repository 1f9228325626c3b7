// Above the table of results: which rows, grouped by what, and which columns.
import { DIMENSIONS, type Dimension } from '#analysis/table-groups';
import { LatexButton } from '../../charts/LatexButton';
import type { WrittenTable } from '../../charts/save-table';
import { Button } from '../../ui/button';
import { Select } from '../../ui/choice';
import { TextField } from '../../ui/text-field';
import { Checkbox } from '../../ui/toggle';
import { formatCount, plural } from '../../ui/format';
import type { Grouping } from './grouping';
import { DIMENSION_LABELS, type Column } from './result-columns';
import css from './experiment.module.css';

interface TableToolsProps {
  readonly find: string;
  readonly onFind: (find: string) => void;
  readonly group: Grouping;
  /** More than one group each. */
  readonly dimensions: readonly Dimension[];
  readonly onGroup: (group: Grouping) => void;
  /** null: there are no groups. */
  readonly allClosed: boolean | null;
  readonly onCloseAll: (closed: boolean) => void;
  readonly offered: readonly Column[];
  readonly without: readonly string[];
  readonly onWithout: (columns: readonly string[]) => void;
  readonly found: number;
  readonly rows: number;
  /** What is shown, for LaTeX. */
  readonly written: () => Promise<WrittenTable>;
}

export function TableTools(props: TableToolsProps) {
  const { find, group, dimensions, allClosed, offered, without, onWithout, found, rows } = props;
  const choices = DIMENSIONS.filter((dimension) => dimension === group || dimensions.includes(dimension));
  return (
    <div className={css['tableTools']}>
      <TextField label="Show rows with" value={find} onChange={props.onFind} />
      {choices.length === 0 ? null : (
        <div className={css['groupBy']}>
          <Select
            label="Group by"
            value={group}
            options={[
              { id: 'none', label: 'nothing' },
              ...choices.map((id) => ({ id, label: DIMENSION_LABELS[id].toLowerCase().replace('rtt', 'RTT') })),
            ]}
            onChange={props.onGroup}
          />
        </div>
      )}
      {allClosed === null ? null : (
        <Button size="small" onPress={() => props.onCloseAll(!allClosed)}>
          {allClosed ? 'Open all' : 'Close all'}
        </Button>
      )}
      <details>
        <summary>Columns</summary>
        <div>
          {offered.map(({ id, label }) => (
            <Checkbox
              key={id}
              isSelected={!without.includes(id)}
              onChange={(on) => onWithout(on ? without.filter((other) => other !== id) : [...without, id])}
            >
              {label}
            </Checkbox>
          ))}
        </div>
      </details>
      <LatexButton
        name="results"
        caption="Means over repetitions with 95 % intervals, where there are three and more."
        table={props.written}
      />
      <output>{found === rows ? plural(rows, 'row') : `${formatCount(found)} of ${plural(rows, 'row')}`}</output>
    </div>
  );
}
