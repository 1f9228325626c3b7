// The table of every run: what is asked for, and what it answers.
import { z } from 'zod';
import { RunRole, RunState } from '#protocol/api';

export const RunTableRow = z.object({
  id: z.string(),
  state: RunState,
  experiment: z.object({ id: z.string(), name: z.string() }),
  ccas: z.array(z.string()).describe('by flow'),
  trace: z.string(),
  buffer: z.string().describe('as a query has it: 5bdp'),
  role: RunRole,
  engine: z.string(),
  queue: z.string(),
  transport: z.string(),
  version: z.string().describe('of the engine'),
  rtt0: z.number(),
  loss_rate: z.number(),
  duration: z.number(),
  flows: z.int(),
  rep: z.int(),
  made: z.string(),
  tags: z.array(z.string()).describe('its own and its experiment’s'),
  starred: z.boolean(),
  figures: z.record(z.string(), z.number().nullable()).describe('by field, as queries call them'),
});

const GroupFigure = z.object({
  n: z.int(),
  mean: z.number(),
  /** null: too few for an interval. */
  low: z.number().nullable(),
  high: z.number().nullable(),
});

export const RunTableGroup = z.object({
  values: z.record(z.string(), z.union([z.string(), z.number()])).describe('what its runs share'),
  query: z.string().describe('finds its runs'),
  runs: z.int(),
  figures: z.record(z.string(), GroupFigure.nullable()).describe('means with 95 % intervals'),
});

export const RunTable = z.object({
  total: z.int().describe('how many there are'),
  rows: z.array(RunTableRow),
  next: z.int().nullable().describe('the `after` of those that follow'),
  groups: z.array(RunTableGroup).nullable().describe('null: not asked for'),
  pending: z.int().describe('runs that are still being read into the table: they are missing, or stand as they stood'),
});

/** What a query can name, for completion. */
export const RunFieldValues = z.object({ field: z.string(), values: z.array(z.string()) });

export type RunTableRow = z.infer<typeof RunTableRow>;
export type RunTableGroup = z.infer<typeof RunTableGroup>;
export type RunTable = z.infer<typeof RunTable>;
