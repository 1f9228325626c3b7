// What is expected of an experiment: a file that names its spec and says what must hold, for `paceline assert`.
import { z } from 'zod';
import { line } from '#protocol/text';

/** So many are judged at once: beyond it a correction for all of them leaves nothing to be found. */
export const MOST_EXPECTATIONS = 500;

const select = z
  .string()
  .max(1000)
  .default('')
  .describe(
    'which runs, in the language of Runs, by their conditions: cca:cubic buffer:1bdp; absent: all that run alone',
  );
const metric = z.string().max(64).describe('a metric by its id, as docs/metrics.md has them');
const name = line(200).min(1).optional().describe('what it is called where it is told; absent: metric and bound');

export const Bound = z
  .strictObject({
    name,
    select,
    metric,
    at_least: z.number().optional(),
    at_most: z.number().optional(),
    of: z
      .enum(['cells', 'runs', 'all'])
      .default('cells')
      .describe('what keeps the bound: the mean of every cell, every single run, or the mean of all of them'),
  })
  .refine(({ at_least, at_most }) => at_least !== undefined || at_most !== undefined, {
    error: 'a bound is at_least, at_most or both',
  })
  .refine(({ at_least = -Infinity, at_most = Infinity }) => at_least <= at_most, {
    error: 'at_least is more than at_most: nothing can be both',
    path: ['at_least'],
  });

/** A file that `paceline baseline save` wrote, or an experiment of another data folder. */
export const BaselineRef = z.union(
  [
    z.string().min(1).max(1024),
    z.strictObject({
      data_dir: z.string().min(1).max(1024),
      experiment: z.string().max(64).optional().describe('its id; absent: the newest that asks the same'),
    }),
  ],
  { error: 'a baseline is "FILE.json" or {"data_dir": "DIR"}' },
);

export const NotWorse = z.strictObject({
  name,
  select,
  metric,
  not_worse_than: BaselineRef,
  margin: z
    .number()
    .min(0)
    .max(10)
    .default(0)
    .describe(
      'so much worse is allowed: of shares in absolute terms, else as a part of the value (0.02: two per cent)',
    ),
  of: z
    .enum(['all', 'cells'])
    .default('all')
    .describe('what is tested: all that was chosen at once, or each cell by itself, which takes more repetitions'),
});

/** Which of the two is meant says a key of it: faults are those of the kind that was meant. */
export const Expectation = z.unknown().transform((value, context): Bound | NotWorse => {
  const isCompared = typeof value === 'object' && value !== null && 'not_worse_than' in value;
  const parsed = (isCompared ? NotWorse : Bound).safeParse(value);
  if (parsed.success) return parsed.data;
  for (const { path, message } of parsed.error.issues) context.addIssue({ code: 'custom', path, message });
  return z.NEVER;
});

const head = {
  $schema: z.string().max(1024).optional(),
  spec: z
    .union([z.string().min(1).max(1024), z.record(z.string(), z.unknown())], {
      error: 'the spec is written here, or the file that has it is named',
    })
    .describe('the experiment, or the name of its file, seen from this one'),
  error_rate: z
    .number()
    .positive()
    .max(0.5)
    .default(0.05)
    .describe('how often any of the comparisons with baselines may be called worse where none is'),
};
const listOf = <T extends z.ZodType>(entry: T) => z.array(entry).min(1).max(MOST_EXPECTATIONS);

export const Expectations = z.strictObject({ ...head, expectations: listOf(Expectation) });
/** The same for those who write JSON Schema: a transformation has none. */
export const WrittenExpectations = z.strictObject({ ...head, expectations: listOf(z.union([Bound, NotWorse])) });

export type Bound = z.infer<typeof Bound>;
export type NotWorse = z.infer<typeof NotWorse>;
export type BaselineRef = z.infer<typeof BaselineRef>;
export type Expectations = z.infer<typeof Expectations>;
