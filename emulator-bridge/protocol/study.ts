// A study: experiments, and what a paper says of them beside what ours give. Data files in server/studies; nothing in them is a result of ours.
import { z } from 'zod';
import { ExperimentAnswer } from '#protocol/answers';
import { ExperimentState } from '#protocol/api';
import { StudyId as Id } from '#protocol/ids';
import { ExperimentSpec } from '#protocol/spec';

const Words = z.string().min(1).max(4000);
const Coordinate = z.union([z.string(), z.number()]);
const Chosen = z.union([Coordinate, z.array(Coordinate).min(1)]);

/** What tells the cells of an experiment apart, as it is written: `5 BDP`, `droptail`, `quic`. */
export const DIMENSIONS = ['cca', 'trace', 'limit', 'rtt', 'discipline', 'transport', 'loss', 'sweep'] as const;
export const StudyDimension = z.enum(DIMENSIONS);

/** Cells that have one of these at each dimension named; a CCA by its id. */
export const Where = z.partialRecord(StudyDimension, Chosen);

export const Measure = z.strictObject({
  experiment: Id,
  value: z.string().min(1).describe('a metric, or another of server/analysis/study-values.ts'),
  where: Where.default({}),
  by: z.union([StudyDimension, z.literal('all')]).describe('what the values are told apart by; `all`: they are one'),
  take: z.enum(['mean', 'least', 'most']).default('mean').describe('of the cells with the same key'),
  against: z
    .strictObject({ where: Where, how: z.enum(['ratio', 'difference']) })
    .optional()
    .describe('each cell over, or less, the one that differs from it in this'),
});

const Share = z.number().min(0).max(1);
/** A number as printed, or the span that was. */
const Printed = z.union([z.number(), z.strictObject({ from: z.number().optional(), to: z.number().optional() })]);

export const Expectation = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('values'),
    paper: z.record(z.string(), Printed),
    tolerance: z.union([
      z.strictObject({ absolute: z.number().min(0) }),
      z.strictObject({ relative: z.number().min(0) }),
      z.strictObject({ factor: z.number().min(1) }),
    ]),
    share: Share.default(1).describe('of the keys that must be within the tolerance'),
    direction: z
      .union([
        z.strictObject({ tau: z.number() }),
        z.strictObject({ above: z.number() }),
        z.strictObject({ below: z.number() }),
      ])
      .optional()
      .describe('what is left of the claim when its numbers are not met: the order of its keys, or a side of a bound'),
  }),
  z.strictObject({
    kind: z.literal('order'),
    paper: z.record(z.string(), z.number()),
    holds: z.number().describe('Kendall’s tau-b from which it holds, and from which the direction does'),
    direction: z.number(),
  }),
  z.strictObject({
    kind: z.literal('first'),
    who: z.enum(['most', 'least']).describe('of the CCAs, at each key'),
    paper: z.record(z.string(), z.array(z.string()).min(1)),
    tie: z.number().min(0).default(0).describe('so much off the first, relatively, counts as first'),
    share: Share.default(1),
    direction: Share.default(0.5),
  }),
]);

export const Claim = z.strictObject({
  id: Id,
  text: Words.describe('as the paper has it'),
  tested: z.union([
    z.strictObject({
      measure: Measure,
      expect: Expectation,
      unit: z.string().default(''),
      scale: z.number().default(1),
    }),
    z.strictObject({ not: Words.describe('why it cannot be tested here') }),
  ]),
  because: z
    .strictObject({ text: Words, variant: Id })
    .optional()
    .describe('why it does not hold, and the variant of the study that shows it'),
});

export const StudyFigure = z.strictObject({
  id: Id,
  title: Words,
  note: z.string().default(''),
  claims: z.array(Claim).min(1),
});

/** Where the capacity of an experiment comes from. */
export const Origin = z.enum(['modelled', 'recorded', 'simulated']);

export const StudyExperiment = z.strictObject({
  title: Words,
  why: Words.describe('of the presets'),
  origin: Origin,
  spec: ExperimentSpec,
});

/** The same claims under other conditions: each experiment named is replaced by another. */
export const StudyVariant = z.strictObject({
  title: Words,
  origin: Origin,
  instead: z.record(Id, Id),
  values: z
    .record(z.string(), z.string())
    .optional()
    .describe('a value -> what is asked instead, of those claims alone that ask for it: another way to measure'),
  traces: z
    .record(z.string(), z.string())
    .optional()
    .describe(
      'a network of the study -> its counterpart here: what is told of networks by name is asked of these. Absent: of the same',
    ),
});

export const Paper = z.strictObject({
  short: Words,
  title: Words,
  authors: Words,
  venue: z.string().describe('and year; empty where neither is printed'),
  bibtex: Words,
});

export const Study = z.strictObject({
  id: Id,
  title: Words,
  question: Words,
  paper: Paper.nullable(),
  setup: Words.describe('what the paper did, what is done here, and why where they differ'),
  experiments: z.record(Id, StudyExperiment),
  variants: z.record(Id, StudyVariant).default({}),
  answers: z
    .array(Id)
    .default([])
    .describe('experiments that are told in sentences: who is first, and what would change it'),
  figures: z.array(StudyFigure),
});

