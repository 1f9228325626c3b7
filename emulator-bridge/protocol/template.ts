// A template: a spec with a name and what it answers, from which a new experiment begins. Some are shipped, others were saved here.
import { z } from 'zod';
import { StudyId } from '#protocol/ids';
import { AskedSpec } from '#protocol/spec';
import { line } from '#protocol/text';

export const TEMPLATE_LIMITS = { name: 100, answers: 400, most: 200 } as const;

/** Of a shipped one its file’s name, of others drawn. */
export const TemplateId = StudyId;

const Name = line(TEMPLATE_LIMITS.name).refine((name) => name !== '', 'a name has at least one character');

export const Template = z.object({
  id: TemplateId,
  title: z.string(),
  answers: z.string().describe('what one knows after it, in a line'),
  shipped: z.boolean().describe('it comes with Paceline: it is neither renamed nor deleted'),
  created_at: z.string().nullable().describe('null: it is shipped'),
  keeps: z
    .array(z.enum(['traces', 'ccas']))
    .describe('what is chosen in the form already stays, and for algorithms what is in the spec is added'),
  spec: AskedSpec,
});
export const TemplateList = z.object({ templates: z.array(Template) });

/** As shipped ones are written: data files in server/templates. */
export const ShippedTemplate = Template.pick({ id: true, keeps: true, spec: true }).extend({
  order: z.int().describe('its place among the others'),
  title: Name,
  answers: line(TEMPLATE_LIMITS.answers),
});

export const NewTemplate = z.strictObject({
  title: Name,
  answers: line(TEMPLATE_LIMITS.answers).default(''),
  spec: AskedSpec,
});
/** What is left out stays. */
export const TemplateChange = z.strictObject({ title: Name, answers: line(TEMPLATE_LIMITS.answers) }).partial();

export type Template = z.infer<typeof Template>;
export type TemplateList = z.infer<typeof TemplateList>;
export type ShippedTemplate = z.infer<typeof ShippedTemplate>;
export type NewTemplate = z.infer<typeof NewTemplate>;
export type NewTemplateInput = z.input<typeof NewTemplate>;
export type TemplateChange = z.infer<typeof TemplateChange>;
