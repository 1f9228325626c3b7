// Names of small multiples: the trace, and whatever else differs between them.
import { TRANSPORT_NAMES } from '#analysis/cca-label';
import { sweepName } from '#analysis/sweep-name';
import type { Cell } from '#protocol/api';
import { UNIT_SPACE, formatChosen } from '#analysis/format';

type Link = Pick<Cell, 'trace_name' | 'queue' | 'transport' | 'base_rtt_ms' | 'loss' | 'sweep'>;

export function facetTitle(cell: Link, all: readonly Link[]): string {
  const differs = (read: (link: Link) => string | number): boolean => new Set(all.map(read)).size > 1;
  return [
    cell.trace_name,
    ...(differs((link) => link.base_rtt_ms) ? [`${formatChosen(cell.base_rtt_ms)}${UNIT_SPACE}ms`] : []),
    ...(differs((link) => JSON.stringify(link.queue)) ? [cell.queue.id] : []),
    ...(cell.transport !== undefined && differs(({ transport }) => transport ?? '')
      ? [TRANSPORT_NAMES[cell.transport]]
      : []),
    ...(differs((link) => link.loss) ? [`${formatChosen(cell.loss * 100)}${UNIT_SPACE}% loss`] : []),
    ...(cell.sweep !== undefined && differs(({ sweep }) => String(sweep?.value))
      ? [`${sweepName(cell.sweep.path)} ${cell.sweep.value}`]
      : []),
  ].join(' · ');
}
