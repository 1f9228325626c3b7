// What people who are told apart hold of a server's data folder (docs/access.md).
import { z } from 'zod';
import { Maker } from '#protocol/access';

const bytes = z.int().min(0);

export const Holding = Maker.extend({
  bytes: bytes.describe('of what they have made, what is deleted and what is to be made among it'),
  queued_bytes: bytes.describe('of it: at most what runs will take that are not over'),
  deleted_bytes: bytes.describe('of it: of what they have deleted, which goes for good as soon as they need the room'),
});
export type Holding = z.infer<typeof Holding>;

/** `GET holdings`. */
export const HoldingList = z.object({
  most: z.number().nullable().describe('bytes that each may hold, but operators; null: nobody is bounded'),
  holdings: z.array(Holding).describe('of whoever asks; for an operator: of all, who holds most first'),
});
export type HoldingList = z.infer<typeof HoldingList>;
