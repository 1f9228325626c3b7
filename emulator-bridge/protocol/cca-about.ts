// How each algorithm works, in words, and the links over which a short run shows it. Data files in server/ccas.
import { z } from 'zod';
import { ExperimentId, RunId, StudyId as Id } from '#protocol/ids';
import { ParamValues, QueueSpec } from '#protocol/spec';

const Words = z.string().min(1);

export const CcaSource = z.strictObject({
  title: Words,
  url: z.url({ protocol: /^https$/ }).optional(),
});

export const CcaAbout = z.strictObject({
  id: z.string(),
  of: z
    .string()
    .optional()
    .describe('of a real stack: the algorithm of ours that it runs, or another implementation of'),
  how: Words.max(1200).describe('how it works, in a paragraph'),
  states: z.record(z.string(), Words).default({}).describe('what the states mean that its samples name'),
  queue: QueueSpec.optional().describe('the discipline that it is meant for; absent: any'),
  sources: z.array(CcaSource).min(1).describe('papers, standards and programs'),
});

/** A link on which any algorithm is shown for some seconds. */
export const SampleLink = z.strictObject({
  id: Id,
  label: Words,
  note: Words,
});

export const CcaAbouts = z.object({
  about: z.array(CcaAbout),
  links: z.array(SampleLink).min(1).describe('the first is the usual one'),
});

/** A part of an algorithm’s page in docs/cca. */
export const CcaNote = z.strictObject({ title: Words, text: z.string().describe('Markdown') });
export const CcaNotes = z.object({
  page: z.string().nullable().describe('file of the documentation; null: there is none'),
  notes: z.array(CcaNote),
});

export const SampleAsked = z.strictObject({
  link: Id.optional().describe('id of one of the links; absent: the usual one'),
  params: ParamValues.default({}).describe('what differs from the defaults'),
});
export const CcaSample = z.object({ experiment: ExperimentId, run: RunId });

export type CcaSource = z.infer<typeof CcaSource>;
export type CcaAbout = z.infer<typeof CcaAbout>;
export type CcaAbouts = z.infer<typeof CcaAbouts>;
export type SampleLink = z.infer<typeof SampleLink>;
export type CcaNote = z.infer<typeof CcaNote>;
export type CcaNotes = z.infer<typeof CcaNotes>;
export type SampleAsked = z.infer<typeof SampleAsked>;
export type CcaSample = z.infer<typeof CcaSample>;
