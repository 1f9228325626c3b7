// Resources of /api/v1. The OpenAPI document, the server's validation and the page's client are made from these schemas.
import { z } from 'zod';
import { IsPrivate, Maker } from '#protocol/access';
import { Cost } from '#protocol/control';
import { TraceEdit } from '#protocol/edit';
import { ListedLabels } from '#protocol/labels';
import { RunManifest } from '#protocol/manifest';
import { BufferSpec, ChosenCca, ExperimentSpec, QueueSpec, TraceRef, TransportProfile } from '#protocol/spec';
import { RunSummary } from '#protocol/summary';
import { Swept } from '#protocol/sweep';
import { line, text } from '#protocol/text';
import { TraceForm, TraceInfo, TracePreview, TraceProblem } from '#protocol/trace';

/** RFC 9457 problem details, with our stable `code` and the place of the fault. */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  code: z.string(),
  detail: z.string(),
  /** JSON path, file and line, run id …: where to look. */
  where: z.string().optional(),
  /** What to do next. */
  hint: z.string().optional(),
  /** Every fault of a refused document: its JSON path and the reason. */
  faults: z.array(z.object({ where: z.string(), detail: z.string() })).optional(),
  /** Why a trace file was refused. */
  trace: TraceProblem.optional(),
});

export const TraceRecord = z.object({
  id: z.string().describe('content hash'),
  name: z.string(),
  origin: z.enum(['library', 'upload', 'file', 'recipe', 'edit']),
  description: z.string(),
  licence: z.string().describe('under which it may be passed on, as its owner says it; empty: not known'),
  source: z.string().describe('where it comes from: an address, a citation, a note'),
  technology: z.string().describe('of the link, as its owner says it: 3G HSPA, 4G LTE, 5G mmWave …; empty: not known'),
  place: z.string().describe('where it was: a city, a road, indoors …; empty: not known'),
  formerly: z.array(z.string()).describe('names that it had before: specs may go on using them'),
  created_at: z.string(),
  info: TraceInfo,
  /** 200 mean rates over the period, Mbps: the thumbnail. */
  spark: z.array(z.number()),
  edit: TraceEdit.optional().describe('what was done to which trace, if this is an edit'),
  labels: ListedLabels.optional().describe('absent: nothing is said of it'),
  private: IsPrivate,
});

/** An uploaded file that is looked at before it becomes a trace: `info` and `preview`, or the problem. */
export const TraceSourceRecord = z.object({
  id: z.string(),
  name: z.string(),
  formats: z.array(TraceForm).describe('what it could be read as'),
  info: TraceInfo.nullable(),
  preview: TracePreview.nullable(),
  problem: TraceProblem.nullable(),
});

/** What a person may say of a trace. */
export const TraceChange = z
  .strictObject({
    name: line(200).min(1),
    description: text(2000).trim(),
    licence: line(200),
    source: text(2000).trim(),
    technology: line(60),
    place: line(60),
  })
  .partial();

export const TraceList = z.object({ traces: z.array(TraceRecord) });

export const RunState = z.enum(['queued', 'running', 'done', 'failed', 'cancelled', 'invalid']);
export const RunRole = z.enum(['solo', 'self_pair', 'baseline_pair']);

/** Coordinates of a run in its experiment's matrix. */
export const Cell = z.object({
  /** Stable within the experiment; the same for all repetitions and roles of the cell. */
  key: z.string(),
  trace: TraceRef,
  trace_name: z.string(),
  trace_set: z.string().optional().describe('the set that the trace was taken from'),
  cca: ChosenCca,
  buffer: BufferSpec,
  queue: QueueSpec.describe('of `queues`; a CCA with a discipline of its own has that instead'),
  transport: TransportProfile.optional().describe(
    'of `transports`; a CCA with a transport of its own has that instead',
  ),
  base_rtt_ms: z.number(),
  loss: z.number(),
  sweep: Swept.optional().describe('the value of the spec’s sweep; absent: there is none, or it changes nothing here'),
  /** null: infinite. */
  limit_bytes: z.number().nullable(),
});

export const RunRef = z.object({
  id: z.string(),
  cell: z.string(),
  role: RunRole,
  repetition: z.int(),
  state: RunState,
  reason: z.string().nullable(),
  /** Link time reached, seconds. */
  time_s: z.number(),
  summary: RunSummary.nullable(),
});

/** What has come between a run and its end, through no fault of its own: it is made again. */
export const RunSetback = z.object({
  reason: z.string().describe('what came between, the last time'),
  tries: z.int().describe('how often it was tried so far, as far as this counts against it'),
  most: z.int().describe('it fails when it was tried so often'),
  retry_in_s: z.number().nullable().describe('null: when its turn comes'),
});

