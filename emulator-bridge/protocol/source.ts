// What a flow's application has to send. All bytes and rates are those of packets on the wire, headers included, as everywhere.
import { z } from 'zod';
import { LIMITS, wholeWithin, within } from '#protocol/limits';
import { line } from '#protocol/text';

const rate_mbps = within(LIMITS.rate_mbps);

/** What the engine never hears of: the planner makes a rate of it for each trace. */
export const RATE_OF_MEAN = { min: 0.001, max: 1000 };
const rate_of_mean = within(RATE_OF_MEAN).describe(
  'instead of rate_mbps: in mean capacities of the cell’s trace, of which a BDP is too',
);

const Rate = z.strictObject({
  kind: z.literal('rate'),
  rate_mbps,
  catch_up: z
    .boolean()
    .optional()
    .describe(
      'false: packets whose time came while the flow could not take them are dropped, but for the last, as a ticker does. Absent: true',
    ),
});

const OnOff = z.strictObject({
  kind: z.literal('on_off'),
  on_s: within(LIMITS.spell_s).describe('of a spell of writing; the mean when they are drawn'),
  off_s: within(LIMITS.spell_s).describe('of a spell of silence'),
  durations: z.enum(['fixed', 'exponential']).default('fixed'),
  rate_mbps: rate_mbps.optional().describe('while it writes; absent: as much as the flow takes'),
});

interface EitherRate {
  readonly rate_mbps?: number | undefined;
  readonly rate_of_mean?: number | undefined;
}
const notBoth = ({ rate_mbps: rate, rate_of_mean: share }: EitherRate, ctx: z.RefinementCtx): void => {
  if (rate !== undefined && share !== undefined)
    ctx.addIssue({ code: 'custom', path: ['rate_of_mean'], message: 'is given beside rate_mbps: one of them' });
};
const RateAsked = Rate.extend({ rate_mbps: rate_mbps.optional(), rate_of_mean: rate_of_mean.optional() }).superRefine(
  (source, ctx) => {
    notBoth(source, ctx);
    if (source.rate_mbps === undefined && source.rate_of_mean === undefined)
      ctx.addIssue({ code: 'custom', path: ['rate_mbps'], message: 'is missing: this or rate_of_mean' });
  },
);
const OnOffAsked = OnOff.extend({ rate_of_mean: rate_of_mean.optional() }).superRefine(notBoth);

const Transfers = z
  .strictObject({
    kind: z.literal('transfers'),
    bytes: wholeWithin(LIMITS.message_bytes).describe('of a transfer; the mean when sizes are drawn'),
    sizes: z.enum(['fixed', 'exponential', 'pareto', 'lognormal']).default('fixed'),
    shape: within({ min: LIMITS.lognormal_shape.min, max: LIMITS.pareto_shape.max })
      .optional()
      .describe('pareto: its exponent, above 1; lognormal: standard deviation of the logarithm'),
    arrivals: z
      .enum(['after', 'every', 'poisson'])
      .default('after')
      .describe('each after the end of the one before it and the interval, at the interval, or at random'),
    interval_s: within(LIMITS.interval_s).default(0),
    count: wholeWithin(LIMITS.messages).optional().describe('absent: as many as fit into the run'),
  })
  .superRefine((transfers, ctx) => {
    const fault = (key: string, message: string): void => ctx.addIssue({ code: 'custom', path: [key], message });
    const shaped = transfers.sizes === 'pareto' || transfers.sizes === 'lognormal';
    if (shaped && transfers.shape === undefined)
      fault('shape', `is missing: sizes that are ${transfers.sizes} need it`);
    if (!shaped && transfers.shape !== undefined) fault('shape', `is for sizes that are pareto or lognormal`);
    const { pareto_shape, lognormal_shape, arrival_s } = LIMITS;
    if (transfers.sizes === 'pareto' && (transfers.shape ?? 2) < pareto_shape.min)
      fault('shape', `must be at least ${pareto_shape.min}: below, Pareto sizes have no mean`);
    if (transfers.sizes === 'lognormal' && (transfers.shape ?? 1) > lognormal_shape.max)
      fault('shape', `must be at most ${lognormal_shape.max}`);
    if (transfers.arrivals !== 'after' && transfers.interval_s < arrival_s.min)
      fault('interval_s', `must be at least ${arrival_s.min} s between arrivals`);
  });

