// Figures of several samples beside one another: each column in one unit, its numbers written so that they line up.
import type { RunRecord } from '#protocol/api';
import { alignDecimals, columnFormat, NO_VALUE, type Quantity } from '../../ui/format';

interface Column {
  readonly title: string;
  readonly quantity: Quantity;
  readonly value: (run: Pick<RunRecord, 'summary'>) => number | null | undefined;
}

const linkOf = ({ summary }: Pick<RunRecord, 'summary'>) =>
  summary?.links.find(({ direction }) => direction === 'forward');

const COLUMNS: readonly Column[] = [
  { title: 'Utilisation', quantity: 'share', value: (run) => linkOf(run)?.utilisation },
  { title: 'Queueing, mean', quantity: 'delay_ms', value: (run) => linkOf(run)?.queueing_delay.mean_ms },
  { title: 'Queueing, p95', quantity: 'delay_ms', value: (run) => linkOf(run)?.queueing_delay.p95_ms },
  {
    title: 'Dropped',
    quantity: 'share',
    value: (run) => {
      const link = linkOf(run);
      return link === undefined ? null : link.dropped_packets / Math.max(1, link.arrived_packets);
    },
  },
  { title: 'RTT, mean', quantity: 'delay_ms', value: ({ summary }) => summary?.senders[0]?.rtt.mean_ms },
];

export interface WrittenColumn {
  readonly title: string;
  readonly unit: string;
  /** Of each run. */
  readonly texts: readonly string[];
}

export const sampleColumns = (runs: readonly Pick<RunRecord, 'summary'>[]): WrittenColumn[] =>
  COLUMNS.map(({ title, quantity, value }) => {
    const values = runs.map((run) => value(run) ?? null);
    const { unit, write } = columnFormat(
      values.filter((one) => one !== null),
      quantity,
    );
    return { title, unit, texts: alignDecimals(values.map((one) => (one === null ? NO_VALUE : write(one)))) };
  });
