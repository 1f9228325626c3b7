import type { Response } from 'express';
import { z } from 'zod';
import { TraceRecord } from '#protocol/api';
import { EditRequest, EditSketch, NewEdit, type EditStep } from '#protocol/edit';
import { takeIn } from '../allowance.ts';
import type { Lab } from '../lab.ts';
import { makeEdited, othersOf, sketchOf } from '../traces/edits.ts';
import { allowanceOf } from './allowance.ts';
import { eyesOf, mustBeSeen } from './eyes.ts';
import { TraceParams } from './ids.ts';
import { makerOf, withPrivacy } from './owners.ts';
import { defineRoute, goneOf, reply, type Route } from './route.ts';

const SketchQuery = z.object({ bins: z.coerce.number().int().min(1).max(10_000).default(600) });

export const traceEditRoutes = ({ traces, tempDir, helpers, quota, holdings, store }: Lab): Route[] => {
  /** Refuses other traces that are kept from whoever asks. */
  const mustSee = (res: Response, steps: readonly EditStep[]): void => {
    for (const id of othersOf(steps)) mustBeSeen(store.private, eyesOf(res), 'trace', id);
  };
  return [
    defineRoute({
      method: 'post',
      path: '/traces/:id/edits/sketch',
      needs: 'viewer',
      tag: 'traces',
      summary: 'What an edit of the trace would make: statistics, capacity over time, the length at each step',
      params: TraceParams,
      query: SketchQuery,
      body: EditRequest,
      bodyRefusal: 'EDIT_REFUSED',
      answers: { 200: { description: 'Nothing is kept', schema: EditSketch } },
      errors: ['TRACE_UNKNOWN', 'EDIT_REFUSED', 'ENGINE_MISSING'],
      handle: ({ params, query, body }, _req, res) => {
        mustSee(res, body.steps);
        return sketchOf(traces, params.id, body.steps, { bins: query.bins, helpers, gone: goneOf(res) });
      },
    }),
    defineRoute({
      method: 'post',
      path: '/traces/:id/edits',
      tag: 'traces',
      summary: 'Edit the trace: what comes of it is kept as another one, with its source and the steps',
      params: TraceParams,
      body: NewEdit,
      bodyRefusal: 'EDIT_REFUSED',
      answers: {
        201: { description: 'The trace is new', schema: TraceRecord },
        200: { description: 'The same trace was there already', schema: TraceRecord },
      },
      errors: ['TRACE_UNKNOWN', 'EDIT_REFUSED', 'DISK_FULL', 'ENGINE_MISSING'],
      handle: async ({ params, body }, _req, res) => {
        mustSee(res, body.steps);
        const around = { helpers, gone: goneOf(res), maker: makerOf(res) };
        const { record, added } = await takeIn(allowanceOf({ quota, holdings }, res), 0, () =>
          makeEdited(traces, params.id, body, tempDir, around),
        );
        return reply(added ? 201 : 200, withPrivacy(store, res, 'trace', record));
      },
    }),
  ];
};
