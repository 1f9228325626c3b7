import { z } from 'zod';

/** What an address may hold: nothing else reaches a query, a path or a program. */
export const RunParams = z.object({
  id: z.string().regex(/^[a-z2-7]{20}$/, 'a run’s id has 20 characters, a–z and 2–7'),
});
export const RunFlowParams = RunParams.extend({
  flow: z.coerce.number().int().min(0).max(63),
});
export const ExperimentParams = z.object({
  id: z.string().regex(/^[a-z2-7]{20}$/, 'an experiment’s id has 20 characters, a–z and 2–7'),
});
export const WeightsParams = z.object({
  id: z.string().regex(/^[0-9a-f]{64}$/, 'a weights file’s id is its content hash: 64 hexadecimal digits'),
});
export const TraceParams = z.object({
  id: z.string().regex(/^[0-9a-f]{64}$/, 'a trace’s id is its content hash: 64 hexadecimal digits'),
});
