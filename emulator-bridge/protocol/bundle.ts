// What stands in a bundle: an experiment as a zip file, with all that is needed to make it again and to compare.
import { z } from 'zod';
import { RunRole, RunState } from '#protocol/api';
import { BundledLabels } from '#protocol/labels';
import { OwnCcaId, ProgramId } from '#protocol/own-id';
import { ExperimentId, RunId, TraceId, WeightsId } from '#protocol/ids';
import { ExperimentSpec } from '#protocol/spec';

/** Names of the files of a bundle. */
export const BUNDLE_FILES = {
  head: 'paceline-bundle.json',
  readme: 'README.md',
  spec: 'spec.json',
  manifests: 'manifests.ndjson',
  runs: 'runs.ndjson',
  summary: 'summary.csv',
  figures: 'figures.json',
  report: 'report.html',
  hashes: 'sha256.json',
} as const;

const Hash = z.string().regex(/^[0-9a-f]{64}$/);
const Said = z.string().max(20_000);

export const BundledTrace = z.object({
  id: TraceId,
  name: z.string().max(512),
  /** It is in the bundle; else why it is not. */
  left_out: z.string().max(200).nullable(),
  description: Said,
  licence: Said,
  source: Said,
  technology: Said,
  place: Said,
});

/** An own algorithm, as it was called where the bundle was made. */
export const BundledAlgorithm = z.object({
  id: OwnCcaId,
  program: ProgramId,
  name: z.string().max(200),
  version: z.int().positive(),
});

export const BundleHead = z.object({
  format: z.literal('paceline.bundle'),
  version: z.literal(1),
  experiment: ExperimentId,
  name: z.string().max(200),
  created_at: z.string().max(40),
  paceline: z.string().max(100),
  engine_version: z.string().max(200).nullable(),
  /** In real time: no two measurements are the same. */
  measured: z.boolean(),
  runs: z.int().min(0),
  traces: z.array(BundledTrace).max(1000),
  weights: z.array(z.object({ id: WeightsId, name: z.string().max(512) })).max(1000),
  algorithms: z
    .array(BundledAlgorithm)
    .max(1000)
    .optional()
    .describe('own algorithms, whose texts it carries; absent: none, or an earlier version'),
  labels: BundledLabels.optional().describe('what was said of it; absent: nothing, or an earlier version'),
});

/** What came of a run, with what its claim can be checked by. */
export const BundledRun = z.object({
  run: RunId,
  cell: z.string().max(2000),
  role: RunRole,
  repetition: z.int(),
  state: RunState,
  reason: z.string().max(20_000).nullable(),
  /** Of the summary as canonical JSON (RFC 8785). */
  summary_sha256: Hash.nullable(),
  /** Of all its sample frames; null: no samples are kept of it. */
  samples_sha256: Hash.nullable(),
  summary: z.unknown().describe('as its version told it; null: there is none'),
});

/** By the name of each file but this one. */
export const BundleHashes = z.record(z.string().max(200), Hash);

/** What an imported bundle has brought. */
export const ImportedBundle = z.object({
  experiment: ExperimentId.describe('its id where it was made'),
  name: z.string(),
  engine_version: z.string().nullable().describe('that made its runs'),
  same_engine: z.boolean().describe('the same spec gives the same bytes here'),
  spec: ExperimentSpec,
  traces: z.array(TraceId).describe('those that were not there'),
  weights: z.array(WeightsId),
  algorithms: z.array(OwnCcaId).describe('own algorithms, like these'),
});

export type ImportedBundle = z.infer<typeof ImportedBundle>;
export type BundledTrace = z.infer<typeof BundledTrace>;
export type BundleHead = z.infer<typeof BundleHead>;
export type BundledRun = z.infer<typeof BundledRun>;
