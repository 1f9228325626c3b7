// The columns of the table of runs, from the fields that there are.
import { RUN_FIELDS, type RunField } from '#analysis/run-fields';
import type { RunTableRow } from '#protocol/run-table';
import { formatMeasured } from '../../ui/format';

/** Not told in columns: they are said of few, or are the row itself. */
const WITHOUT = new Set(['cca', 'id', 'archived', 'starred', 'since', 'before']);

export const RUN_COLUMNS: readonly RunField[] = RUN_FIELDS.filter(({ id }) => !WITHOUT.has(id));
export const USUAL_COLUMNS: readonly string[] = RUN_COLUMNS.filter(({ usual }) => usual === true).map(({ id }) => id);

export const isNumber = ({ kind }: RunField): boolean => kind === 'number';

/** Above a column. */
export const titleOf = ({ label, unit }: RunField): string => {
  const title = label.charAt(0).toUpperCase() + label.slice(1);
  return unit === '' ? title : `${title}, ${unit}`;
};

export const figureText = (value: number | null | undefined): string =>
  value === null || value === undefined ? '–' : formatMeasured(value);

const LIMITS: readonly (readonly [RegExp, string])[] = [
  [/^inf$/, '∞'],
  [/^([\d.e+-]+)bdp(.*)$/, '$1 BDP$2'],
  [/^([\d.e+-]+)(pkts|b|ms)$/, '$1 $2'],
];

/** A queue limit as people write it: `5bdp` is 5 BDP. */
export const limitText = (word: string): string => {
  const [from, to] = LIMITS.find(([pattern]) => pattern.test(word)) ?? [/^$/, ''];
  return word.replace(from, to).replace(/ b$/, ' B');
};

export function cellText(field: RunField, row: RunTableRow): string {
  if (field.metric !== undefined) return figureText(row.figures[field.id]);
  switch (field.id) {
    case 'buffer':
      return limitText(row.buffer);
    case 'tag':
      return row.tags.join(', ');
    case 'experiment':
      return row.experiment.name;
    case 'rep':
      return String(row.rep + 1);
    default: {
      const value = (row as unknown as Readonly<Record<string, unknown>>)[field.id];
      return typeof value === 'number'
        ? formatMeasured(value)
        : typeof value === 'string'
          ? value.replace('_', ' ')
          : '–';
    }
  }
}
