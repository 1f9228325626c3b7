// Scenario scores (Zeus section 6.6): a weighted sum of four terms between 0 and 1. The weights are defaults; people move
// them. A term that was not measured makes the score unknown, unless its weight is zero: it is never made up.

/** In the order in which weights are written everywhere: in the URL, in files, on the page. */
export const TERMS = ['throughput', 'delay', 'intra', 'inter'] as const;
export type Term = (typeof TERMS)[number];

export interface TermInfo {
  readonly label: string;
  readonly definition: string;
}

export const TERM_INFO: Readonly<Record<Term, TermInfo>> = {
  throughput: { label: 'Throughput', definition: 'utilisation' },
  delay: {
    label: 'Delay⁻¹',
    definition: 'base RTT / mean delay of packets as round trips, which is 1 / delay inflation',
  },
  intra: { label: 'Intra-fairness', definition: 'Jain’s index of two flows of the CCA' },
  inter: { label: 'Inter-fairness', definition: 'Jain’s index of the CCA and the baseline CCA' },
};

export type Weights = Readonly<Record<Term, number>>;
/** null: not measured. */
export type Terms = Readonly<Record<Term, number | null>>;

export interface Scenario {
  /** Stable: it is in permalinks. */
  readonly id: string;
  readonly label: string;
  readonly weights: Weights;
  readonly summary: string;
  /** Said beside the scenario wherever it is offered. */
  readonly note: string | null;
  /** One of the three that are shown first; others are variants of them. */
  readonly main: boolean;
}

export const SCENARIOS: readonly Scenario[] = [
  {
    id: 'real-time',
    label: 'Real-time',
    weights: { throughput: 0.2, delay: 0.4, intra: 0.1, inter: 0.3 },
    summary: 'Cloud gaming, AR and VR, video calls: delay first, then getting along with others',
    note: 'Weights as printed in Zeus section 6.6. The numbers of its table 3 follow from its table 2 only with 0.30 for throughput and 0.20 for inter-fairness.',
    main: true,
  },
  {
    id: 'real-time-table3',
    label: 'Real-time (as in Zeus table 3)',
    weights: { throughput: 0.3, delay: 0.4, intra: 0.1, inter: 0.2 },
    summary: 'The weights behind the published real-time scores: for comparing with the paper',
    note: 'Reproduces Zeus table 3 from its table 2 within 0.0003; the printed weights are off by up to 0.053.',
    main: false,
  },
  {
    id: 'bulk',
    label: 'Large object transfer',
    weights: { throughput: 0.75, delay: 0.05, intra: 0.15, inter: 0.05 },
    summary: 'Backups and downloads: throughput above all',
    note: null,
    main: true,
  },
  {
    id: 'mixed',
    label: 'Mixed traffic',
    weights: { throughput: 0.2, delay: 0.2, intra: 0.3, inter: 0.3 },
    summary: 'Many kinds of traffic on one link: fairness counts most',
    note: null,
    main: true,
  },
];

/** The same proportions with sum 1; null when no weight is positive or one is negative or not a number. */
export function normaliseWeights(weights: Weights): Weights | null {
  const values = TERMS.map((term) => weights[term]);
  const total = values.reduce((a, b) => a + b, 0);
  if (!Number.isFinite(total) || total <= 0 || values.some((value) => value < 0)) return null;
  const of = (term: Term): number => weights[term] / total;
  return { throughput: of('throughput'), delay: of('delay'), intra: of('intra'), inter: of('inter') };
}

export interface Score {
  /** null when a term that counts was not measured. */
  readonly value: number | null;
  /** Terms that count but were not measured. */
  readonly missing: readonly Term[];
  /** What the measured terms alone would give, and the share of the weight that they carry. To be shown as partial only. */
  readonly partial: { readonly value: number; readonly covered: number } | null;
}

export function scoreOf(terms: Terms, weights: Weights): Score {
  const normal = normaliseWeights(weights);
  if (normal === null) return { value: null, missing: [], partial: null };
  const missing = TERMS.filter((term) => normal[term] > 0 && terms[term] === null);
  const weighted = TERMS.reduce((total, term) => total + normal[term] * (terms[term] ?? 0), 0);
  if (missing.length === 0) return { value: weighted, missing, partial: null };
  const covered = 1 - missing.reduce((total, term) => total + normal[term], 0);
  return { value: null, missing, partial: covered > 1e-9 ? { value: weighted / covered, covered } : null };
}
