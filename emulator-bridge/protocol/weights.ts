// Weights files (docs/weights.md): the networks that learned algorithms run.
import { z } from 'zod';
import { Line } from '#protocol/text';

/** What `paceline-weights` says of a file. */
export const WeightsInfo = z.strictObject({
  sha256: z.string(),
  name: Line,
  algorithm: z.string(),
  /** Of one step. */
  inputs: z.array(z.string()),
  /** Steps that it sees. */
  history: z.int(),
  /** Of each layer. */
  units: z.array(z.int()),
  numbers: z.int().describe('weights and biases together'),
});

export const WeightsRecord = z.object({
  id: z.string().describe('content hash of the file'),
  created_at: z.string(),
  info: WeightsInfo,
});

export const WeightsList = z.object({ weights: z.array(WeightsRecord) });

export type WeightsInfo = z.infer<typeof WeightsInfo>;
export type WeightsRecord = z.infer<typeof WeightsRecord>;
export type WeightsList = z.infer<typeof WeightsList>;
