import { studyReport } from '#analysis/study-report';
import { StudyList, StudyRecord } from '#protocol/study';
import type { Lab } from '../lab.ts';
import { allowanceOf } from './allowance.ts';
import { StudyParams } from './ids.ts';
import { makerOf, mustBeTheirs } from './owners.ts';
import { defineRoute, type Route } from './route.ts';

export const studyRoutes = ({ studies, quota, holdings, engine, store }: Lab): Route[] => [
  defineRoute({
    method: 'get',
    path: '/studies',
    tag: 'studies',
    summary: 'What papers say, held against our own runs',
    answers: { 200: { description: 'How far each is, and how many of its claims hold', schema: StudyList } },
    errors: ['ENGINE_MISSING'],
    handle: async (): Promise<StudyList> => ({ studies: await studies.list() }),
  }),
  defineRoute({
    method: 'get',
    path: '/studies/:id',
    tag: 'studies',
    summary: 'One study: its experiments, its figures, and what became of each claim',
    params: StudyParams,
    answers: { 200: { description: 'As it stands', schema: StudyRecord } },
    errors: ['STUDY_UNKNOWN', 'ENGINE_MISSING'],
    unknown: 'STUDY_UNKNOWN',
    handle: ({ params }) => studies.get(params.id),
  }),
  defineRoute({
    method: 'post',
    path: '/studies/:id/run',
    tag: 'studies',
    summary: 'Run what is missing of a study',
    description: 'Its experiments are experiments like any other: what is stored is not run again.',
    params: StudyParams,
    answers: { 200: { description: 'Its runs are in the queue', schema: StudyRecord } },
    errors: ['STUDY_UNKNOWN', 'SPEC_INVALID', 'ENGINE_MISSING', 'DISK_FULL', 'QUOTA_EXCEEDED'],
    handle: async ({ params }, _req, res) => {
      const allowance = allowanceOf({ quota, holdings }, res);
      await allowance.admit(0);
      await studies.run(params.id, { maker: makerOf(res), allowance });
      return studies.get(params.id);
    },
  }),
  defineRoute({
    method: 'post',
    path: '/studies/:id/stop',
    tag: 'studies',
    summary: 'Stop what runs of a study; what is done stays',
    params: StudyParams,
    answers: { 200: { description: 'As it stands', schema: StudyRecord } },
    errors: ['STUDY_UNKNOWN'],
    handle: async ({ params }, _req, res) => {
      await studies.stop(params.id, (experiment) => mustBeTheirs(store, res, 'experiment', experiment));
      return studies.get(params.id);
    },
  }),
  defineRoute({
    method: 'get',
    path: '/studies/:id/report',
    tag: 'studies',
    summary: 'A study as one HTML file',
    description: 'Figures, verdicts, data, parameters and sources, to read anywhere: nothing is fetched.',
    params: StudyParams,
    answers: { 200: { description: 'As it stands', media: 'text/html' } },
    errors: ['STUDY_UNKNOWN', 'ENGINE_MISSING'],
    handle: async ({ params: { id } }, _req, res) => {
      const made = new Date().toISOString().slice(0, 10);
      const { ccas } = await engine.listing();
      const report = studyReport(await studies.study(id), await studies.get(id), made, ccas);
      res.attachment(`paceline-${id}.html`).type('html').send(report);
    },
  }),
];
