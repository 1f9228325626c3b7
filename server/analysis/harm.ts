// Harm (Ware et al., HotNets 2019, as printed in Zeus section 6.4): what a competitor takes from a flow of the baseline CCA.
// x is the baseline's performance alone, y beside the competitor. The bar is the harm that the baseline does to itself.
// Solo run and pair of one repetition share trace phase and seed, so harm is computed repetition by repetition.
import type { Cell } from '#protocol/api';
import { ccaLabel } from '#analysis/cca-label';
import { ccaKey, conditionKey, groupBy, isReference } from '#analysis/results';
import type { DelayBasis } from '#analysis/packet-delay';
import type { Victim } from '#analysis/figures';
import type { CellResult } from '#analysis/results';
import { estimate } from '#analysis/statistics';
import type { Estimate } from '#analysis/statistics';

/** Per cent; negative when the competitor did good. null when there is nothing to lose. */
export function harm(alone: number, beside: number, better: 'more' | 'less'): number | null {
  if (alone === 0) return null;
  return ((better === 'more' ? alone - beside : beside - alone) / alone) * 100;
}

export interface HarmResult {
  readonly cell: Cell;
  readonly label: string;
  /** null: the baseline's solo run or the pair is missing. */
  readonly throughput: Estimate | null;
  readonly delay: Estimate | null;
  /** What the delay is of. */
  readonly delay_basis: DelayBasis;
  /** Not more than the baseline does to itself; null when either is unknown. */
  readonly throughput_safe: boolean | null;
  readonly delay_safe: boolean | null;
}

export interface HarmTable {
  /** One per condition and CCA. */
  readonly results: readonly HarmResult[];
  /** Harm of the baseline to itself, by condition and stack: the kernel’s flows are paired with the kernel’s baseline, ours with ours. */
  readonly bars: ReadonlyMap<string, Pick<HarmResult, 'throughput' | 'delay' | 'delay_basis'>>;
}

function harmBetween(solo: readonly Victim[], pairs: readonly Victim[]) {
  const alone = new Map(solo.map((victim) => [victim.repetition, victim]));
  const both = pairs.flatMap((y) => {
    const x = alone.get(y.repetition);
    return x === undefined ? [] : [{ x, y }];
  });
  // Packets are held against packets, and samples against samples.
  const delayField = both.every(({ x, y }) => x.delay_basis === 'packets' && y.delay_basis === 'packets')
    ? 'delay_ms'
    : 'rtt_ms';
  const values = (field: 'throughput_mbps' | 'delay_ms' | 'rtt_ms', better: 'more' | 'less') =>
    both.flatMap(({ x, y }) =>
      x[field] === null || y[field] === null ? [] : (harm(x[field], y[field], better) ?? []),
    );
  // All of a throughput can be taken, and all of a delay: neither more.
  return {
    throughput: estimate(values('throughput_mbps', 'more'), [-Infinity, 100]),
    delay: estimate(values(delayField, 'less'), [-100, Infinity]),
    delay_basis: delayField === 'delay_ms' ? ('packets' as const) : ('rtt' as const),
  };
}

const within = (value: Estimate | null, bar: Estimate | null): boolean | null =>
  value === null || bar === null ? null : value.mean <= bar.mean;

export function harmTable(results: readonly CellResult[]): HarmTable {
  const competing = results.filter((result) => !isReference(result));
  const bars = new Map<string, ReturnType<typeof harmBetween>>();
  const table: HarmResult[] = [];
  const group = ({ cell, cca }: CellResult): string => `${conditionKey(cell)} ${cca?.kind ?? ''}`;
  for (const [key, members] of groupBy(competing, group)) {
    // The pairs were made with the baseline as it is by default: its solo run must be that, and of a single flow.
    const baseline = members.find((r) => r.cca?.baseline === true && Object.keys(r.cell.cca.params).length === 0);
    const solo = baseline?.figures.victims.solo ?? [];
    const bar = harmBetween(solo, baseline?.figures.victims.self_pair ?? []);
    bars.set(key, bar);
    for (const result of members) {
      const own = baseline !== undefined && ccaKey(result.cell) === ccaKey(baseline.cell);
      const done = own ? bar : harmBetween(solo, result.figures.victims.baseline_pair);
      table.push({
        cell: result.cell,
        label: ccaLabel(result.cell, result.cca),
        ...done,
        throughput_safe: within(done.throughput, bar.throughput),
        delay_safe: within(done.delay, bar.delay),
      });
    }
  }
  return { results: table, bars };
}
