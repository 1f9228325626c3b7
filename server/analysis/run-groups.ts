// Runs that are alike in a few fields, as one line of the table: whoever found them, in SQL or among rows at hand.
import { METRICS } from '#analysis/metrics';
import { FIGURE_FIELDS, type RunField } from '#analysis/run-fields';
import { queryValue } from '#analysis/run-query';
import { FEWEST_FOR_INTERVAL, intervalAround } from '#analysis/statistics';
import type { RunTableGroup } from '#protocol/run-table';

/** More lines nobody reads. */
export const MOST_GROUPS = 1000;

/** Of the runs of a group that have a figure. */
export interface FigureSums {
  readonly n: number;
  /** null: of none. */
  readonly mean: number | null;
  readonly squares: number | null;
}
export interface AlikeRuns {
  /** What they share, by field; of several CCAs with a blank at both ends, as the store has them. */
  readonly keys: readonly (string | number)[];
  readonly runs: number;
  readonly sums: readonly FigureSums[];
}

/** The figures that groups have means of. */
export const groupFigures = (asked: readonly string[] | undefined): readonly RunField[] =>
  FIGURE_FIELDS.filter(({ id, usual }) => asked?.includes(id) ?? usual === true);

function figureOf({ n, mean, squares }: FigureSums, { metric }: RunField): RunTableGroup['figures'][string] {
  if (n === 0 || mean === null || squares === null || metric === undefined) return null;
  if (n < FEWEST_FOR_INTERVAL) return { n, mean, low: null, high: null };
  const variance = Math.max(0, squares - n * mean * mean) / (n - 1);
  const range = METRICS[metric].range({ base_rtt_ms: 0 });
  const { low, high } = intervalAround(mean, Math.sqrt(variance / n), n - 1, range);
  return { n, mean, low, high };
}

const NONE: FigureSums = { n: 0, mean: null, squares: null };

/** What tells a group's runs from others, in the language of queries, and what they come to. */
export function groupOf(
  { keys, runs, sums }: AlikeRuns,
  fields: readonly RunField[],
  figures: readonly RunField[],
  q: string,
): RunTableGroup {
  const values = fields.map(({ id }, i): [string, string | number] => {
    const value = keys[i] ?? '';
    return [id, typeof value === 'string' ? value.trim() : value];
  });
  const terms = values.map(([id, value]) => `${id}=${queryValue(String(value))}`);
  return {
    values: Object.fromEntries(values),
    query: [q.trim(), ...terms].filter((part) => part !== '').join(' '),
    runs,
    figures: Object.fromEntries(figures.map((field, i) => [field.id, figureOf(sums[i] ?? NONE, field)])),
  };
}
