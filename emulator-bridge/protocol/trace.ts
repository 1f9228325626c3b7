// What `paceline-trace info` says about a trace. Capacity figures count 1500 B per delivery opportunity.
import { z } from 'zod';
import { Sha256 } from '#protocol/manifest';

/** A form in which capacity over time may come. */
export const TraceForm = z.strictObject({ id: z.string(), label: z.string() });

/** Something that a file does not say of itself, with the value that was used. */
export const SourceOption = z.strictObject({
  name: z.string(),
  label: z.string(),
  value: z.string(),
  choices: z.array(z.strictObject({ value: z.string(), label: z.string() })).describe('none: free text'),
  help: z.string(),
});

/** What was understood of the file that a trace came from. */
export const TraceSource = z.strictObject({
  format: z.string(),
  label: z.string(),
  packing: z.enum(['gzip', 'zstd']).nullable(),
  bytes: z.number().describe('delivered, as the source has it'),
  options: z.array(SourceOption),
  columns: z.array(z.strictObject({ name: z.string(), samples: z.array(z.string()) })),
  notes: z.array(z.string()).describe('plain words: rows left out, gaps filled …'),
});

/** What a person says of a file: its form (absent: what it looks like), and values of that form’s options. */
export const SourceChoices = z.strictObject({
  format: z.string().max(64).optional(),
  options: z.record(z.string().max(64), z.string().max(200)).default({}),
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
  /** Plain words: what to mind when using this trace. */
  warnings: z.array(z.string()),
  source: TraceSource.optional(),
});

/** Capacity over time with extremes kept: for each bin of `bin_ms`, mean, least and greatest 10 ms rate. */
export const TracePreview = z.strictObject({
  bin_ms: z.int(),
  mean_mbps: z.array(z.number()),
  min_mbps: z.array(z.number()),
  max_mbps: z.array(z.number()),
});

/** A refusal: what, where, why, what next. */
export const TraceProblem = z.strictObject({
  code: z.string(),
  line: z.int().nullable(),
  text: z.string().nullable().describe('the offending line, shortened'),
  message: z.string(),
  hint: z.string().nullable(),
  source: TraceSource.optional().describe('what was understood before it was refused'),
});

export type SourceOption = z.infer<typeof SourceOption>;
export type TraceSource = z.infer<typeof TraceSource>;
export type SourceChoices = z.infer<typeof SourceChoices>;
export type TraceInfo = z.infer<typeof TraceInfo>;
export type TracePreview = z.infer<typeof TracePreview>;
export type TraceProblem = z.infer<typeof TraceProblem>;
