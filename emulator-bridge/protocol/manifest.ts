// RunManifest: one run, everything resolved. In virtual time a run is a pure function of it; its hash is the run's identity.
import { z } from 'zod';
import { LIMITS, wholeWithin, within } from '#protocol/limits';
import { RecordedDelays } from '#protocol/recorded-delays';
import { SourceManifest } from '#protocol/source';
import { Handshake, ParamValues, TransportProfile } from '#protocol/spec';

export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

export const CapacitySpec = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('trace'),
    sha256: Sha256.describe('of the canonical `ms count` text'),
    name: z.string().max(512),
    /** The run begins this far into the trace. */
    offset_ms: wholeWithin(LIMITS.trace_offset_ms).default(0),
  }),
  z.strictObject({ kind: z.literal('constant'), rate_mbps: within(LIMITS.rate_mbps) }),
  z.strictObject({ kind: z.literal('unlimited') }),
]);

const LimitedQueue = z.strictObject({
  id: z.string(),
  /** null: infinite. A packet is refused when it would take the queue over the limit. */
  limit_bytes: wholeWithin(LIMITS.queue_bytes).nullable(),
  limit_packets: wholeWithin(LIMITS.queue_packets).nullable(),
  params: ParamValues,
});

/** One element of a path. `loss`, `bottleneck` and `delay` without values of their own are the link's, whose values are in LinkSpec. */
export const PathElementManifest = z.strictObject({
  element: z.string(),
  params: ParamValues.optional(),
  capacity: CapacitySpec.optional().describe('of a further bottleneck'),
  queue: LimitedQueue.optional().describe('of a further bottleneck'),
  recorded: RecordedDelays.safeExtend({
    offset_ms: within(LIMITS.recorded_offset_ms)
      .optional()
      .describe('the run begins this far into them. Absent: at their beginning'),
  })
    .optional()
    .describe('of jitter whose distribution is recorded'),
});

/** One direction. */
export const LinkSpec = z.strictObject({
  loss: within(LIMITS.loss),
  queue: LimitedQueue,
  capacity: CapacitySpec,
  delay_ms: within(LIMITS.delay_ms).describe('one-way propagation'),
  path: z
    .array(PathElementManifest)
    .min(LIMITS.path_elements.min)
    .max(LIMITS.path_elements.max)
    .optional()
    .describe('the elements in order; absent: loss, bottleneck, delay'),
});

export const FlowManifest = z.strictObject({
  cca: z.strictObject({
    id: z.string(),
    params: ParamValues,
    revision: z
      .string()
      .optional()
      .describe('external programs: of the operator’s configuration; of a plug-in the hash of its file'),
    program: Sha256.optional().describe('own algorithms: of the text'),
  }),
  start_s: within(LIMITS.start_s),
  stop_s: within(LIMITS.stop_s).positive().nullable(),
  extra_rtt_ms: within(LIMITS.extra_rtt_ms).describe('added on the acknowledgements’ way'),
  joins: wholeWithin(LIMITS.joins)
    .optional()
    .describe('place in `forward.path` where its data enter; absent: the first'),
  transport: TransportProfile,
  ack_every: wholeWithin(LIMITS.ack_every),
  ack: z
    .literal('linux')
    .optional()
    .describe('tcp, ack_every 2: as Linux’ receiver acknowledges; absent: by ack_every alone'),
  window_limit_bytes: wholeWithin(LIMITS.window_limit_bytes)
    .optional()
    .describe('receive window, in bytes of data; absent: what TCP can offer at most'),
  source: SourceManifest,
  ecn: z.boolean().optional().describe('absent: false'),
  handshake: Handshake.optional().describe('absent: none, or over TUN the programs’ own'),
});

export const RunManifest = z.strictObject({
  schema: z.literal(1),
  engine: z.enum(['virtual', 'realtime']),
  path: z.enum(['memory', 'udp', 'tun']),
  engine_version: z.string(),
  duration_s: within(LIMITS.duration_s),
  sample_period_ms: within(LIMITS.sample_period_ms),
  seed: wholeWithin(LIMITS.seed),
  repetition: wholeWithin(LIMITS.repetition),
  trace_start: z
    .enum(['run', 'first_packet'])
    .optional()
    .describe('tun only: the traces’ clock begins with the run (also when absent) or with the first packet'),
  qlog: z.boolean().optional().describe('keep a qlog of each flow over QUIC'),
  forward: LinkSpec,
  reverse: LinkSpec,
  flows: z.array(FlowManifest).min(LIMITS.flows.min).max(LIMITS.flows.max),
  /** Real-time runs are measurements, not functions of the manifest: this sets one apart from the next. */
  measurement: z.string().max(64).optional(),
});

export type RunManifest = z.infer<typeof RunManifest>;
export type PathElementManifest = z.infer<typeof PathElementManifest>;
export type LinkSpec = z.infer<typeof LinkSpec>;
export type CapacitySpec = z.infer<typeof CapacitySpec>;
export type FlowManifest = z.infer<typeof FlowManifest>;
