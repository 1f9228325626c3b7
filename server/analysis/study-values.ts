// What a study can ask of an experiment's cells: every metric, and what follows from several runs or cells.
import { delayQuantile } from '#analysis/delay-distribution';
import { distanceBetween, type Place } from '#analysis/frontier';
import { harmTable, type HarmResult } from '#analysis/harm';
import { METRICS, METRIC_IDS, type MetricId } from '#analysis/metrics';
import { byLimit, facetKey, groupBy, isReference, type CellResult } from '#analysis/results';
import { SAMPLED_VALUES } from '#analysis/sampled';
import { SCENARIOS, scoreOf } from '#analysis/scores';
import { shareCrossings } from '#analysis/share-crossings';
import { estimate, type Interval, type Range } from '#analysis/statistics';
import { termTable } from '#analysis/terms';
import type { SampleFamily } from '#protocol/sampled';

/** A number with what repetitions leave open. */
export interface Valued {
  readonly mean: number;
  readonly low: number | null;
  readonly high: number | null;
  /** Repetitions behind it. */
  readonly n: number;
}

/** One number a cell, by the cell's key; cells without one are left out. */
type OfCells = (results: readonly CellResult[]) => ReadonlyMap<string, Valued>;
/** One number of several cells together. */
type OfGroup = (results: readonly CellResult[]) => Valued | null;

export type StudyValue =
  | {
      readonly of: 'cells';
      readonly unit: string;
      /** Where the value of a cell can be: intervals stay there. */
      readonly range: (cell: CellResult['cell']) => Range;
      readonly read: OfCells;
      /** It is read off samples, and these must be asked for; absent: summaries have it. */
      readonly family?: SampleFamily;
    }
  | { readonly of: 'group'; readonly unit: string; readonly read: OfGroup };

const anywhere = (): Range => [-Infinity, Infinity];
const fraction = (): Range => [0, 1];

const each =
  (read: (result: CellResult) => Valued | null): OfCells =>
  (results) =>
    new Map(
      results.flatMap((result) => {
        const value = read(result);
        return value === null ? [] : [[result.cell.key, value] as const];
      }),
    );

const metric = (id: MetricId): StudyValue => ({
  of: 'cells',
  unit: METRICS[id].unit,
  range: METRICS[id].range,
  read: each(({ figures }) => figures.metrics[id]),
});

/** What no run of the cell tells is not there. */
const fromSamples = (name: string, { unit, range, family }: (typeof SAMPLED_VALUES)[string]): StudyValue => ({
  of: 'cells',
  unit,
  range: () => range,
  read: each(({ sampled }) => sampled?.[name] ?? null),
  family,
});

function fairness(term: 'intra' | 'inter'): StudyValue {
  return {
    of: 'cells',
    unit: '',
    range: fraction,
    read: each(({ figures }) => estimate(figures.values[term], [0, 1])),
  };
}

const harmed = (read: (result: HarmResult) => Valued | null): OfCells => {
  return (results) =>
    new Map(
      harmTable(results).results.flatMap((result) => {
        const value = read(result);
        return value === null ? [] : [[result.cell.key, value] as const];
      }),
    );
};

/** 1 or 0; of what is not decided nothing. */
const decided = (safe: boolean | null): Valued | null =>
  safe === null ? null : { mean: Number(safe), low: null, high: null, n: 1 };

function placeOf({ cell, figures }: CellResult): Place | null {
  const { utilisation, delay_inflation: inflation } = figures.metrics;
  if (utilisation === null || inflation === null) return null;
  return { utilisation: utilisation.mean, delay_inflation: inflation.mean, base_rtt_ms: cell.base_rtt_ms };
}

/** Distance to a reference in the plane of utilisation and 1 / delay inflation, as the frontier has it. */
function distanceTo(kind: 'ideal' | 'oracle'): OfCells {
  return (results) => {
    const found = new Map<string, Valued>();
    for (const facet of groupBy(results, ({ cell }) => facetKey(cell)).values()) {
      const [reference] = facet
        .filter(({ cca, figures }) => cca?.kind === kind && figures.n > 0)
        .toSorted((a, b) => byLimit(b.cell, a.cell));
      const to = reference === undefined ? null : placeOf(reference);
      for (const result of facet) {
        const place = placeOf(result);
        if (to === null || place === null || result === reference) continue;
        const mean = distanceBetween(place, to).distance;
        found.set(result.cell.key, { mean, low: null, high: null, n: result.figures.n });
      }
    }
    return found;
  };
}

const bounds = (interval: Interval | null) => ({ low: interval?.low ?? null, high: interval?.high ?? null });

