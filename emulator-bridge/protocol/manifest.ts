// RunManifest: one run, everything resolved. In virtual time a run is a pure function of it; its hash is the run's identity.
import { z } from 'zod';
import { SourceSpec } from '#protocol/source';
import { Handshake, ParamValues, TransportProfile } from '#protocol/spec';

export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

export const CapacitySpec = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('trace'),
    sha256: Sha256.describe('of the canonical `ms count` text'),
    name: z.string().max(512),
    /** The run begins this far into the trace. */
    offset_ms: z.int().min(0).default(0),
  }),
  z.strictObject({ kind: z.literal('constant'), rate_mbps: z.number().positive() }),
  z.strictObject({ kind: z.literal('unlimited') }),
]);

/** One direction: loss -> queue + capacity -> delay. */
export const LinkSpec = z.strictObject({
  loss: z.number().min(0).max(0.9),
  queue: z.strictObject({
    id: z.string(),
    /** null: infinite. A packet is refused when it would take the queue over the limit. */
    limit_bytes: z.int().min(1500).nullable(),
    limit_packets: z.int().min(1).nullable(),
    params: ParamValues,
  }),
  capacity: CapacitySpec,
  delay_ms: z.number().min(0).describe('one-way propagation'),
});

export const FlowManifest = z.strictObject({
  cca: z.strictObject({
    id: z.string(),
    params: ParamValues,
    revision: z.string().optional().describe('external programs: of the operator’s configuration'),
  }),
  start_s: z.number().min(0),
  stop_s: z.number().positive().nullable(),
  extra_rtt_ms: z.number().min(0).describe('added on the acknowledgements’ way'),
  transport: TransportProfile,
  ack_every: z.int().min(1),
  source: SourceSpec,
  ecn: z.boolean().optional().describe('absent: false'),
  handshake: Handshake.optional().describe('absent: none, or over TUN the programs’ own'),
});

export const RunManifest = z.strictObject({
  schema: z.literal(1),
  engine: z.enum(['virtual', 'realtime']),
  path: z.enum(['memory', 'udp', 'tun']),
  engine_version: z.string(),
  duration_s: z.number().positive(),
  sample_period_ms: z.number().positive(),
  seed: z.int().min(0),
  repetition: z.int().min(0),
  trace_start: z
    .enum(['run', 'first_packet'])
    .optional()
    .describe('tun only: the traces’ clock begins with the run (also when absent) or with the first packet'),
  qlog: z.boolean().optional().describe('keep a qlog of each flow over QUIC'),
  forward: LinkSpec,
  reverse: LinkSpec,
  flows: z.array(FlowManifest).min(1).max(64),
  /** Real-time runs are measurements, not functions of the manifest: this sets one apart from the next. */
  measurement: z.string().max(64).optional(),
});

export type RunManifest = z.infer<typeof RunManifest>;
export type LinkSpec = z.infer<typeof LinkSpec>;
export type CapacitySpec = z.infer<typeof CapacitySpec>;
export type FlowManifest = z.infer<typeof FlowManifest>;
