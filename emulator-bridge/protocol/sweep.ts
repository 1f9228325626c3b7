// An axis that is any one parameter of the experiment: a place in its spec, and the values that are written there in turn.
import { z } from 'zod';

export const SweepValue = z.union([z.number(), z.boolean(), z.string().max(512)], {
  error: 'a value is a number, true, false or a word',
});

const path = z
  .string()
  .min(1)
  .max(200)
  .describe(
    'ccas.<id>.<parameter>, queues.<id>.<parameter>, flows.<place>.<field>, elements.<direction>.<place>.<field> or reverse.rate_mbps; places count from 0, * is all of them',
  );

export const Sweep = z.strictObject({ path, values: z.array(SweepValue).min(1).max(100) });
/** One of them. */
export const Swept = z.strictObject({ path, value: SweepValue });

export type SweepValue = z.infer<typeof SweepValue>;
export type Sweep = z.infer<typeof Sweep>;
export type Swept = z.infer<typeof Swept>;
