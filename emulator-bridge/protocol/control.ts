// Control frames: the JSON half of telemetry. A child writes hello first, end (or error) last; nothing else ends a run well.
import { z } from 'zod';
import { LIMITS, wholeWithin, within } from '#protocol/limits';
import { RunSummary } from '#protocol/summary';

export const StreamColumn = z.strictObject({
  name: z.string(),
  type: z.enum(['f64', 'f32']),
  unit: z.string(),
  label: z.string(),
  /** State names when the value is an index (a ribbon, not a line). */
  states: z.array(z.string()).optional(),
});

export const StreamInfo = z.discriminatedUnion('kind', [
  z.strictObject({
    stream: z.int(),
    kind: z.literal('link'),
    direction: z.enum(['forward', 'reverse']),
    columns: z.array(StreamColumn),
  }),
  z.strictObject({
    stream: z.int(),
    kind: z.literal('sender'),
    flow: z.int(),
    cca: z.string(),
    columns: z.array(StreamColumn),
  }),
  z.strictObject({
    stream: z.int(),
    kind: z.literal('receiver'),
    flow: z.int(),
    cca: z.string(),
    columns: z.array(StreamColumn),
  }),
  z.strictObject({
    stream: z.int(),
    kind: z.literal('element'),
    direction: z.enum(['forward', 'reverse']),
    place: z.int().min(0).describe('in the list of the direction, as in the summary’s `path`'),
    element: z.string(),
    label: z.string(),
    columns: z.array(StreamColumn),
  }),
]);

export const Hello = z.strictObject({
  type: z.literal('hello'),
  protocol: z.int(),
  engine_version: z.string(),
  clock: z.enum(['virtual', 'monotonic']),
  duration_s: z.number(),
  period_ms: z.number(),
  streams: z.array(StreamInfo),
});

export const RunEvent = z.strictObject({
  type: z.literal('event'),
  time_s: z.number(),
  flow: z.int().nullable(),
  event: z.enum([
    'flow_start',
    'connected',
    'flow_stop',
    'loss_episode',
    'recovered',
    'rto',
    'marked',
    'phase',
    'overrun',
    'unmodelled_loss',
    'link_change',
    'message',
  ]),
  /** connected: value: ms since flow_start; message: became whole; value: its delay in ms, detail: its bytes; phase: the new phase; loss_episode: packets; marked: marks that made the window smaller; overrun: what was late; unmodelled_loss: packets, detail: where they were lost, if that is known; link_change: the change as it was ordered, JSON. */
  detail: z.string().optional(),
  value: z.number().optional(),
});

export const Progress = z.strictObject({ type: z.literal('progress'), time_s: z.number() });
/** One process of the run; the bridge joins the parts of all processes into a RunSummary. */
export const SummaryPart = RunSummary.extend({ type: z.literal('summary') });
/** What the run cost; only with --cost, because it differs from one execution to the next. */
export const Cost = z.strictObject({
  type: z.literal('cost'),
  wall_s: z.number(),
  cpu_s: z.number(),
  packets: z.number(),
});
/** Real-time programs say where they listen (before `hello` or after it); the bridge introduces them to each other. */
export const Ready = z.strictObject({
  type: z.literal('ready'),
  role: z.enum(['emulator', 'sender', 'receiver']),
  port: z.int(),
});
export const ChildError = z.strictObject({
  type: z.literal('error'),
  message: z.string(),
  where: z.string().optional(),
});
export const End = z.strictObject({ type: z.literal('end'), time_s: z.number() });

export const ControlFrame = z.discriminatedUnion('type', [
  Hello,
  RunEvent,
  Progress,
  SummaryPart,
  Cost,
  Ready,
  ChildError,
  End,
]);

/**
 * The one line (JSON, `\n`) that a real-time program reads on stdin after its `ready`. `start_ns` is CLOCK_MONOTONIC: time 0 of the
 * run for every process. Ports are on 127.0.0.1; `senders` and `receivers` are indexed by flow. The end of stdin means: stop at once.
 */
export const Go = z.strictObject({
  type: z.literal('go'),
  start_ns: z.int().min(0),
  ports: z.strictObject({ emulator: z.int(), senders: z.array(z.int()), receivers: z.array(z.int()) }),
});

/** A line (JSON, `\n`) on the stdin of `paceline-tun` or `paceline-emulator` while it runs: applied at once, answered by the event `link_change`. */
export const LinkChange = z.strictObject({
  type: z.literal('set'),
  direction: z.enum(['forward', 'reverse']),
  /** A constant rate instead of what the manifest says. */
  rate_mbps: within(LIMITS.rate_mbps).optional(),
  /** Back to the manifest's trace, at the run's time. */
  capacity: z.literal('trace').optional(),
  delay_ms: within(LIMITS.delay_ms).optional(),
  loss: within(LIMITS.loss).optional(),
  /** null: no limit. A smaller limit drops nothing that already waits. */
  limit_bytes: wholeWithin(LIMITS.queue_bytes).nullable().optional(),
  limit_packets: wholeWithin(LIMITS.queue_packets).nullable().optional(),
});

export type StreamColumn = z.infer<typeof StreamColumn>;
export type StreamInfo = z.infer<typeof StreamInfo>;
export type Hello = z.infer<typeof Hello>;
export type RunEvent = z.infer<typeof RunEvent>;
export type Cost = z.infer<typeof Cost>;
export type SummaryPart = z.infer<typeof SummaryPart>;
export type Go = z.infer<typeof Go>;
export type LinkChange = z.infer<typeof LinkChange>;

/** The figures of a summary frame, as they are stored. */
export function figuresOf(part: SummaryPart): RunSummary {
  const figures: RunSummary & { type?: string } = { ...part };
  delete figures.type;
  return figures;
}

export type ControlFrame = z.infer<typeof ControlFrame>;
