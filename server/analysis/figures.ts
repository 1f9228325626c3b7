// What the runs of one cell give, for all that is derived from them: table, frontier, scores, harm. Of an experiment of very many runs
// this is kept, and the runs' summaries are not.
import type { RunRole } from '#protocol/api';
import type { RunSummary } from '#protocol/summary';
import { pooledDelays } from '#analysis/delay-distribution';
import type { Distribution } from '#analysis/delay-distribution';
import { fairnessTerm, missingOfAll } from '#analysis/fairness';
import { METRICS, METRIC_IDS } from '#analysis/metrics';
import { basisOf, delaysOf } from '#analysis/packet-delay';
import type { DelayBasis } from '#analysis/packet-delay';
import type { Metric, MetricId } from '#analysis/metrics';
import type { Term, Terms } from '#analysis/scores';
import { estimate, mean, sum } from '#analysis/statistics';
import type { Estimate } from '#analysis/statistics';

interface Source {
  readonly role: RunRole;
  readonly of: (summary: RunSummary) => number | null;
  /** From the average over conditions to the term. */
  readonly finish: (average: number) => number;
}

const same = (average: number): number => average;

export const TERM_SOURCES: Readonly<Record<Term, Source>> = {
  throughput: { role: 'solo', of: METRICS.utilisation.of, finish: same },
  delay: { role: 'solo', of: METRICS.delay_inflation.of, finish: (inflation) => 1 / inflation },
  intra: { role: 'self_pair', of: (summary) => fairnessTerm(summary).value, finish: same },
  inter: { role: 'baseline_pair', of: (summary) => fairnessTerm(summary).value, finish: same },
};

/** The terms of a cell: averaged, and of each repetition alone. */
export interface CellTerms {
  readonly average: Terms;
  readonly single: readonly Terms[];
}

/** What a flow had in one run. */
export interface Victim {
  readonly repetition: number;
  readonly throughput_mbps: number | null;
  /** Mean packet delay, and mean RTT for where the other of two runs has no packet delay. */
  readonly delay_ms: number | null;
  readonly rtt_ms: number | null;
  readonly delay_basis: DelayBasis;
}

export interface CellFigures {
  /** Solo runs that count. */
  readonly n: number;
  /** Of the solo runs. */
  readonly metrics: Readonly<Record<MetricId, Estimate | null>>;
  /** What each term is made from: one value per repetition. */
  readonly values: Readonly<Record<Term, readonly number[]>>;
  readonly terms: CellTerms;
  /** Windows of k base RTTs that a run behind the fairness terms lacks. */
  readonly missing_k: Readonly<Record<'intra' | 'inter', readonly number[]>>;
  /** What delays of the solo runs stand on; null: there are none. */
  readonly delay_basis: DelayBasis | 'mixed' | null;
  /** Mean capacity of the forward link over the solo runs that tell it. */
  readonly capacity: { readonly sum: number; readonly n: number };
  /** Queueing delay of every packet that the solo runs delivered; null: the engine of one of them told none. */
  readonly queueing: Distribution | null;
  /** What it has of the throughput of both in its pairs with the baseline, one value per repetition. */
  readonly pair_shares: readonly number[];
  /** The first flow alone; both flows of pairs with itself; the second flow, the baseline's, of pairs with it. */
  readonly victims: Readonly<Record<RunRole, readonly Victim[]>>;
}

/** A run that counts. */
export interface Sample {
  readonly run: string;
  readonly repetition: number;
  readonly summary: RunSummary;
}

type Samples = Readonly<Record<RunRole, readonly Sample[]>>;

function termsOf(samples: Samples): CellTerms {
  const term = (name: Term, own: readonly Sample[]): number | null => {
    const { of, finish } = TERM_SOURCES[name];
    const average = mean(own.flatMap(({ summary }) => of(summary) ?? []));
    return average === null ? null : finish(average);
  };
  const terms = (pick: (role: RunRole) => readonly Sample[]): Terms => ({
    throughput: term('throughput', pick('solo')),
    delay: term('delay', pick('solo')),
    intra: term('intra', pick('self_pair')),
    inter: term('inter', pick('baseline_pair')),
  });
  const repeated = (role: RunRole): Map<number, Sample[]> => {
    const groups = new Map<number, Sample[]>();
    for (const sample of samples[role])
      groups.set(sample.repetition, [...(groups.get(sample.repetition) ?? []), sample]);
    return groups;
  };
  const groups = {
    solo: repeated('solo'),
    self_pair: repeated('self_pair'),
    baseline_pair: repeated('baseline_pair'),
  };
  return {
    average: terms((role) => samples[role]),
    single: samples.solo.map(({ repetition }) => terms((role) => groups[role].get(repetition) ?? [])),
  };
}

