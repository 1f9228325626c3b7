// What a server and the workers that make runs for it on other machines say to each other, over Redis. See docs/workers.md.
import { z } from 'zod';
import { Cost, LinkChange } from '#protocol/control';
import { RunManifest } from '#protocol/manifest';
import { RunSummary } from '#protocol/summary';
import { Capability } from '#protocol/workers';

/** A file by the hash of its bytes: a trace, weights, the text of an own algorithm. */
export const FileName = z.string().regex(/^[0-9a-f]{64}\.(trace|weights\.json|own)$/);

/** Which server is there, renewed while it is. */
export const ServerSign = z.strictObject({
  server: z.uuid().describe('another one at every start'),
  lab: z.uuid().describe('of its data folder'),
  engine_version: z.string(),
  kernel_ccas: z.array(z.string()).describe('what runs over the kernel’s TCP may name'),
});

/** A run to be made: what a job of the queue holds. */
export const Offer = z.strictObject({
  server: z.uuid(),
  run: z.string().max(128),
  manifest: RunManifest,
  cores: z.int().min(1),
  samples: z.boolean(),
  files: z.array(FileName),
  traceparent: z.string().max(64).optional().describe('of the server’s span, where somebody collects traces'),
});

/** Of what a worker tells of a run, one after the other from 0 on. */
export const TOLD = ['begun', 'changeable', 'frames', 'qlog', 'end'] as const;
export const ToldKind = z.enum(TOLD);

/** Of the last words of all programs of a run together. */
export const STDERR_CHARS = 65_536;

const Outcome = z.strictObject({
  outcome: z.enum(['done', 'failed', 'cancelled']),
  reason: z.string().nullable(),
  cause: z.enum(['own', 'crashed', 'killed', 'hung', 'machine']).nullable(),
  code: z.string().optional(),
  stderrTail: z.string().max(STDERR_CHARS),
  summary: RunSummary.nullable(),
  cost: Cost.nullable(),
});

/** The last word of a run. `returned`: it was not made, through no fault of its own; `missing`: a file of it was not to be had. */
export const WorkerEnd = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('outcome'), outcome: Outcome, worker: z.string().max(256), wall_s: z.number() }),
  z.strictObject({ kind: z.literal('returned'), reason: z.string() }),
  z.strictObject({ kind: z.literal('missing'), reason: z.string() }),
]);

/** From the server to whoever has a run in hand. */
export const Order = z.discriminatedUnion('order', [
  z.strictObject({ order: z.literal('stop'), job: z.string() }),
  z.strictObject({ order: z.literal('change'), job: z.string(), change: LinkChange }),
]);

/** What a worker says of itself, every second. */
export const WorkerCard = z.strictObject({
  id: z.uuid(),
  name: z.string().max(256).describe('of its machine, or as it was given'),
  engine_version: z.string(),
  capabilities: z.array(Capability),
  cores: z.int().min(1),
  cores_busy: z.int().min(0),
  since: z.string(),
  doing: z.array(z.strictObject({ job: z.string(), run: z.string() })),
  done: z.int().min(0).describe('runs that it has made'),
  draining: z.boolean().describe('it ends as soon as what it does is over'),
  trouble: z.string().nullable().describe('why it takes nothing for now'),
});

export type ServerSign = z.infer<typeof ServerSign>;
export type Offer = z.infer<typeof Offer>;
export type ToldKind = z.infer<typeof ToldKind>;
export type WorkerEnd = z.infer<typeof WorkerEnd>;
export type Order = z.infer<typeof Order>;
export type WorkerCard = z.infer<typeof WorkerCard>;