/** `open`: its runs are not done. */
export const Verdict = z.enum(['holds', 'direction', 'fails', 'untestable', 'open']);

export const ClaimPoint = z.object({
  key: z.string(),
  /** As the expectation has it; bounds of a span, and of the tolerance around it. */
  paper: z.object({ text: z.string(), from: z.number().nullable(), to: z.number().nullable() }),
  accepted: z.object({ from: z.number().nullable(), to: z.number().nullable() }).nullable(),
  ours: z
    .object({
      text: z.string(),
      value: z.number().nullable(),
      low: z.number().nullable(),
      high: z.number().nullable(),
      n: z.int(),
      over: z.enum(['traces', 'repetitions']).nullable(),
    })
    .nullable(),
  inside: z.boolean().nullable(),
});

export const Outcome = z.object({
  verdict: Verdict,
  /** In a few words, with the numbers. */
  text: z.string(),
  /** 0: as in the paper; 1: as far off as the tolerance allows on average. null: unknown. */
  misfit: z.number().nullable(),
  points: z.array(ClaimPoint),
});

export const ClaimOutcome = z.object({
  id: Id,
  text: z.string(),
  unit: z.string(),
  experiment: z.string().nullable(),
  outcome: Outcome,
  variants: z.array(
    z.object({
      id: Id,
      title: z.string(),
      origin: Origin,
      outcome: Outcome,
      nearer: z
        .boolean()
        .nullable()
        .describe('to the paper than the claim as told, clearly; null: one of them was not run'),
    }),
  ),
  reason: z
    .object({
      text: z.string(),
      variant: Id,
      title: z.string(),
      shown: z.boolean().nullable(),
      numbers: z.string().nullable().describe('what came out with it; null: it was not run'),
    })
    .nullable()
    .describe('of what does not hold; `shown`: the variant comes nearer to the paper; null: it was not run'),
});

export const StudyProgress = z.object({
  key: Id,
  title: z.string(),
  origin: Origin,
  why: z.string(),
  /** Of each run; whatever it is, no warm-up is cut off. */
  duration_s: z.number(),
  repetitions: z.int(),
  seed: z.int(),
  /** null: it was never started with this engine. */
  experiment: z.string().nullable(),
  state: ExperimentState.nullable(),
  runs_total: z.int(),
  runs_done: z.int(),
  runs_failed: z.int().describe('and those that were measured while the machine did not keep up, and do not count'),
});

const counted = z.record(Verdict, z.int());

export const StudyListItem = z.object({
  id: Id,
  title: z.string(),
  question: z.string(),
  paper: Paper.nullable(),
  runs_total: z.int(),
  runs_done: z.int(),
  running: z.boolean(),
  /** Until what is missing would be done on this machine. */
  estimate_s: z.object({ low: z.number(), high: z.number() }),
  estimate_bytes: z.number(),
  verdicts: counted,
});
export const StudyList = z.object({ studies: z.array(StudyListItem) });

export const StudyRecord = StudyListItem.extend({
  setup: z.string(),
  engine_version: z.string(),
  experiments: z.array(StudyProgress),
  answers: z.array(z.object({ experiment: Id, title: z.string(), origin: Origin, answers: z.array(ExperimentAnswer) })),
  figures: z.array(z.object({ id: Id, title: z.string(), note: z.string(), claims: z.array(ClaimOutcome) })),
});

/** What became of each claim, as docs/studies.json keeps it. */
export const StoredStudies = z.object({
  engine_version: z.string(),
  studies: z.array(
    z.object({
      id: Id,
      title: z.string(),
      experiments: z.array(StudyProgress.pick({ key: true, origin: true })),
      figures: z.array(
        z.object({
          id: Id,
          title: z.string(),
          claims: z.array(
            ClaimOutcome.pick({ id: true, text: true, experiment: true, reason: true }).extend({
              outcome: Outcome.pick({ verdict: true, text: true }),
            }),
          ),
        }),
      ),
    }),
  ),
});

export type StudyDimension = z.infer<typeof StudyDimension>;
export type Where = z.infer<typeof Where>;
export type Measure = z.infer<typeof Measure>;
export type Expectation = z.infer<typeof Expectation>;
export type Claim = z.infer<typeof Claim>;
export type StudyVariant = z.infer<typeof StudyVariant>;
export type Study = z.infer<typeof Study>;
/** What is asked and what is expected of a claim that can be tested. */
export type Tested = Extract<Claim['tested'], { readonly measure: Measure }>;
export type Origin = z.infer<typeof Origin>;
export type Verdict = z.infer<typeof Verdict>;
export type ClaimPoint = z.infer<typeof ClaimPoint>;
export type Outcome = z.infer<typeof Outcome>;
export type ClaimOutcome = z.infer<typeof ClaimOutcome>;
export type StudyProgress = z.infer<typeof StudyProgress>;
export type StudyListItem = z.infer<typeof StudyListItem>;
export type StudyList = z.infer<typeof StudyList>;
export type StudyRecord = z.infer<typeof StudyRecord>;
export type StoredStudies = z.infer<typeof StoredStudies>;
