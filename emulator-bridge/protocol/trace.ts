// What `paceline-trace info` says about a trace. Capacity figures count 1500 B per delivery opportunity.
import { z } from 'zod';
import { Sha256 } from '#protocol/manifest';
import { Line, Word } from '#protocol/text';

/** A form in which capacity over time may come. */
export const TraceForm = z.strictObject({ id: z.string(), label: z.string() });

/** Something that a file does not say of itself, with the value that was used. */
export const SourceOption = z.strictObject({
  name: z.string(),
  label: z.string(),
  value: z.string(),
  choices: z.array(z.strictObject({ value: z.string(), label: Line })).describe('none: free text'),
  help: z.string(),
});

/** What was understood of the file that a trace came from. */
export const TraceSource = z.strictObject({
  format: z.string(),
  label: z.string(),
  packing: z.enum(['gzip', 'zstd']).nullable(),
  bytes: z.number().describe('delivered, as the source has it'),
  options: z.array(SourceOption),
  columns: z.array(z.strictObject({ name: Line, samples: z.array(Line) })),
  notes: z.array(z.string()).describe('plain words: rows left out, gaps filled …'),
});

/** No form has as many; a command line takes only so much. */
const MOST_OPTIONS = 64;

/** What a person says of a file: its form (absent: what it looks like), and values of that form’s options. */
export const SourceChoices = z.strictObject({
  format: Word.max(64).optional(),
  options: z
    .record(Word.max(64), Word.max(200))
    .refine((options) => Object.keys(options).length <= MOST_OPTIONS, `at most ${MOST_OPTIONS} options`)
    .default({}),
});

/** A fault of a trace, or what to mind when using it. */
export const TraceFlag = z.strictObject({
  id: z.string().describe('stable: silent_seconds, source_limited …'),
  says: z.string(),
  advice: z.string().describe('what to do about it'),
  places: z.int().describe('how often'),
  at: z.array(z.tuple([z.int(), z.int()])).describe('from and to, ms: the first places; none: all of it'),
});

export const TraceInfo = z.strictObject({
  sha256: Sha256.describe('of the canonical `ms count` text: the trace’s identity'),
  format: z.string().describe('what the file was: mahimahi, ms-count, table, iperf3, pcap …'),
  gzip: z.boolean(),
  period_ms: z.int().min(1),
  opportunities: z.int().min(1),
  first_ms: z.int(),
  last_ms: z.int().describe('of the last opportunity'),
  mean_mbps: z.number(),
  peak_10ms_mbps: z.number(),
  peak_1s_mbps: z.number(),
  std_10ms_mbps: z.number(),
  std_1s_mbps: z.number(),
  p5_1s_mbps: z.number(),
  p95_1s_mbps: z.number(),
  longest_gap_ms: z.int(),
  wrap_gap_ms: z.int().describe('from the last opportunity of one lap to the first of the next'),
  empty_seconds: z.int(),
  share_below_5mbps_10ms: z.number(),
  share_below_5mbps_1s: z.number(),
  max_per_ms: z.int(),
  acf_1e_s: z.number().nullable().describe('first lag at which the autocorrelation of 100 ms bins falls below 1/e'),
  /** Coarsest of 1, 10, 100, 1000 ms within which the trace is constant: the source's resolution. */
  resolution_ms: z.int(),
  flags: z.array(TraceFlag).default([]),
  /** What the flags say, without the rest. */
  warnings: z.array(z.string()),
  source: TraceSource.optional(),
});

/** How much the rate of a bin says about that some time later. */
export const TraceMemory = z.strictObject({
  bin_ms: z.int(),
  acf: z
    .array(z.tuple([z.number(), z.number()]))
    .describe('lag in seconds and autocorrelation, lags about 3 % apart; none when the rate is constant'),
  below_1e_s: z.number().nullable().describe('first lag at which it is below 1/e; null: not within these lags'),
});

/** Times of at least 100 ms without any opportunity, or below a rate in each 10 ms. */
export const TraceOutages = z.strictObject({
  below_mbps: z.number().describe('0: no opportunity at all, counted from one to the next'),
  count: z.int(),
  share: z.number().describe('of the time'),
  longest_ms: z.int(),
  median_ms: z.int(),
  lengths: z.array(z.int()).length(7).describe('how many below 200, 500, 1000, 2000, 5000, 10 000 ms, and longer'),
  at: z.array(z.tuple([z.int(), z.int()])).describe('beginning and length, ms; the first 2000'),
});

