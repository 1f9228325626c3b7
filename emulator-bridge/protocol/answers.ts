// What an experiment answers, for each application and network.
import { z } from 'zod';

const Interval = z.object({ low: z.number(), high: z.number() });

export const ExperimentAnswer = z.object({
  /** Of the scores: `real-time`, `bulk`, `mixed`. */
  scenario: z.string(),
  label: z.string(),
  /** A trace; null: over all of the experiment. */
  network: z.string().nullable(),
  /** A sentence. */
  text: z.string(),
  /** What would put another first; null: nothing that was tried. */
  change: z.string().nullable(),
  over: z
    .enum(['networks', 'repetitions'])
    .nullable()
    .describe('what equal ranks cannot be told apart over; null: too few to test, ranks follow the bare scores'),
  /** Terms of the score that nobody measured. */
  left_out: z.array(z.string()),
  repetitions: z.int(),
  traces: z.int(),
  places: z.array(
    z.object({
      key: z.string(),
      label: z.string(),
      rank: z.int(),
      score: z.number(),
      interval: Interval.nullable().describe('95 %, over the same'),
    }),
  ),
});
export const ExperimentAnswers = z.object({ answers: z.array(ExperimentAnswer) });

export type ExperimentAnswer = z.infer<typeof ExperimentAnswer>;
export type ExperimentAnswers = z.infer<typeof ExperimentAnswers>;
