// A baseline: what an experiment came to, small enough to be committed, for those who come later to be held against.
import { z } from 'zod';
import { RunRole } from '#protocol/api';
import { LIMITS } from '#protocol/limits';
import { BufferSpec, QueueSpec, TraceRef, TransportProfile } from '#protocol/spec';
import { Swept } from '#protocol/sweep';
import { line } from '#protocol/text';

export const MOST_PLACES = 100_000;
const most = LIMITS.repetitions.max;

/** Where in the matrix: what a cell is but for its algorithm's parameters, which may have changed since. */
export const BaselinePlace = z
  .strictObject({
    cca: z.string().min(1).max(200),
    nth: z
      .int()
      .min(0)
      .max(10_000)
      .describe('of the algorithms under these conditions, from 0: one may be there twice'),
    role: RunRole,
    trace: TraceRef,
    trace_name: z.string().max(512),
    buffer: BufferSpec,
    queue: QueueSpec,
    transport: TransportProfile.optional(),
    base_rtt_ms: z.number(),
    loss: z.number(),
    sweep: Swept.optional(),
    repetitions: z.array(z.int().min(0)).min(1).max(most),
    figures: z
      .record(z.string().max(64), z.array(z.number().nullable()).max(most))
      .describe('by metric, a value a run'),
  })
  .refine(({ repetitions, figures }) => Object.values(figures).every((own) => own.length === repetitions.length), {
    error: 'each figure has a value for each repetition',
    path: ['figures'],
  })
  .refine(({ repetitions }) => new Set(repetitions).size === repetitions.length, {
    error: 'a repetition is there twice',
    path: ['repetitions'],
  });

export const Baseline = z.strictObject({
  format: z.literal('paceline-baseline'),
  version: z.literal(1),
  name: line(200).min(1),
  label: line(200).optional().describe('what its maker calls the state of things: a revision, a release'),
  engine_version: z.string().max(100).nullable(),
  seed: z.int().min(0).describe('runs of the same seed meet the same starts, phases and losses: they are pairs'),
  params: z.array(z.unknown()).max(100).describe('of the algorithms, in the order of the spec'),
  spec: z.record(z.string().max(64), z.unknown()).describe('what was asked, without what may change'),
  places: z.array(BaselinePlace).min(1).max(MOST_PLACES),
});

export type BaselinePlace = z.infer<typeof BaselinePlace>;
export type Baseline = z.infer<typeof Baseline>;
