// The course of a run as bars: from when something happened to when it was over.
import { dynamicsOf, type RunDynamics } from '#analysis/run-dynamics';
import type { Box } from '#analysis/rolling-jain';
import { FORWARD_LINK_STREAM } from '#protocol/columns';
import { formatDuration, formatPercent } from '../ui/format';
import type { RunPlotData, RunSamples } from './data';
import type { Flow } from './flows';
import type { Table } from '../charts/types';
import type { Shown } from './registry';
import { columnsIn } from './run-columns';

export interface Bar {
  readonly what: 'converges' | 'recovers' | 'settles';
  /** Key in the Visibility store. */
  readonly group: string;
  readonly label: string;
  /** When it happened, and how long it took; null: it was not over when it could no longer be. */
  readonly at_s: number;
  readonly after_s: number | null;
  /** In words. */
  readonly said: string;
}

const known = new WeakMap<RunSamples, RunDynamics>();

/** Of a run that is over; null: it goes on, or several are laid over one another. */
export function courseOf({ samples, manifest, overlays }: RunPlotData): RunDynamics | null {
  if (!samples.complete || overlays !== undefined || samples.streams.get(FORWARD_LINK_STREAM) === undefined)
    return null;
  const before = known.get(samples);
  if (before !== undefined) return before;
  const found = dynamicsOf(manifest, columnsIn(samples));
  known.set(samples, found);
  return found;
}

const nameOf = (flows: readonly Flow[], index: number): string => flows[index]?.label ?? `flow ${index + 1}`;

const listOf = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;

export function barsOf(
  { convergence, recovery, settling }: RunDynamics,
  flows: readonly Flow[],
  starts: readonly number[],
): Bar[] {
  return [
    ...convergence.map(({ flow, final_share, to_final_s }): Bar => ({
      what: 'converges',
      group: flows[flow]?.key ?? `flow:${flow}`,
      label: nameOf(flows, flow),
      at_s: starts[flow] ?? 0,
      after_s: to_final_s,
      said: `to ${formatPercent(final_share)} of the link`,
    })),
    ...settling.map(({ at_s, joined, left, running, settled_after_s }): Bar => ({
      what: 'settles',
      group: 'changes',
      label: listOf([
        ...(joined.length === 0 ? [] : [`${listOf(joined.map((flow) => nameOf(flows, flow)))} joins`]),
        ...(left.length === 0 ? [] : [`${listOf(left.map((flow) => nameOf(flows, flow)))} leaves`]),
      ]),
      at_s,
      after_s: settled_after_s,
      said: running > 1 ? 'to equal shares' : 'to 80 % of the link',
    })),
    ...recovery.map(({ kind, from_s, back_s, recovered_after_s }): Bar => ({
      what: 'recovers',
      group: 'link',
      label: kind === 'outage' ? 'outage' : 'drop',
      at_s: back_s ?? from_s,
      after_s: recovered_after_s,
      said:
        back_s === null
          ? 'to 80 % of what is left'
          : kind === 'outage'
            ? `to 80 %, after ${formatDuration(back_s - from_s)} of outage`
            : `to 80 %, after ${formatDuration(back_s - from_s)} of drop`,
    })),
  ];
}

/** Bars that begin in the range, and boxes, which are of all of the run. */
export function tableOf(bars: readonly Bar[], course: RunDynamics | null, { range, hidden }: Shown): Table {
  const [from, to] = range ?? [-Infinity, Infinity];
  const boxes = range === null ? (course?.jain ?? []) : [];
  const boxRow = (k: number, of: string, box: Box | null): (string | number | null)[][] =>
    box === null
      ? []
      : [
          [
            null,
            `Jain’s index of ${of}`,
            `${k} base RTTs`,
            null,
            box.mean,
            box.least,
            box.p25,
            box.p50,
            box.p75,
            box.most,
            box.n,
          ],
        ];
  return {
    columns: ['time_s', 'series', 'what', 'after_s', 'mean', 'least', 'p25', 'p50', 'p75', 'most', 'windows'],
    rows: [
      ...bars
        .filter(({ at_s, group }) => at_s >= from && at_s <= to && !hidden.has(group))
        .map(({ at_s, label, what, after_s }) => [
          at_s,
          label,
          what,
          after_s,
          null,
          null,
          null,
          null,
          null,
          null,
          null,
        ]),
      ...boxes.flatMap(({ k, throughput, rtt }) => [
        ...(hidden.has('jain:throughput') ? [] : boxRow(k, 'throughput', throughput)),
        ...(hidden.has('jain:rtt') ? [] : boxRow(k, 'RTT', rtt)),
      ]),
    ],
  };
}
