// Harm (Ware et al., HotNets 2019, as printed in Zeus section 6.4): what a competitor takes from a flow of the baseline CCA.
// x is the baseline's performance alone, y beside the competitor. The bar is the harm that the baseline does to itself.
// Solo run and pair of one repetition share trace phase and seed, so harm is computed repetition by repetition. Whether it is more than
// the bar is a test.
import type { Cell } from '#protocol/api';
import { ccaLabel } from '#analysis/cca-label';
import { ccaKey, conditionKey, groupBy, isReference } from '#analysis/results';
import type { DelayBasis } from '#analysis/packet-delay';
import type { Victim } from '#analysis/figures';
import type { CellResult } from '#analysis/results';
import { testHarm } from '#analysis/harm-verdict';
import type { HarmTest } from '#analysis/harm-verdict';
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
  /** Against the baseline's harm to itself; null when either is unknown, and for the baseline itself, which is the bar. */
  readonly throughput_test: HarmTest | null;
  readonly delay_test: HarmTest | null;
  /** Not more than the baseline does to itself, beyond chance, or more; null when that is not decided or either is unknown. */
  readonly throughput_safe: boolean | null;
  readonly delay_safe: boolean | null;
}

export interface HarmTable {
  /** One per condition and CCA. */
  readonly results: readonly HarmResult[];
  /** Harm of the baseline to itself, by condition and stack: the kernel’s flows are paired with the kernel’s baseline, ours with ours. */
  readonly bars: ReadonlyMap<string, Pick<HarmResult, 'throughput' | 'delay' | 'delay_basis'>>;
}

type DelayField = 'delay_ms' | 'rtt_ms';

/** Harm by repetition. */
function harms(
  solo: readonly Victim[],
  pairs: readonly Victim[],
  field: 'throughput_mbps' | DelayField,
): ReadonlyMap<number, number> {
  const alone = new Map(solo.map((victim) => [victim.repetition, victim[field]]));
  return new Map(
    pairs.flatMap(({ repetition, [field]: beside }) => {
      const before = alone.get(repetition) ?? null;
      const done =
        before === null || beside === null ? null : harm(before, beside, field === 'throughput_mbps' ? 'more' : 'less');
      return done === null ? [] : [[repetition, done] as const];
    }),
  );
}

/** Packets are held against packets, and samples against samples. */
function delayFieldOf(solo: readonly Victim[], pairs: readonly Victim[]): DelayField {
  const alone = new Map(solo.map((victim) => [victim.repetition, victim]));
  const packets = pairs.every((beside) => {
    const before = alone.get(beside.repetition);
    return before === undefined || (before.delay_basis === 'packets' && beside.delay_basis === 'packets');
  });
  return packets ? 'delay_ms' : 'rtt_ms';
}

function harmBetween(solo: readonly Victim[], pairs: readonly Victim[]) {
  const delayField = delayFieldOf(solo, pairs);
  // All of a throughput can be taken, and all of a delay: neither more.
  return {
    throughput: estimate([...harms(solo, pairs, 'throughput_mbps').values()], [-Infinity, 100]),
    delay: estimate([...harms(solo, pairs, delayField).values()], [-100, Infinity]),
    delay_basis: delayField === 'delay_ms' ? ('packets' as const) : ('rtt' as const),
  };
}

/** What competitor and baseline did to the same flow in the same repetitions; null: nothing is there of one of them. */
function beyondBar(
  solo: readonly Victim[],
  itself: readonly Victim[],
  pairs: readonly Victim[],
  field: 'throughput_mbps' | DelayField,
): HarmTest | null {
  const bar = harms(solo, itself, field);
  const done = harms(solo, pairs, field);
  if (bar.size === 0 || done.size === 0) return null;
  return testHarm(
    [...done].flatMap(([repetition, value]) => {
      const own = bar.get(repetition);
      return own === undefined ? [] : [value - own];
    }),
  );
}

/** The baseline does itself no more harm than itself. */
const isBar = (own: Estimate | null): boolean | null => (own === null ? null : true);

const safeBy = (test: HarmTest | null): boolean | null =>
  test === null || test.outcome === 'undecided' ? null : test.outcome === 'safe';

export function harmTable(results: readonly CellResult[]): HarmTable {
  const competing = results.filter((result) => !isReference(result));
  const bars = new Map<string, ReturnType<typeof harmBetween>>();
  const table: HarmResult[] = [];
  const group = ({ cell, cca }: CellResult): string => `${conditionKey(cell)} ${cca?.kind ?? ''}`;
  for (const [key, members] of groupBy(competing, group)) {
    // The pairs were made with the baseline as it is by default: its solo run must be that, and of a single flow.
    const baseline = members.find((r) => r.cca?.baseline === true && Object.keys(r.cell.cca.params).length === 0);
    const solo = baseline?.figures.victims.solo ?? [];
    const itself = baseline?.figures.victims.self_pair ?? [];
    const bar = harmBetween(solo, itself);
    bars.set(key, bar);
    for (const result of members) {
      const own = baseline !== undefined && ccaKey(result.cell) === ccaKey(baseline.cell);
      const pairs = result.figures.victims.baseline_pair;
      const done = own ? bar : harmBetween(solo, pairs);
      // Both by packets, or both by samples.
      const field =
        bar.delay_basis === 'packets' && done.delay_basis === 'packets' ? ('delay_ms' as const) : ('rtt_ms' as const);
      const throughput_test = own ? null : beyondBar(solo, itself, pairs, 'throughput_mbps');
      const delay_test = own ? null : beyondBar(solo, itself, pairs, field);
      table.push({
        cell: result.cell,
        label: ccaLabel(result.cell, result.cca),
        ...done,
        throughput_test,
        delay_test,
        throughput_safe: own ? isBar(bar.throughput) : safeBy(throughput_test),
        delay_safe: own ? isBar(bar.delay) : safeBy(delay_test),
      });
    }
  }
  return { results: table, bars };
}
