// Names, notes, tags and stars of experiments, runs and traces; archive, delete and restore. Found under the address of what they are of.
import { z } from 'zod';
import { LABEL_KINDS, Labels, LabelsChange, TagList, type LabelKind } from '#protocol/labels';
import type { ErrorCode } from '../errors.ts';
import type { Lab } from '../lab.ts';
import { ExperimentParams, RunParams, TraceParams, WeightsParams } from './ids.ts';
import { eyesOf } from './eyes.ts';
import { defineRoute, reply, type Route } from './route.ts';

export const ArchivedQuery = z.object({
  archived: z
    .enum(['true', 'false'])
    .default('false')
    .transform((asked) => asked === 'true')
    .describe('true: also those that were archived'),
});

const PARAMS = { experiment: ExperimentParams, run: RunParams, trace: TraceParams } as const;
const UNKNOWN = {
  experiment: 'EXPERIMENT_UNKNOWN',
  run: 'RUN_UNKNOWN',
  trace: 'TRACE_UNKNOWN',
} as const satisfies Record<LabelKind, ErrorCode>;

export const labelRoutes = (lab: Lab): Route[] => [
  ...LABEL_KINDS.flatMap((kind) => ofKind(lab, kind)),
  ...deletable(lab, 'experiment'),
  ...deletable(lab, 'trace'),
  ...weightsRoutes(lab),
  defineRoute({
    method: 'get',
    path: '/tags',
    tag: 'labels',
    summary: 'The tags in use',
    answers: { 200: { description: 'The most frequent first', schema: TagList } },
    errors: [],
    handle: (_input, _req, res): TagList => {
      const eyes = eyesOf(res);
      return { tags: lab.store.labels.tags((kind, id) => !lab.store.private.isUnseen(kind, id, eyes)) };
    },
  }),
];

function ofKind({ organiser }: Lab, kind: LabelKind): Route[] {
  const path = `/${kind}s/:id/labels`;
  const params = PARAMS[kind];
  return [
    defineRoute({
      method: 'get',
      path,
      tag: 'labels',
      summary: `What is said of ${kind === 'experiment' ? 'an' : 'a'} ${kind}, and whether it is deleted`,
      params,
      answers: { 200: { description: 'Also of what can still be restored', schema: Labels } },
      errors: [UNKNOWN[kind]],
      unknown: UNKNOWN[kind],
      handle: ({ params: { id } }) => organiser.get(kind, id),
    }),
    defineRoute({
      method: 'patch',
      path,
      owned: { kind },
      tag: 'labels',
      summary: 'Name, note, tags, star, archive',
      description:
        kind === 'trace'
          ? 'What is left out stays. A trace’s name is its own, as PATCH /traces/:id changes it: shipped traces keep theirs.'
          : 'What is left out stays. A name that is null or empty is its own again.',
      params,
      body: LabelsChange,
      answers: { 200: { description: 'What is said of it now', schema: Labels } },
      errors: [UNKNOWN[kind], ...(kind === 'trace' ? (['TRACE_SHIPPED'] as const) : []), 'DISK_FULL'],
      handle: ({ params: { id }, body }) => organiser.change(kind, id, body),
    }),
  ];
}

function deletable({ organiser }: Lab, kind: 'experiment' | 'trace'): Route[] {
  const params = PARAMS[kind];
  return [
    defineRoute({
      method: 'delete',
      path: `/${kind}s/:id`,
      owned: { kind },
      tag: 'labels',
      summary: `Delete ${kind === 'experiment' ? 'an experiment' : 'a trace'}`,
      description:
        kind === 'experiment'
          ? 'It is stopped if it goes on. For 24 hours it can be restored; then its runs go with it, but for those of other experiments.'
          : 'For 24 hours it can be restored. One that an experiment or another trace needs is refused, with who does.',
      params,
      answers: { 200: { description: 'How long it can be restored', schema: Labels } },
      errors: [UNKNOWN[kind], 'IN_USE', ...(kind === 'trace' ? (['TRACE_SHIPPED'] as const) : [])],
      handle: ({ params: { id } }, _req, res) =>
        kind === 'experiment' ? organiser.deleteExperiment(id) : organiser.deleteTrace(id, eyesOf(res)),
    }),
    defineRoute({
      method: 'post',
      path: `/${kind}s/:id/restore`,
      owned: { kind },
      tag: 'labels',
      summary: `Undo the deletion of ${kind === 'experiment' ? 'an experiment' : 'a trace'}`,
      params,
      answers: { 200: { description: 'It is there again', schema: Labels } },
      errors: [UNKNOWN[kind], 'NOT_RESTORABLE'],
      handle: ({ params: { id } }) =>
        kind === 'experiment' ? organiser.restoreExperiment(id) : organiser.restoreTrace(id),
    }),
  ];
}

const Deleted = z.object({ deleted: z.boolean() });

const weightsRoutes = ({ organiser, weights }: Lab): Route[] => [
  defineRoute({
    method: 'delete',
    path: '/weights/:id',
    owned: { kind: 'weights' },
    tag: 'weights',
    summary: 'Delete a weights file that no experiment needs',
    description: 'For 24 hours it can be restored.',
    params: WeightsParams,
    answers: { 200: { description: 'It is out of the list', schema: Deleted } },
    errors: ['WEIGHTS_UNKNOWN', 'IN_USE'],
    handle: async ({ params: { id } }, _req, res) => {
      await organiser.deleteWeights(id, eyesOf(res));
      return reply(200, { deleted: true });
    },
  }),
  defineRoute({
    method: 'post',
    path: '/weights/:id/restore',
    owned: { kind: 'weights' },
    tag: 'weights',
    summary: 'Undo the deletion of a weights file',
    params: WeightsParams,
    answers: { 200: { description: 'It is there again', schema: Deleted } },
    errors: ['WEIGHTS_UNKNOWN'],
    handle: ({ params: { id } }) => {
      weights.restore(id);
      weights.get(id);
      return { deleted: false };
    },
  }),
];
