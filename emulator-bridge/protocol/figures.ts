// What an experiment's cells give, as the server makes it: the page makes the same of the runs where they are few.
import { z } from 'zod';
import { Cell, RunRole } from '#protocol/api';

export const EstimateRecord = z.object({
  mean: z.number(),
  /** 95 % interval; null: too few repetitions. */
  low: z.number().nullable(),
  high: z.number().nullable(),
  sd: z.number().nullable(),
  n: z.int(),
});

const Interval = z.object({ low: z.number(), high: z.number() });
const Score = z.object({
  value: z.number().nullable(),
  missing: z.array(z.string()),
  partial: z.object({ value: z.number(), covered: z.number() }).nullable(),
});

export const CellFiguresRecord = z.object({
  cell: Cell,
  /** Solo runs that count, of those planned; `pending` have not ended. */
  n: z.int(),
  planned: z.int(),
  pending: z.int(),
  running: z.boolean(),
  /** Runs that do not count, and the first of them. */
  left_out: z.int(),
  excluded: z.array(z.object({ run: z.string(), role: RunRole, repetition: z.int(), reason: z.string() })),
  /** By the metric's id (docs/metrics.md); null: not measured. */
  metrics: z.record(z.string(), EstimateRecord.nullable()),
  /** Jain’s index with itself and with the baseline. */
  intra: EstimateRecord.nullable(),
  inter: EstimateRecord.nullable(),
  delay_basis: z
    .enum(['packets', 'rtt', 'mixed'])
    .nullable()
    .describe('what delay inflation stands on: every delivered packet, or RTT samples where the engine told no more'),
  missing_k: z
    .object({ intra: z.array(z.int()), inter: z.array(z.int()) })
    .describe('windows of k base RTTs that a run behind them lacks'),
  /** By the scenario's id; null: a reference, which does not compete. */
  scores: z.record(z.string(), z.object({ score: Score, interval: Interval.nullable() })).nullable(),
  /** Sum and number of the runs' mean capacities, Mbps. */
  capacity: z.object({ sum: z.number(), n: z.int() }),
});

/** `next` is the `after` of those that follow, null when there are none. */
export const FiguresPage = z.object({ cells: z.array(CellFiguresRecord), next: z.int().nullable() });

const perTerm = <T extends z.ZodType>(value: T) =>
  z.object({ throughput: value, delay: value, intra: value, inter: value });

const Replicates = perTerm(
  z.base64().nullable().describe('bootstrap replicates as 64-bit floats, least significant byte first'),
);

/** What scores under any weights are made of. */
export const ScoreTerms = z.object({
  ccas: z.array(
    z.object({
      key: z.string(),
      cca: z.string(),
      label: z.string(),
      terms: perTerm(z.number().nullable()),
      replicates: Replicates.describe('repetitions resampled within each cell'),
      replicates_traces: Replicates.describe('traces resampled, each with all of its conditions'),
    }),
  ),
  matched: perTerm(z.int()),
  conditions: z.int(),
  repetitions: z.int(),
  df: z.int(),
  traces: z.int(),
});

export type CellFiguresRecord = z.infer<typeof CellFiguresRecord>;
export type FiguresPage = z.infer<typeof FiguresPage>;
export type ScoreTerms = z.infer<typeof ScoreTerms>;
export type EstimateRecord = z.infer<typeof EstimateRecord>;
