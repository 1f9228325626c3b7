// Where a server's runs are made, as it tells whoever asks. See docs/workers.md.
import { z } from 'zod';

/** What a worker can make: runs in virtual time, over UDP, over the kernel's TCP, over QUIC. */
export const Capability = z.enum(['virtual', 'realtime', 'kernel', 'quic']);
export const CAPABILITIES = Capability.options;
export type Capability = z.infer<typeof Capability>;

const Machine = z.strictObject({
  cores: z.int(),
  cores_busy: z.int(),
  runs: z.int().describe('that it has in hand'),
});

/** How far an experiment is and what it cost. A run that several experiments share counts in each. */
export const ExperimentCost = z.strictObject({
  id: z.string(),
  name: z.string(),
  runs_done: z.int(),
  runs_total: z.int(),
  goes_on: z.boolean(),
  cpu_s: z
    .number()
    .nullable()
    .describe(
      'processor time of its runs in virtual time that are made, wherever, each as it was made last; null: none tells',
    ),
  by_workers: z.int().describe('how many of those were made by workers'),
  left_s: z.number().nullable().describe('null: it is over, or it cannot be said'),
});
export type ExperimentCost = z.infer<typeof ExperimentCost>;

/** `GET workers`: where runs are made, and how much there is to make. */
export const WorkersRecord = z.strictObject({
  queue: z.strictObject({
    waiting: z.int(),
    going: z.int(),
    ended_per_minute: z.int().describe('in the minute before'),
    left_s: z.number().nullable().describe('until all is made; null: nothing is to be made, or it cannot be said'),
    waits_for: z.string().nullable().describe('why nothing is started'),
  }),
  here: Machine.describe('the server’s own'),
  redis: z
    .strictObject({ place: z.string(), trouble: z.string().nullable().describe('why nothing goes to workers') })
    .nullable()
    .describe('null: the server was given none'),
  workers: z.array(
    Machine.extend({
      id: z.uuid(),
      name: z.string(),
      engine_version: z.string(),
      capabilities: z.array(Capability),
      since: z.string(),
      done: z.int(),
      state: z.enum(['ready', 'draining', 'trouble', 'other_engine']),
      reason: z.string().nullable().describe('why it takes nothing, and what to do'),
    }),
  ),
  experiments: z.array(ExperimentCost).describe('those that go on, the newest first, and the newest that are over'),
});
export type WorkersRecord = z.infer<typeof WorkersRecord>;
