import { z } from 'zod';

/** Of addresses that make something. */
export const PrivateQuery = z
  .enum(['true', 'false'])
  .default('false')
  .transform((asked) => asked === 'true')
  .describe('true: only you and the operators see it, until you publish it');