const Frames = z
  .strictObject({
    kind: z.literal('frames'),
    fps: within(LIMITS.fps),
    rate_mbps: rate_mbps.describe('the mean; the most when it adapts'),
    key_every: wholeWithin(LIMITS.key_every).default(1).describe('every n-th frame is a key frame'),
    key_ratio: within(LIMITS.key_ratio).default(1).describe('size of a key frame in other frames'),
    deadline_ms: within(LIMITS.deadline_ms).default(100).describe('from a frame’s birth to its last byte'),
    least_rate_mbps: rate_mbps
      .optional()
      .describe('present: frames follow the rate that the CCA allows at their birth, from this to rate_mbps'),
  })
  .superRefine((frames, ctx) => {
    if (frames.least_rate_mbps !== undefined && frames.least_rate_mbps > frames.rate_mbps)
      ctx.addIssue({ code: 'custom', path: ['least_rate_mbps'], message: 'is more than rate_mbps' });
  });

/** What was recorded: when how many bytes were written. */
export const Replay = z
  .strictObject({
    kind: z.literal('replay'),
    name: line(200).optional(),
    times_ms: z.array(within(LIMITS.recorded_ms)).min(LIMITS.recorded_writes.min).max(LIMITS.recorded_writes.max),
    bytes: z.array(wholeWithin(LIMITS.message_bytes)).min(LIMITS.recorded_writes.min).max(LIMITS.recorded_writes.max),
  })
  .superRefine((replay, ctx) => {
    if (replay.times_ms.length !== replay.bytes.length)
      ctx.addIssue({
        code: 'custom',
        path: ['bytes'],
        message: `there are ${replay.times_ms.length} times, but ${replay.bytes.length} sizes`,
      });
    const early = replay.times_ms.findIndex((time, i) => i > 0 && time < (replay.times_ms[i - 1] ?? 0));
    if (early > 0) ctx.addIssue({ code: 'custom', path: ['times_ms', early], message: 'is before the one before it' });
  });

const Bulk = z.strictObject({ kind: z.literal('bulk') });

/** The application. What the window or the link holds back waits in it and leaves later. */
export const SourceSpec = z.discriminatedUnion('kind', [Bulk, RateAsked, OnOffAsked, Transfers, Frames, Replay]);
/** The same with every rate as a number. */
export const SourceManifest = z.discriminatedUnion('kind', [Bulk, Rate, OnOff, Transfers, Frames, Replay]);

export type Replay = z.infer<typeof Replay>;
export type SourceSpec = z.infer<typeof SourceSpec>;
export type SourceManifest = z.infer<typeof SourceManifest>;
export type SourceKind = SourceSpec['kind'];

/** Those that write messages: data written at one moment and of use when all of it has arrived. */
export const writesMessages = ({ kind }: Pick<SourceSpec, 'kind'>): boolean =>
  kind === 'transfers' || kind === 'frames' || kind === 'replay';

/** 20 ms apart for ten seconds: a voice call, until a file is chosen. */
const CALL = Array.from({ length: 500 }, (_, i) => i * 20);

/** What each begins as where its kind alone is chosen. */
export const USUAL_SOURCES: Readonly<Record<SourceKind, SourceSpec>> = {
  bulk: { kind: 'bulk' },
  rate: { kind: 'rate', rate_mbps: 10 },
  on_off: { kind: 'on_off', on_s: 2, off_s: 2, durations: 'fixed' },
  transfers: { kind: 'transfers', bytes: 100_000, sizes: 'fixed', arrivals: 'after', interval_s: 0.5 },
  frames: { kind: 'frames', fps: 30, rate_mbps: 4, key_every: 30, key_ratio: 5, deadline_ms: 100 },
  replay: { kind: 'replay', name: 'voice, 20 ms', times_ms: CALL, bytes: CALL.map(() => 200) },
};
