import { CcaAbouts, CcaNotes, CcaSample, SampleAsked } from '#protocol/cca-about';
import { aboutAll, sampleLinks } from '../ccas/read-about.ts';
import { notesOf } from '../ccas/notes.ts';
import { startSample } from '../ccas/sample.ts';
import { AppError } from '../errors.ts';
import type { Lab } from '../lab.ts';
import { CcaParams } from './ids.ts';
import { defineRoute, type Route } from './route.ts';

export const ccaAboutRoutes = (lab: Lab): Route[] => [
  defineRoute({
    method: 'get',
    path: '/ccas/about',
    tag: 'engine',
    summary: 'How the algorithms work, in words, and the links over which samples show it',
    answers: { 200: { description: 'One entry per algorithm that is described', schema: CcaAbouts } },
    errors: ['ENGINE_MISSING'],
    handle: async (): Promise<CcaAbouts> => ({
      about: aboutAll(await lab.engine.listing()),
      links: sampleLinks().map(({ id, label, note }) => ({ id, label, note })),
    }),
  }),
  defineRoute({
    method: 'get',
    path: '/ccas/:id/notes',
    tag: 'engine',
    summary:
      'Where an algorithm is weak, how it is made here, and what was measured, from its page of the documentation',
    params: CcaParams,
    answers: { 200: { description: 'In the order of that page', schema: CcaNotes } },
    errors: ['CCA_UNKNOWN', 'ENGINE_MISSING'],
    handle: async ({ params: { id } }): Promise<CcaNotes> => {
      const { ccas } = await lab.engine.listing();
      const cca = ccas.find((one) => one.id === id);
      if (cca === undefined) throw new AppError('CCA_UNKNOWN', `the engine lists no algorithm ${id}`, { where: id });
      return notesOf(id);
    },
  }),
  defineRoute({
    method: 'post',
    path: '/ccas/:id/sample',
    needs: 'viewer',
    tag: 'engine',
    summary: 'A short run of an algorithm in virtual time, to look at',
    description:
      'An experiment like any other, which is made once and put away (archived). The same question again has the same answer.',
    params: CcaParams,
    body: SampleAsked,
    answers: { 200: { description: 'The run, which may still be going on', schema: CcaSample } },
    errors: [
      'CCA_UNKNOWN',
      'SPEC_INVALID',
      'REQUEST_INVALID',
      'JSON_INVALID',
      'BODY_TOO_LARGE',
      'ENGINE_MISSING',
      'DISK_FULL',
    ],
    handle: ({ params: { id }, body }) => startSample(lab, id, body),
  }),
];