export const RunRecord = z.object({
  id: z.string(),
  state: RunState,
  reason: z.string().nullable(),
  /** Last lines the child wrote to stderr, when it failed. */
  stderr_tail: z.string().nullable(),
  manifest: RunManifest,
  summary: RunSummary.nullable(),
  cost: Cost.omit({ type: true })
    .extend({ worker: z.string().optional().describe('that made it, if the server did not (docs/workers.md)') })
    .nullable(),
  time_s: z.number(),
  created_at: z.string(),
  started_at: z.string().nullable(),
  finished_at: z.string().nullable(),
  /** null: nothing has come between, or the run is over. */
  setback: RunSetback.nullable().optional(),
  /** Of a run that is over: whether its samples are there; when they were let go to make room (docs/retention.md), if they were. */
  samples: z.object({ kept: z.boolean(), gone_at: z.string().nullable() }).optional(),
  experiments: z.array(z.object({ id: z.string(), name: z.string(), cell: z.string(), role: RunRole })),
});

/** Of the runs of an experiment: how many have lost their samples, and can have them made again; how many for good. */
export const SamplesGone = z.object({ gone: z.int(), lost: z.int() });
/** Some of them made again; `next`: where to go on, null: that was all. */
export const SamplesMade = z.object({
  made: z.int(),
  refused: z.array(z.object({ run: z.string(), reason: z.string() })),
  next: z.int().nullable(),
});

const Means = z.array(z.number().nullable());
/** A run at a glance: means over 60 parts of its duration; null where nothing was sampled. */
export const RunSpark = z.object({ run: z.string(), capacity_mbps: Means, delivered_mbps: Means, queue_bytes: Means });
export const SparkList = z.object({ sparks: z.array(RunSpark) });

export const ExperimentState = z.enum(['queued', 'running', 'done', 'failed', 'cancelled']);

export const ExperimentListItem = z.object({
  id: z.string(),
  name: z.string(),
  state: ExperimentState,
  created_at: z.string(),
  traces: z.array(z.string()),
  ccas: z.array(z.string()),
  runs_total: z.int(),
  runs_done: z.int(),
  runs_failed: z.int(),
  labels: ListedLabels.optional().describe('absent: nothing is said of it'),
  made_by: Maker.optional().describe('absent: it is everybody’s, or this server asks nobody'),
  private: IsPrivate,
});

export const ExperimentRecord = ExperimentListItem.extend({
  spec: ExperimentSpec,
  cells: z.array(Cell),
  /** There are more cells: ask for them with this as `after`. */
  cells_next: z.int().optional(),
  runs: z.array(RunRef),
  /** There are more runs: ask for them with this as `after`. */
  runs_next: z.int().optional(),
  /** Seconds until the last run should be done; null when unknown or over. */
  eta_s: z.number().nullable(),
});

/** Some of an experiment's runs; `next` is the `after` of those that follow, null when there are none. */
export const RunPage = z.object({ runs: z.array(RunRef), next: z.int().nullable() });
/** The same for its cells. */
export const CellPage = z.object({ cells: z.array(Cell), next: z.int().nullable() });

export const ExperimentList = z.object({ experiments: z.array(ExperimentListItem) });

/** The small sample experiment that the server runs at its first start; nulls while there is none. */
export const Home = z.object({
  experiment: z.string().nullable(),
  run: z.string().nullable(),
  /** Runs to show side by side, one per CCA; `run` is the first. */
  runs: z.array(z.string()),
});

export const Health = z.object({
  status: z.literal('ok'),
  version: z.string(),
  engine_version: z.string().nullable().describe('null: the native programs cannot be used'),
});

/** Why no run is started: something is wrong with the machine, not with a run. */
export const QueueHold = z.object({
  cause: z.enum(['disk_full', 'read_only', 'storage', 'damaged', 'descriptors', 'memory', 'engine']),
  reason: z.string(),
  /** What mends it. */
  hint: z.string(),
});

/** Answer to `GET /ready` while runs are taken and made. */
export const Ready = z.object({ status: z.literal('ready'), version: z.string() });

/** Answer to `POST /plan`: what pressing Run would do. */
export const Plan = z.object({
  runs: z.int(),
  cells: z.int(),
  /** Runs whose result is stored already. */
  cached: z.int(),
  estimate_s: z.object({ low: z.number(), high: z.number() }),
  estimate_bytes: z.number(),
  /** Each queue limit on each trace: what it means in other units. */
  limits: z.array(
    z.object({
      trace: z.string(),
      sha256: z.string().optional().describe('content hash of the trace; absent: a constant rate'),
      set: z.string().optional().describe('the set that the trace was taken from'),
      base_rtt_ms: z.number(),
      buffer: BufferSpec,
      mean_mbps: z.number().optional().describe('what the BDP is of: `bdp_of` of the spec'),
      bdp_bytes: z.number(),
      limit_bytes: z.number().nullable(),
      limit_packets: z.number().nullable(),
      limit_ms: z.number().nullable(),
      limit_bdp: z.number().nullable(),
    }),
  ),
  warnings: z.array(z.string()),
});

