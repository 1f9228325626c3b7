// ExperimentSpec: what a person means. The page's form, the HTTP API and the command line all speak it.
import { z } from 'zod';
import { LIMITS, SET_LIMITS, wholeWithin, within } from '#protocol/limits';
import { RecordedDelays } from '#protocol/recorded-delays';
import { SourceSpec } from '#protocol/source';
import { Sweep } from '#protocol/sweep';
import { line, text } from '#protocol/text';

const id = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'an id: lower-case letters, digits, - and _');
export const ParamValues = z.record(z.string().max(64), z.union([z.number(), z.boolean(), z.string().max(512)]));

/** A trace by the name or the content hash under which the server knows it (on the command line also a file), or a constant rate. */
export const TraceRef = z.union(
  [z.strictObject({ trace: z.string().min(1).max(512) }), z.strictObject({ rate_mbps: within(LIMITS.rate_mbps) })],
  { error: 'a trace is {"trace": "name"} or {"rate_mbps": n}' },
);

/** The name of the set that a trace was taken from, as its members are told together. */
const set = line(200).min(1);

/** A trace in the list of an experiment. */
export const ListedTrace = z.union(
  [
    z.strictObject({
      trace: z.string().min(1).max(512),
      set: set.optional().describe('the set that it was taken from: its members are grouped by this name'),
    }),
    z.strictObject({ rate_mbps: within(LIMITS.rate_mbps) }),
  ],
  { error: 'a trace is {"trace": "name"} or {"rate_mbps": n}' },
);

const seed = wholeWithin(SET_LIMITS.recipe_seed);

/** Several traces of one network: each seed of a recipe is another one. */
export const SeedSet = z.strictObject({
  recipe: z
    .string()
    .min(1)
    .max(512)
    .describe('id of a shipped recipe, or a trace that was made from one, by name or content hash'),
  seeds: z.union(
    [
      z.array(seed).min(1).max(SET_LIMITS.seeds.max),
      z.strictObject({ from: seed.default(1), count: wholeWithin(SET_LIMITS.seeds) }),
    ],
    { error: `seeds are a list of whole numbers, or {"from": n, "count": n}; at most ${SET_LIMITS.seeds.max}` },
  ),
});

export const TRACE_FOLDERS = ['recordings', 'recipes', 'own'] as const;
const folder = z.enum(TRACE_FOLDERS).describe('recordings and recipes: what is shipped of either; own: one’s own');
const technology = line(60).min(1).describe('this one, or those that go on after it: 5G is 5G mmWave, too');
const place = line(60).min(1).describe('exactly this one');

/** Traces of the library: all that every key is true of. */
export const LibrarySet = z.union([
  z.strictObject({ folder, technology: technology.optional(), place: place.optional() }),
  z.strictObject({ technology, place: place.optional() }),
  z.strictObject({ place }),
]);

/** As a person asks for it: a trace, or several at once. */
export const TraceEntry = z.union([...ListedTrace.options, SeedSet, ...LibrarySet.options], {
  error:
    'a trace is {"trace": "name"} or {"rate_mbps": n}; several are {"recipe": "id", "seeds": […]} or {"folder": "recordings", "technology": "5G"}',
});

export const CcaRef = z.strictObject({ id, params: ParamValues.default({}) });

export const TransportProfile = z.enum(['tcp', 'quic', 'quic-grow-underutilised']);

/** Queue limit ("buffer"). 1 BDP = mean trace capacity x base RTT, or x the link's own delay: half of it, one way. */
export const BufferSpec = z.union(
  [
    z.strictObject({
      bdp: z.number().positive().max(10_000),
      delay: z
        .literal('link')
        .optional()
        .describe('1 BDP is mean capacity × the link’s delay, half the base RTT. Absent: × the base RTT'),
    }),
    z.strictObject({ packets: z.int().min(1).max(100_000_000) }),
    z.strictObject({ bytes: z.int().min(1500).max(100_000_000_000) }),
    z.strictObject({
      ms: z.number().positive().max(3_600_000).describe('milliseconds of queueing at the mean capacity of the trace'),
    }),
    z.strictObject({ infinite: z.literal(true) }),
  ],
  {
    error:
      'a queue limit is {"bdp": n}, {"bdp": n, "delay": "link"}, {"packets": n}, {"bytes": n}, {"ms": n} or {"infinite": true}',
  },
);

export const QueueSpec = z.strictObject({ id: id.default('droptail'), params: ParamValues.default({}) });

const WindowLimit = z.union([wholeWithin(LIMITS.window_limit_bytes), z.literal('none')], {
  error: 'a window limit is "none" or whole bytes, 1500 to 1 GiB',
});

/** A CCA as an entry of the matrix: it may bring the transport, the discipline and the receive window along with which it is meant. */
export const ChosenCca = CcaRef.extend({
  transport: TransportProfile.optional().describe('of its own flows, whatever these and `transports` say'),
  queue: QueueSpec.optional().describe('of the link in its cells, whatever `queues` says'),
  window_limit_bytes: WindowLimit.optional().describe(
    'receive window of its own flows, whatever these say: a program over UDP has none where TCP has one',
  ),
});

