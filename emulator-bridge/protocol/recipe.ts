// A recipe as the page and the API pass it on. The native program knows what may stand in a model, and says where it is wrong.
import { z } from 'zod';
import { line, text } from '#protocol/text';
import { TraceSketch } from '#protocol/trace';

const Model = z.record(z.string(), z.unknown());

/** What a figure that a name or description states is: a statistic of the trace, or the place of a number in the recipe. */
const Stated = z.union([z.string(), z.strictObject({ at_most: z.string() })]);

/** What there is to say of the trace besides: the model does not depend on it. */
export const RecipeAbout = z.strictObject({
  technology: line(60).optional().describe('3G HSPA, 4G LTE, 5G …'),
  place: line(60).optional().describe('where its user is'),
  formerly: z.array(line(200).min(1)).max(20).optional().describe('names that it had: they go on working'),
  figures: z
    .record(z.string(), z.union([Stated, z.array(z.union([Stated, z.array(Stated)]))]))
    .optional()
    .describe('what each figure in the name and the description is; the tests measure them'),
});

export const Recipe = z.strictObject({
  schema: z.literal(1),
  name: line(200).min(1),
  description: text(2000),
  about: RecipeAbout.optional(),
  piecewise: Model.optional(),
  cellular_walk: Model.optional(),
  random_walk: Model.optional(),
  markov: Model.optional(),
  radio: Model.optional(),
  targets: Model.optional().describe('what the recipe promises, for `paceline trace validate`'),
});

export const RecipeList = z.object({
  recipes: z.array(z.object({ id: z.string(), recipe: Recipe })),
});

/** What a recipe makes, at a glance. Metres and seconds. */
export const RecipeSketch = TraceSketch.extend({
  plan: z
    .strictObject({
      stations: z.array(z.tuple([z.number(), z.number()])).describe('x, y'),
      buildings: z.array(z.tuple([z.number(), z.number(), z.number(), z.number()])).describe('x0, y0, x1, y1'),
      way: z.array(z.tuple([z.number(), z.number(), z.number()])).describe('seconds, x, y'),
      blockers: z
        .array(z.tuple([z.int().min(0), z.number(), z.number()]))
        .describe('something passes between the user and a station: its index, from and to in seconds'),
    })
    .nullable()
    .describe('null: the model has no place'),
});

export type Recipe = z.infer<typeof Recipe>;
export type RecipeList = z.infer<typeof RecipeList>;
export type RecipeSketch = z.infer<typeof RecipeSketch>;