const missingOf = (samples: readonly Sample[]): readonly number[] =>
  missingOfAll(samples.map(({ summary }) => fairnessTerm(summary)));

/** The given flows of a run as one victim: their mean. */
function victimOf({ repetition, summary }: Sample, flows: readonly number[]): Victim {
  const rates = summary.receivers.filter((r) => flows.includes(r.flow)).map((r) => r.throughput_mbps);
  const rtts = summary.senders.filter((s) => flows.includes(s.flow)).flatMap((s) => s.rtt.mean_ms ?? []);
  const { basis, flows: delays } = delaysOf(summary);
  const own = delays.filter(({ flow }) => flows.includes(flow)).map(({ mean_ms }) => mean_ms);
  return {
    repetition,
    throughput_mbps: mean(rates),
    delay_ms: mean(own),
    rtt_ms: mean(rtts),
    delay_basis: basis,
  };
}

function queueingOf(samples: readonly Sample[]): Distribution | null {
  const links = samples.flatMap(({ summary }) => summary.links.filter(({ direction }) => direction === 'forward'));
  const spreads = links.flatMap(({ queueing_delay: { count, spread } }) =>
    count === 0 ? [[]] : spread === undefined ? [] : [spread],
  );
  return links.length === 0 || spreads.length < links.length ? null : pooledDelays(spreads);
}

/** Of a pair's throughput, the first flow's part; null: nothing arrived. */
function shareOf({ receivers }: RunSummary): number | null {
  const rate = (flow: number): number => receivers.find((own) => own.flow === flow)?.throughput_mbps ?? 0;
  const both = rate(0) + rate(1);
  return both > 0 ? rate(0) / both : null;
}

/** Mean and interval of a metric over the repetitions of a cell; null when no run measured it. */
export function estimateOf(metric: Metric, samples: readonly Sample[]): Estimate | null {
  const values = samples.flatMap(({ summary }) => metric.of(summary) ?? []);
  const first = samples[0];
  return first === undefined ? null : estimate(values, metric.range(first.summary));
}

export function figuresOf(samples: Samples): CellFigures {
  const capacities = samples.solo.flatMap(
    ({ summary }) => summary.links.find(({ direction }) => direction === 'forward')?.capacity_mean_mbps ?? [],
  );
  const values = (term: Term): readonly number[] =>
    samples[TERM_SOURCES[term].role].flatMap(({ summary }) => TERM_SOURCES[term].of(summary) ?? []);
  return {
    n: samples.solo.length,
    metrics: Object.fromEntries(
      METRIC_IDS.map((id) => [id, estimateOf(METRICS[id], samples.solo)]),
    ) as CellFigures['metrics'],
    values: {
      throughput: values('throughput'),
      delay: values('delay'),
      intra: values('intra'),
      inter: values('inter'),
    },
    terms: termsOf(samples),
    delay_basis: basisOf(samples.solo.map(({ summary }) => summary)),
    missing_k: { intra: missingOf(samples.self_pair), inter: missingOf(samples.baseline_pair) },
    capacity: { sum: sum(capacities), n: capacities.length },
    queueing: queueingOf(samples.solo),
    pair_shares: samples.baseline_pair.flatMap(({ summary }) => shareOf(summary) ?? []),
    victims: {
      // Harm is to a flow that had the link for itself.
      solo: samples.solo.filter(({ summary }) => summary.senders.length === 1).map((sample) => victimOf(sample, [0])),
      // Either flow may be called the victim: the mean of both.
      self_pair: samples.self_pair.map((sample) => victimOf(sample, [0, 1])),
      baseline_pair: samples.baseline_pair.map((sample) => victimOf(sample, [1])),
    },
  };
}

const brief = (value: Estimate | null): Estimate | null => (value === null ? null : { ...value, values: [] });

/** The same without each repetition's own values: of very many runs there is no dot for each. */
export const briefFigures = (figures: CellFigures): CellFigures => ({
  ...figures,
  metrics: Object.fromEntries(METRIC_IDS.map((id) => [id, brief(figures.metrics[id])])) as CellFigures['metrics'],
});