/**
 * An element of a path. `loss`, `bottleneck` and `delay` without values of their own are the cell's: its loss, its trace with queue and
 * limit, its half of the base RTT.
 */
export const PathElement = z.strictObject({
  element: id,
  params: ParamValues.optional(),
  capacity: TraceRef.optional().describe('of a further bottleneck'),
  queue: QueueSpec.optional().describe('of a further bottleneck; absent: droptail'),
  buffer: BufferSpec.optional().describe(
    'queue limit of a further bottleneck; BDP and ms are of its own capacity and the base RTT. Absent: infinite',
  ),
  recorded: RecordedDelays.optional().describe('of jitter whose distribution is recorded'),
});
const Path = z.array(PathElement).min(LIMITS.path_elements.min).max(LIMITS.path_elements.max).optional();
export const PathElements = z.strictObject({
  forward: Path.describe('the data’s direction, from the senders on'),
  reverse: Path.describe('the acknowledgements’ direction, from the receivers on'),
});

export const Handshake = z.enum(['none', 'full', 'early_data']);
/** How a receiver over TCP acknowledges: as Linux' does, or every `ack_every`-th packet and nothing but that. */
export const AckPolicy = z.enum(['linux', 'plain']);

/** So far Linux lets a receive buffer grow by itself (tcp_rmem). */
export const USUAL_WINDOW_LIMIT = 6 * 2 ** 20;

export const FlowSpec = z.strictObject({
  /** A CCA id, or `$cca`: the cell's own. */
  cca: z.union([z.literal('$cca'), CcaRef]).default('$cca'),
  start_s: within(LIMITS.start_s).default(0),
  /** Stops sending; absent: runs to the end. */
  stop_s: within(LIMITS.stop_s).positive().optional(),
  extra_rtt_ms: within(LIMITS.extra_rtt_ms).default(0),
  joins: wholeWithin(LIMITS.joins)
    .optional()
    .describe(
      'where the flow’s data enter the path: a place in `elements.forward`, from 0; what comes before it they do not meet. Absent: at the beginning',
    ),
  transport: TransportProfile.default('tcp'),
  /** The receiver acknowledges every n-th packet at the latest (or after 40 ms). */
  ack_every: wholeWithin(LIMITS.ack_every).default(2),
  ack: AckPolicy.optional().describe(
    'linux: as Linux’ TCP receiver acknowledges; plain: every ack_every-th packet at the latest, or after 40 ms. Absent: linux for tcp with ack_every 2, else plain',
  ),
  window_limit_bytes: WindowLimit.default(USUAL_WINDOW_LIMIT).describe(
    'receive window: so much data may be on their way unacknowledged, whatever the CCA says; external programs have their own',
  ),
  source: SourceSpec.default({ kind: 'bulk' }),
  handshake: Handshake.optional().describe(
    'how the connection opens, for our transport: none (also when absent): it is open at the start; full: data after a round trip, as with TCP and QUIC; early_data: TCP Fast Open, QUIC 0-RTT. Over TUN the programs’ own handshakes take place',
  ),
  ecn: z
    .boolean()
    .default(false)
    .describe(
      'window-based CCAs: packets may be marked instead of dropped, and a mark is answered as a loss is (RFC 3168); the kernel’s CCAs: as its TCP has it, for all flows of the run',
    ),
});

/** Whether its receiver can acknowledge as Linux' does. */
const asLinux = ({ transport, ack_every }: Pick<FlowSpec, 'transport' | 'ack_every'>): boolean =>
  transport === 'tcp' && ack_every === 2;

/** How the receiver of a flow acknowledges. */
export const ackPolicy = (flow: Pick<FlowSpec, 'transport' | 'ack_every' | 'ack'>): AckPolicy =>
  flow.ack ?? (asLinux(flow) ? 'linux' : 'plain');

/** Where the value of an axis takes TCP’s way to acknowledge from a flow, it goes without saying that the flow leaves it. */
export const withAbleAck = ({ ack, ...flow }: FlowSpec): FlowSpec =>
  ack === undefined || (ack === 'linux' && !asLinux(flow)) ? flow : { ...flow, ack };

export const VARY = ['start_jitter', 'trace_phase', 'cca_random'] as const;

