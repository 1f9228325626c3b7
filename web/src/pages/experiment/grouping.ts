// What the address says of the groups in the table of results.
import { DIMENSIONS, type Dimension } from '#analysis/table-groups';

export type Grouping = Dimension | 'none';
export const GROUPINGS = ['none', ...DIMENSIONS] as const satisfies readonly Grouping[];
