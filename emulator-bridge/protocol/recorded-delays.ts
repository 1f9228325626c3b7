// Delays that were measured, for elements that repeat them.
import { z } from 'zod';
import { LIMITS, within } from '#protocol/limits';
import { line } from '#protocol/text';

const { min, max } = LIMITS.recorded_delays;
/** As the engine counts. */
const nanoseconds = (ms: number): number => Math.round(ms * 1e6);

/** Each holds from its time to the next one's. The last one holds as long as the one before it, then they begin anew, as a trace does. */
export const RecordedDelays = z
  .strictObject({
    name: line(200).optional(),
    times_ms: z.array(within(LIMITS.recorded_ms)).min(min).max(max).describe('from 0, each after the one before it'),
    delays_ms: z.array(within(LIMITS.delay_ms)).min(min).max(max).describe('one way; of each time'),
  })
  .superRefine(({ times_ms, delays_ms }, ctx) => {
    const fault = (path: (string | number)[], message: string): void => ctx.addIssue({ code: 'custom', path, message });
    if (times_ms.length !== delays_ms.length)
      fault(['delays_ms'], `there are ${times_ms.length} times, but ${delays_ms.length} delays`);
    if (times_ms[0] !== 0) fault(['times_ms', 0], 'must be 0: times count from the first delay');
    const early = times_ms.findIndex((time, i) => i > 0 && nanoseconds(time) <= nanoseconds(times_ms[i - 1] ?? 0));
    if (early > 0) fault(['times_ms', early], 'is not after the one before it');
  });

export type RecordedDelays = z.infer<typeof RecordedDelays>;

/** After this they begin anew. */
export function recordedPeriodMs({ times_ms }: Pick<RecordedDelays, 'times_ms'>): number {
  const last = times_ms.at(-1) ?? 0;
  return last + (last - (times_ms.at(-2) ?? last));
}