const fields = {
  name: line(200).min(1).default('Untitled experiment'),
  note: text(10_000).default(''),
  engine: z.enum(['virtual', 'realtime']).default('virtual'),
  path: z.enum(['udp']).default('udp').describe('how packets travel in real time'),
  duration_s: within(LIMITS.duration_s).default(60),
  repetitions: wholeWithin(LIMITS.repetitions).default(1),
  seed: wholeWithin(LIMITS.seed).default(1),
  vary: z
    .array(z.enum(VARY))
    .default(['start_jitter', 'cca_random'])
    .describe('what differs between repetitions in virtual time'),
  trace_from_s: within(LIMITS.start_s)
    .optional()
    .describe(
      'where in its trace each link is when a run begins, seconds; with trace_phase varied the first repetition begins there, and the others move on; absent: at the trace’s beginning',
    ),
  reverse: TraceRef.optional().describe('capacity of the acknowledgements’ direction; absent: unlimited'),
  ccas: z.array(ChosenCca).min(1).max(100),
  buffers: z
    .array(BufferSpec)
    .min(1)
    .max(100)
    .default([{ bdp: 1 }]),
  bdp_of: z
    .enum(['trace', 'part'])
    .optional()
    .describe(
      'what 1 BDP and limits in ms mean: the mean capacity of the whole trace (also when absent), or of the part that runs, its first duration_s',
    ),
  queues: z
    .array(QueueSpec)
    .min(1)
    .max(20)
    .default([{ id: 'droptail', params: {} }]),
  transports: z
    .array(TransportProfile)
    .min(1)
    .max(TransportProfile.options.length)
    .optional()
    .describe('of the flows that run the chosen CCAs; absent: as each flow says'),
  base_rtt_ms: z.array(within(LIMITS.base_rtt_ms)).min(1).max(50).default([20]),
  trace_start: z
    .enum(['run', 'first_packet'])
    .default('run')
    .describe('kernel CCAs: the traces’ clock begins with the run or with the first data packet'),
  loss: z.array(within(LIMITS.loss)).min(1).max(20).default([0]).describe('random loss probability before the queue'),
  elements: PathElements.optional().describe(
    'the elements of the path in order; an absent direction: loss, bottleneck, delay',
  ),
  flows: z
    .array(FlowSpec)
    .min(LIMITS.flows.min)
    .max(LIMITS.flows.max)
    .default([FlowSpec.parse({})]),
  sweep: Sweep.optional().describe('any other parameter as an axis: a place in this document and its values'),
  full_scores: z.boolean().default(false).describe('adds a self-pair and a pair with the baseline CCA to each cell'),
  qlog: z.boolean().default(false).describe('keep a qlog of each flow over QUIC, for qvis'),
  sample_period_ms: within(LIMITS.sample_period_ms).default(10),
};

interface Timed {
  readonly duration_s: number;
  readonly flows: readonly FlowSpec[];
}

function checkFlows(spec: Timed, ctx: z.RefinementCtx): void {
  spec.flows.forEach((flow, i) => {
    if (flow.start_s >= spec.duration_s)
      ctx.addIssue({
        code: 'custom',
        path: ['flows', i, 'start_s'],
        message: `starts at ${flow.start_s} s, after the run's end at ${spec.duration_s} s`,
      });
    if (flow.ack === 'linux' && !asLinux(flow))
      ctx.addIssue({
        code: 'custom',
        path: ['flows', i, 'ack'],
        message: 'linux is for tcp with ack_every 2; others are "plain"',
      });
    if (flow.stop_s !== undefined && flow.stop_s <= flow.start_s)
      ctx.addIssue({
        code: 'custom',
        path: ['flows', i, 'stop_s'],
        message: `stops at ${flow.stop_s} s, before its start at ${flow.start_s} s`,
      });
  });
}

const listOf = <T extends z.ZodType>(entry: T) => z.array(entry).min(SET_LIMITS.traces.min).max(SET_LIMITS.traces.max);

export const ExperimentSpec = z.strictObject({ ...fields, traces: listOf(ListedTrace) }).superRefine(checkFlows);

/** The same as a person asks for it: sets of traces are what the server makes traces of, and a word to an editor is none of the experiment. */
export const AskedSpec = z
  .strictObject({
    $schema: z
      .string()
      .max(2048)
      .optional()
      .describe('where this schema is, for editors that complete and check by it; the experiment is the same without'),
    ...fields,
    traces: listOf(TraceEntry),
  })
  .superRefine(checkFlows)
  .overwrite(({ $schema: _, ...spec }) => spec);

export type ExperimentSpec = z.infer<typeof ExperimentSpec>;
export type ExperimentSpecInput = z.input<typeof ExperimentSpec>;
export type AskedSpec = z.infer<typeof AskedSpec>;
export type AskedSpecInput = z.input<typeof AskedSpec>;
export type ListedTrace = z.infer<typeof ListedTrace>;
export type SeedSet = z.infer<typeof SeedSet>;
export type LibrarySet = z.infer<typeof LibrarySet>;
export type TraceEntry = z.infer<typeof TraceEntry>;
export type TraceRef = z.infer<typeof TraceRef>;
export type CcaRef = z.infer<typeof CcaRef>;
export type ChosenCca = z.infer<typeof ChosenCca>;
export type TransportProfile = z.infer<typeof TransportProfile>;
export type BufferSpec = z.infer<typeof BufferSpec>;
export type QueueSpec = z.infer<typeof QueueSpec>;
export type PathElement = z.infer<typeof PathElement>;
export type FlowSpec = z.infer<typeof FlowSpec>;
export type AckPolicy = z.infer<typeof AckPolicy>;
export type ParamValues = z.infer<typeof ParamValues>;
export type Vary = (typeof VARY)[number];
