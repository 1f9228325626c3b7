// A kind of experiment: a question, and what it sets of a spec. Data files in server/kinds; what comes of one is a spec like any other.
import { z } from 'zod';
import { CcaKind } from '#protocol/cca';
import { StudyId as Id } from '#protocol/ids';
import { LIMITS } from '#protocol/limits';

const Words = z.string().min(1).max(400);

/** Parts of the form that a kind brings to the front. */
export const KIND_FIELDS = ['limits', 'base_rtt', 'flows', 'flow_details', 'sweep', 'transports', 'scores'] as const;
export const KindField = z.enum(KIND_FIELDS);

export const ExperimentKind = z.strictObject({
  id: Id,
  order: z.int().describe('its place among the others'),
  title: Words,
  question: Words.describe('that it answers, in a line'),
  sets: z
    .record(z.string(), z.unknown())
    .describe(
      'of the spec, beside traces and algorithms; what is not here is as usual. The CCA of a flow may be "$other": what the algorithms meet',
    ),
  turns: z
    .int()
    .min(2)
    .max(LIMITS.flows.max)
    .optional()
    .describe('so many flows of each algorithm, which join one after the other and leave in the same order'),
  parameter: z.boolean().default(false).describe('sweeps the first parameter of the chosen algorithms'),
  meets_all: z
    .boolean()
    .default(false)
    .describe('sweeps the algorithm of the second flow through the chosen ones: everyone beside everyone'),
  stacks: z
    .array(CcaKind)
    .default([])
    .describe('adds the same algorithms of these real stacks, as far as this machine has them'),
  front: z.array(KindField).min(1),
  answer: z
    .strictObject({
      figure: z.string().min(1).describe('id of a figure of the experiment’s page'),
      options: z.record(z.string(), z.string()).default({}).describe('of that figure, as in the address'),
      text: Words.describe('what to read there'),
    })
    .describe('where the answer stands'),
});

export const ExperimentKinds = z.object({ kinds: z.array(ExperimentKind) });

export type KindField = z.infer<typeof KindField>;
export type ExperimentKind = z.infer<typeof ExperimentKind>;
export type ExperimentKinds = z.infer<typeof ExperimentKinds>;
