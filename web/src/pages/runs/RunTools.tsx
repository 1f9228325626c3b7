// Above the table of runs: groups, columns, and what a query can name.
import { RUN_FIELD, RUN_FIELDS } from '#analysis/run-fields';
import type { RunTable } from '#protocol/run-table';
import { Select } from '../../ui/choice';
import { Checkbox } from '../../ui/toggle';
import { plural } from '../../ui/format';
import { RUN_COLUMNS, titleOf } from './columns';
import css from './runs.module.css';

const GROUPINGS: readonly (readonly string[])[] = [
  [],
  ['cca'],
  ['cca', 'buffer'],
  ['cca', 'trace'],
  ['trace'],
  ['cca', 'rtt0'],
  ['state'],
  ['version'],
];
const groupLabel = (fields: readonly string[]): string =>
  fields.length === 0 ? 'nothing' : fields.map((id) => RUN_FIELD.get(id)?.label ?? id).join(' and ');

interface RunToolsProps {
  readonly group: readonly string[];
  readonly columns: readonly string[];
  /** undefined: not known yet. */
  readonly found: RunTable | undefined;
  readonly onChange: (change: { group?: string[]; columns?: string[] }, options?: { replace?: boolean }) => void;
}

export function RunTools({ group, columns, found, onChange }: RunToolsProps) {
  const groupings = GROUPINGS.some((one) => one.join() === group.join()) ? GROUPINGS : [...GROUPINGS, group];
  const setColumn = (id: string, on: boolean): void => {
    const next = RUN_COLUMNS.filter((field) => (field.id === id ? on : columns.includes(field.id)));
    onChange({ columns: next.map((field) => field.id) }, { replace: true });
  };
  return (
    <div className={css['tools']}>
      <div className={css['groupBy']}>
        <Select
          label="Group by"
          value={group.join()}
          options={groupings.map((fields) => ({ id: fields.join(), label: groupLabel(fields) }))}
          onChange={(fields) => onChange({ group: fields === '' ? [] : fields.split(',') })}
        />
      </div>
      <details>
        <summary>Columns</summary>
        <div>
          {RUN_COLUMNS.map((field) => (
            <Checkbox key={field.id} isSelected={columns.includes(field.id)} onChange={(on) => setColumn(field.id, on)}>
              {titleOf(field)}
            </Checkbox>
          ))}
        </div>
      </details>
      <details>
        <summary>What can be asked</summary>
        <dl className={css['fields']}>
          {RUN_FIELDS.map(({ id, means, example }) => (
            <div key={id}>
              <dt>
                <code>{example}</code>
              </dt>
              <dd>{means}</dd>
            </div>
          ))}
        </dl>
      </details>
      <output>
        {/* Here it moves nothing when it goes: what is below may be about to be pressed. */}
        {found === undefined || found.pending === 0 ? null : (
          <>
            <span>Still reading {plural(found.pending, 'run')}</span>
            {' · '}
          </>
        )}
        {found === undefined ? '' : plural(found.total, 'run')}
        {found === undefined || found.groups === null ? '' : ` in ${plural(found.groups.length, 'group')}`}
      </output>
    </div>
  );
}
