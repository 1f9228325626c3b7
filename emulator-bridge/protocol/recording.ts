// A recording by others that is shipped (traces/recordings): what it is, how its file is read, whose it is.
import { z } from 'zod';
import { RecipeAbout } from '#protocol/recipe';
import { line, text } from '#protocol/text';

const fileName = z.string().regex(/^[\w.-]+$/);

/** What its owner demands of those who pass it on. */
export const RecordingLicence = z.strictObject({
  name: line(40).min(1),
  url: z.url(),
  owner: line(200).min(1).describe('who is to be named, as the owner says it'),
});

export const RecordingSource = z.strictObject({
  citation: text(1000).min(1),
  url: z.url().describe('where it was published'),
  file: line(300).min(1).describe('which file it is there'),
  changes: line(300).min(1).describe('how the shipped file differs from that one'),
});

export const Recording = z.strictObject({
  schema: z.literal(1),
  name: line(200).min(1),
  description: text(2000),
  about: RecipeAbout,
  file: fileName.describe('beside this one'),
  read_as: z.strictObject({ format: z.string(), options: z.record(z.string(), z.string()) }),
  licence: RecordingLicence,
  source: RecordingSource,
});

export type Recording = z.infer<typeof Recording>;