/** Falls of the mean over 100 ms from 80 to 20 % of its highest in the 3 s before. */
export const TraceFalls = z.strictObject({
  count: z.int(),
  steepest_mbps_per_s: z.number().nullable(),
  median_mbps_per_s: z.number().nullable(),
  largest_3s_mbps: z.number().describe('largest fall of the mean over 0.5 s within 3 s'),
  at: z
    .array(z.tuple([z.int(), z.int(), z.number(), z.number()]))
    .describe('from and to, ms; from and to, Mbps: the 500 steepest'),
});

/** How a trace moves: what it remembers, when it fails, how it falls. */
export const TraceDynamics = z.strictObject({
  memory: z.array(TraceMemory).length(2).describe('of bins of 10 ms, and of 100 ms'),
  coherence_s: z.number().nullable().describe('first lag at which the autocorrelation of 10 ms bins is below 1/e'),
  outages: z.array(TraceOutages).length(2).describe('without any opportunity, and below 5 Mbps'),
  falls: TraceFalls,
  usual_ms: z
    .strictObject({ packets: z.int(), share: z.number() })
    .describe('the count per millisecond that brings most of the volume, and which share of it'),
});

/** Of a trace with more of them the first ones are told. */
export const MOST_TRACE_MARKS = 2000;

/** Something that happened to the link, as the model behind the trace knows it. */
export const TraceMark = z.strictObject({
  kind: z.enum(['handover']).describe('the user changes cells, or between 5G and what is below it'),
  at_s: z.number().min(0).describe('when it begins, from the beginning of the trace'),
  lasts_s: z.number().min(0).describe('so long nothing is delivered'),
});

/** What the model behind a made trace knows of it beside its capacity. */
export const TraceMarks = z.strictObject({
  count: z.int().min(0).describe('of all marks'),
  marks: z.array(TraceMark).max(MOST_TRACE_MARKS).describe('in order of time: the first 2000'),
  snr: z
    .strictObject({
      every_ms: z.int().min(1),
      mean_db: z
        .array(z.number())
        .max(2 * MOST_TRACE_MARKS)
        .describe('of the serving cell, fading and blockage included'),
    })
    .nullable()
    .describe('null: what it was made from knows no signal'),
});

/** Capacity over time with extremes kept: for each bin of `bin_ms`, mean, least and greatest 10 ms rate (of shorter bins their own). */
export const TracePreview = z.strictObject({
  bin_ms: z.int(),
  mean_mbps: z.array(z.number()),
  min_mbps: z.array(z.number()),
  max_mbps: z.array(z.number()),
});

/** The forms in which a trace is written. */
export const WrittenForm = z.enum(['ms-count', 'mahimahi', 'csv', 'netem']);

/** A trace that is being made, at a glance. */
export const TraceSketch = z.strictObject({
  period_ms: z.int().min(1),
  mean_mbps: z.number(),
  std_10ms_mbps: z.number(),
  std_1s_mbps: z.number(),
  peak_10ms_mbps: z.number(),
  peak_1s_mbps: z.number(),
  share_below_5mbps_10ms: z.number(),
  share_below_5mbps_1s: z.number(),
  longest_gap_ms: z.int(),
  preview: TracePreview,
});

/** A refusal: what, where, why, what next. */
export const TraceProblem = z.strictObject({
  code: z.string(),
  line: z.int().nullable(),
  text: Line.nullable().describe('the offending line, shortened'),
  message: z.string(),
  hint: z.string().nullable(),
  source: TraceSource.optional().describe('what was understood before it was refused'),
});

/** What is told of a file that was read (`paceline-trace info`). */
export const TraceReport = z.object({ info: TraceInfo, preview: TracePreview, dynamics: TraceDynamics.optional() });

export type SourceOption = z.infer<typeof SourceOption>;
export type TraceSource = z.infer<typeof TraceSource>;
export type SourceChoices = z.infer<typeof SourceChoices>;
export type TraceFlag = z.infer<typeof TraceFlag>;
export type TraceMemory = z.infer<typeof TraceMemory>;
export type TraceOutages = z.infer<typeof TraceOutages>;
export type TraceDynamics = z.infer<typeof TraceDynamics>;
export type TraceInfo = z.infer<typeof TraceInfo>;
export type TraceMark = z.infer<typeof TraceMark>;
export type TraceMarks = z.infer<typeof TraceMarks>;
export type TracePreview = z.infer<typeof TracePreview>;
export type WrittenForm = z.infer<typeof WrittenForm>;
export type TraceSketch = z.infer<typeof TraceSketch>;
export type TraceProblem = z.infer<typeof TraceProblem>;
export type TraceForm = z.infer<typeof TraceForm>;
export type TraceReport = z.infer<typeof TraceReport>;