/** The score of the averages, as everywhere. */
function score(id: string): StudyValue {
  const scenario = SCENARIOS.find((one) => one.id === id);
  return {
    of: 'group',
    unit: '',
    read: (results) => {
      if (scenario === undefined) return null;
      const table = termTable(results, 1, 1);
      const [own] = table.ccas;
      const value = own === undefined ? null : scoreOf(own.terms, scenario.weights).value;
      return value === null ? null : { mean: value, low: null, high: null, n: table.repetitions };
    },
  };
}

const VALUES: Readonly<Record<string, StudyValue>> = {
  ...Object.fromEntries(METRIC_IDS.map((id) => [id, metric(id)])),
  capacity_mbps: {
    of: 'cells',
    unit: 'Mbps',
    range: () => [0, Infinity],
    read: each(({ figures: { capacity, n } }) =>
      capacity.n === 0 ? null : { mean: capacity.sum / capacity.n, low: null, high: null, n },
    ),
  },
  intra: fairness('intra'),
  inter: fairness('inter'),
  /** What the packet waited that waited longest: an eighth of an octave wide, as the runs' histograms are. */
  queueing_longest: {
    of: 'cells',
    unit: 'ms',
    range: () => [0, Infinity],
    read: each(({ figures: { queueing, n } }) => {
      const longest = queueing === null ? null : delayQuantile(queueing, 1);
      return longest === null ? null : { mean: longest, low: null, high: null, n };
    }),
  },
  /** The base RTT and what the median packet waited: an eighth of an octave wide. */
  packet_delay_median: {
    of: 'cells',
    unit: 'ms',
    range: ({ base_rtt_ms }) => [base_rtt_ms, Infinity],
    read: each(({ cell, figures: { queueing, n } }) => {
      const median = queueing === null ? null : delayQuantile(queueing, 0.5);
      return median === null ? null : { mean: cell.base_rtt_ms + median, low: null, high: null, n };
    }),
  },
  /** Of what a pair with the baseline gets together. */
  pair_share: {
    of: 'cells',
    unit: '',
    range: fraction,
    read: each(({ figures }) => estimate(figures.pair_shares, [0, 1])),
  },
  harm_throughput: {
    of: 'cells',
    unit: '%',
    range: () => [-Infinity, 100],
    read: harmed(({ throughput }) => throughput),
  },
  harm_delay: { of: 'cells', unit: '%', range: () => [-100, Infinity], read: harmed(({ delay }) => delay) },
  /** Not more than the baseline does to itself: 1 or 0. */
  safe_throughput: {
    of: 'cells',
    unit: '',
    range: fraction,
    read: harmed(({ throughput_safe }) => decided(throughput_safe)),
  },
  safe_delay: { of: 'cells', unit: '', range: fraction, read: harmed(({ delay_safe }) => decided(delay_safe)) },
  /** Mean packet delay beyond the base RTT. */
  delay_above_base_ms: {
    of: 'cells',
    unit: 'ms',
    range: () => [0, Infinity],
    read: each(({ cell, figures: { metrics } }) => {
      const delay = metrics.packet_delay_mean;
      if (delay === null) return null;
      const above = (value: number | null): number | null => (value === null ? null : value - cell.base_rtt_ms);
      return { mean: delay.mean - cell.base_rtt_ms, low: above(delay.low), high: above(delay.high), n: delay.n };
    }),
  },
  to_optimal: { of: 'cells', unit: '', range: anywhere, read: distanceTo('ideal') },
  to_oracle: { of: 'cells', unit: '', range: anywhere, read: distanceTo('oracle') },
  /** Queue limit at which it and the baseline have as much of the link that they share. */
  crossing_bdp: {
    of: 'group',
    unit: 'BDP',
    read: (results) => {
      const [first] = shareCrossings(results);
      if (first?.crossing.kind !== 'one' || first.unit !== 'BDP') return null;
      const { at, interval } = first.crossing;
      return { mean: at, ...bounds(interval), n: results[0]?.figures.pair_shares.length ?? 0 };
    },
  },
  ...Object.fromEntries(Object.entries(SAMPLED_VALUES).map(([name, value]) => [name, fromSamples(name, value)])),
  ...Object.fromEntries(SCENARIOS.map(({ id }) => [`score:${id}`, score(id)])),
};

export const STUDY_VALUES = Object.keys(VALUES);

/** undefined: there is none of that name. */
export const studyValue = (name: string): StudyValue | undefined =>
  Object.hasOwn(VALUES, name) ? VALUES[name] : undefined;

/** References show what could be reached; they are asked for by name. */
export const isCompeting = (result: CellResult): boolean => !isReference(result);
