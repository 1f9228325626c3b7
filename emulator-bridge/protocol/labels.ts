// What people say of experiments, runs and traces: a name, a note, tags, a star, and whether it is put away.
import { z } from 'zod';
import { LABEL_LIMITS } from '#protocol/limits';
import { line, plainLine, text } from '#protocol/text';

export const LABEL_KINDS = ['experiment', 'run', 'trace'] as const;
export type LabelKind = (typeof LABEL_KINDS)[number];

/** One word, so that it can be looked for and named on a command line: what was between words becomes a hyphen. */
export const tagText = (written: string): string =>
  plainLine(written)
    .replace(/\s+/g, '-')
    .replace(/^[+#-]+/, '');

export const Tag = z
  .string()
  .max(LABEL_LIMITS.tag.max)
  .overwrite(tagText)
  .refine((tag) => tag !== '', 'a tag has at least one character beside +, - and #');

const Said = z.object({
  name: z.string().nullable().describe('null: its own'),
  note: z.string().describe('Markdown'),
  tags: z.array(z.string()),
  starred: z.boolean(),
  archived: z.boolean().describe('lists leave it out unless they are asked for it'),
});

/** In lists: without the note, which may be long. Absent: nothing is said of it. */
export const ListedLabels = Said.omit({ name: true, note: true });
export const Labels = Said.extend({
  deleted: z
    .object({ at: z.string(), until: z.string().describe('so long it can be restored') })
    .nullable()
    .describe('null: it is there'),
});

/** What is left out stays. */
export const LabelsChange = z
  .strictObject({
    name: line(LABEL_LIMITS.name.max).nullable().describe('null or empty: its own again'),
    note: text(LABEL_LIMITS.note.max).describe('Markdown'),
    tags: z.array(Tag).max(LABEL_LIMITS.tags.max).describe('all of them'),
    starred: z.boolean(),
    archived: z.boolean(),
  })
  .partial();

/** Those in use, the most frequent first. */
export const TagList = z.object({ tags: z.array(z.object({ tag: z.string(), count: z.int() })) });

/** What was said of an experiment where its bundle was made. */
export const BundledLabels = z.object({
  note: z.string().max(LABEL_LIMITS.note.max),
  tags: z.array(Tag).max(LABEL_LIMITS.tags.max),
  starred: z.boolean(),
});

/** Of most things. */
export const NOTHING_SAID: z.infer<typeof Labels> = {
  name: null,
  note: '',
  tags: [],
  starred: false,
  archived: false,
  deleted: null,
};

export type Labels = z.infer<typeof Labels>;
export type ListedLabels = z.infer<typeof ListedLabels>;
export type LabelsChange = z.infer<typeof LabelsChange>;
export type BundledLabels = z.infer<typeof BundledLabels>;
export type TagList = z.infer<typeof TagList>;