export const DoctorCheck = z.object({
  id: z.string(),
  label: z.string(),
  ok: z.boolean(),
  detail: z.string(),
  remedy: z.string().nullable().describe('what to do, in words'),
  command: z.string().nullable().describe('the part of the remedy that can be run as it stands'),
});
export const Doctor = z.object({ version: z.string(), checks: z.array(DoctorCheck) });

// --- /api/v1/live: text frames are these, binary frames are u32 subscription, u32 0, then one telemetry sample frame (live.ts) ---

export const LiveRequest = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('subscribe'),
    subscription: z.int().min(1).max(0xffffffff),
    run: z.string().max(64),
    /** First row wanted per stream (default 0): reconnecting loses nothing and repeats nothing. */
    from: z.record(z.string().regex(/^\d{1,5}$/), z.int().min(0)).default({}),
    /** First control frame wanted. */
    from_control: z.int().min(0).default(0),
    /**
     * true: a viewer that cannot keep up gets the newest rows first and the gap later, so rows may come out of order (the frame's
     * `seq` says where they belong). false: always in order, however late.
     */
    skip_ahead: z.boolean().default(false),
  }),
  z.strictObject({ type: z.literal('unsubscribe'), subscription: z.int() }),
  /** State changes of one experiment's runs. */
  z.strictObject({ type: z.literal('watch'), experiment: z.string().max(64) }),
  z.strictObject({ type: z.literal('unwatch'), experiment: z.string().max(64) }),
  /** Whether the queue is held, now and whenever that changes. */
  z.strictObject({ type: z.literal('watch_queue') }),
]);

export const LiveMessage = z.discriminatedUnion('type', [
  /** A control frame of the run (hello, event, progress, summary, cost, error, end); `frame` is a ControlFrame. */
  z.object({ type: z.literal('control'), subscription: z.int(), seq: z.int(), frame: z.unknown() }),
  z.object({
    type: z.literal('state'),
    subscription: z.int(),
    state: RunState,
    reason: z.string().nullable(),
    time_s: z.number(),
    eta_s: z.number().nullable(),
  }),
  /** Everything stored has been sent and the run is over. */
  z.object({ type: z.literal('complete'), subscription: z.int() }),
  z.object({ type: z.literal('run'), experiment: z.string(), run: RunRef }),
  z.object({
    type: z.literal('experiment'),
    experiment: z.string(),
    state: ExperimentState,
    runs_done: z.int(),
    runs_failed: z.int(),
    runs_total: z.int(),
    eta_s: z.number().nullable(),
  }),
  /** Only for those who watch the queue. */
  z.object({ type: z.literal('queue'), hold: QueueHold.nullable() }),
  z.object({ type: z.literal('error'), subscription: z.int().nullable(), code: z.string(), detail: z.string() }),
]);

export type Problem = z.infer<typeof Problem>;
export type TraceChange = z.infer<typeof TraceChange>;
export type TraceRecord = z.infer<typeof TraceRecord>;
export type TraceSourceRecord = z.infer<typeof TraceSourceRecord>;
export type RunState = z.infer<typeof RunState>;
export type RunRole = z.infer<typeof RunRole>;
export type Cell = z.infer<typeof Cell>;
export type RunRef = z.infer<typeof RunRef>;
export type RunRecord = z.infer<typeof RunRecord>;
export type RunSetback = z.infer<typeof RunSetback>;
export type RunSpark = z.infer<typeof RunSpark>;
export type SamplesGone = z.infer<typeof SamplesGone>;
export type SamplesMade = z.infer<typeof SamplesMade>;
export type ExperimentListItem = z.infer<typeof ExperimentListItem>;
export type ExperimentRecord = z.infer<typeof ExperimentRecord>;
export type RunPage = z.infer<typeof RunPage>;
export type TraceList = z.infer<typeof TraceList>;
export type ExperimentList = z.infer<typeof ExperimentList>;
export type ExperimentState = z.infer<typeof ExperimentState>;
export type Home = z.infer<typeof Home>;
export type Health = z.infer<typeof Health>;
export type QueueHold = z.infer<typeof QueueHold>;
export type Ready = z.infer<typeof Ready>;
export type DoctorCheck = z.infer<typeof DoctorCheck>;
export type Plan = z.infer<typeof Plan>;
export type Doctor = z.infer<typeof Doctor>;
export type LiveRequest = z.infer<typeof LiveRequest>;
export type LiveMessage = z.infer<typeof LiveMessage>;
