// Runs that are alike, and what they come to: a press shows the runs of a group.
import type { RunField } from '#analysis/run-fields';
import type { CcaDescriptor } from '#protocol/cca';
import type { RunTableGroup } from '#protocol/run-table';
import { CcaMark } from '../../ui/cca-mark';
import { cx } from '../../ui/cx';
import { formatCount, formatMeasured } from '../../ui/format';
import { WideTable } from '../../ui/scroll';
import { figureText, limitText, titleOf } from './columns';
import page from '../../ui/page.module.css';
import css from './runs.module.css';

interface GroupsTableProps {
  readonly groups: readonly RunTableGroup[];
  readonly by: readonly RunField[];
  readonly figures: readonly RunField[];
  readonly ccas: ReadonlyMap<string, CcaDescriptor>;
  readonly onOpen: (query: string) => void;
}

export function GroupsTable({ groups, by, figures, ccas, onOpen }: GroupsTableProps) {
  return (
    <WideTable label="Groups of runs" className={page['tall']}>
      <table className={cx(page['table'], css['runs'])}>
        <thead>
          <tr>
            {by.map((field) => (
              <th key={field.id} scope="col">
                {titleOf(field)}
              </th>
            ))}
            <th scope="col" className={page['num']}>
              Runs
            </th>
            {figures.map((field) => (
              <th key={field.id} scope="col" className={page['num']}>
                {titleOf(field)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => (
            <tr key={group.query}>
              {by.map((field, i) => {
                const value = group.values[field.id] ?? '';
                const ids = field.id === 'cca' ? String(value).split(' ') : [];
                const shown =
                  field.id === 'cca'
                    ? ids.map((id) => ccas.get(id)?.label ?? id).join(' + ')
                    : field.id === 'buffer'
                      ? limitText(String(value))
                      : typeof value === 'number'
                        ? formatMeasured(value)
                        : value;
                const Cell = i === 0 ? 'th' : 'td';
                return (
                  <Cell key={field.id} {...(i === 0 && { scope: 'row' })}>
                    <span className={css['name']}>
                      {ids.map((id, flow) => (
                        <CcaMark key={`${id} ${flow}`} cca={ccas.get(id)} size={12} />
                      ))}
                      {i === 0 ? (
                        <button type="button" className={css['open']} onClick={() => onOpen(group.query)}>
                          {shown}
                        </button>
                      ) : (
                        shown
                      )}
                    </span>
                  </Cell>
                );
              })}
              <td className={page['num']}>{formatCount(group.runs)}</td>
              {figures.map(({ id }) => {
                const figure = group.figures[id];
                return (
                  <td key={id} className={page['num']}>
                    {figureText(figure?.mean)}
                    {figure?.low === null || figure?.low === undefined ? null : (
                      <small className={css['interval']}>
                        {figureText(figure.low)}–{figureText(figure.high)}
                      </small>
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  );
}
