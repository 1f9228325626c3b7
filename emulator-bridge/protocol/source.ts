// What a flow's application has to send. All bytes and rates are those of packets on the wire, headers included, as everywhere.
import { z } from 'zod';
import { line } from '#protocol/text';

const rate_mbps = z.number().min(0.01).max(100_000);
const seconds = z.number().min(0.001).max(86_400);
const MOST_RECORDED = 100_000;

const OnOff = z.strictObject({
  kind: z.literal('on_off'),
  on_s: seconds.describe('of a spell of writing; the mean when they are drawn'),
  off_s: seconds.describe('of a spell of silence'),
  durations: z.enum(['fixed', 'exponential']).default('fixed'),
  rate_mbps: rate_mbps.optional().describe('while it writes; absent: as much as the flow takes'),
});

const Transfers = z
  .strictObject({
    kind: z.literal('transfers'),
    bytes: z.int().min(1).max(1e12).describe('of a transfer; the mean when sizes are drawn'),
    sizes: z.enum(['fixed', 'exponential', 'pareto', 'lognormal']).default('fixed'),
    shape: z
      .number()
      .min(0.01)
      .max(100)
      .optional()
      .describe('pareto: its exponent, above 1; lognormal: standard deviation of the logarithm'),
    arrivals: z
      .enum(['after', 'every', 'poisson'])
      .default('after')
      .describe('each after the end of the one before it and the interval, at the interval, or at random'),
    interval_s: z.number().min(0).max(86_400).default(0),
    count: z.int().min(1).max(1e12).optional().describe('absent: as many as fit into the run'),
  })
  .superRefine((transfers, ctx) => {
    const fault = (key: string, message: string): void => ctx.addIssue({ code: 'custom', path: [key], message });
    const shaped = transfers.sizes === 'pareto' || transfers.sizes === 'lognormal';
    if (shaped && transfers.shape === undefined)
      fault('shape', `is missing: sizes that are ${transfers.sizes} need it`);
    if (!shaped && transfers.shape !== undefined) fault('shape', `is for sizes that are pareto or lognormal`);
    if (transfers.sizes === 'pareto' && (transfers.shape ?? 2) < 1.01)
      fault('shape', 'must be at least 1.01: below, Pareto sizes have no mean');
    if (transfers.sizes === 'lognormal' && (transfers.shape ?? 1) > 10) fault('shape', 'must be at most 10');
    if (transfers.arrivals !== 'after' && transfers.interval_s < 0.001)
      fault('interval_s', 'must be at least 0.001 s between arrivals');
  });

const Frames = z
  .strictObject({
    kind: z.literal('frames'),
    fps: z.number().min(0.1).max(1000),
    rate_mbps: rate_mbps.describe('the mean; the most when it adapts'),
    key_every: z.int().min(1).max(1_000_000).default(1).describe('every n-th frame is a key frame'),
    key_ratio: z.number().min(1).max(1000).default(1).describe('size of a key frame in other frames'),
    deadline_ms: z.number().min(0.1).max(3_600_000).default(100).describe('from a frame’s birth to its last byte'),
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
    times_ms: z.array(z.number().min(0).max(86_400_000)).min(1).max(MOST_RECORDED),
    bytes: z.array(z.int().min(1).max(1e12)).min(1).max(MOST_RECORDED),
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

/** The application. What the window or the link holds back waits in it and leaves later. */
export const SourceSpec = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('bulk') }),
  z.strictObject({ kind: z.literal('rate'), rate_mbps }),
  OnOff,
  Transfers,
  Frames,
  Replay,
]);

export type Replay = z.infer<typeof Replay>;
export type SourceSpec = z.infer<typeof SourceSpec>;
export type SourceKind = SourceSpec['kind'];

/** Those that write messages: data written at one moment and of use when all of it has arrived. */
export const writesMessages = ({ kind }: SourceSpec): boolean =>
  kind === 'transfers' || kind === 'frames' || kind === 'replay';
