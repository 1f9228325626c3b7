import { z } from 'zod';

const MOST_ON_A_PAGE = 1000;

export const CellsQuery = z.object({
  after: z.coerce.number().int().min(0).default(0).describe('the `next` of the page before'),
  limit: z.coerce.number().int().min(1).max(MOST_ON_A_PAGE).default(100),
});
