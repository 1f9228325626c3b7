// How the ids in addresses look: the server refuses others, and the page does not ask for them.
import { z } from 'zod';

const drawn = (whose: string): z.ZodString =>
  z.string().regex(/^[a-z2-7]{20}$/, `${whose} id has 20 characters, a–z and 2–7`);
const contentHash = (whose: string): z.ZodString =>
  z.string().regex(/^[0-9a-f]{64}$/, `${whose} id is its content hash: 64 hexadecimal digits`);

export const RunId = drawn('a run’s');
export const ExperimentId = drawn('an experiment’s');
export const TraceId = contentHash('a trace’s');
export const WeightsId = contentHash('a weights file’s');
/** As specs name an algorithm. */
export const CcaId = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'an id: lower-case letters, digits, - and _');
/** Of a data file, and what stands in one. */
export const StudyId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'an id: lower-case letters, digits and -');

export const MOST_SLUG_CHARACTERS = 60;
/** A share's name. */
export const ShareSlug = z
  .string()
  .max(MOST_SLUG_CHARACTERS)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'lower-case letters, digits and single hyphens between them');
