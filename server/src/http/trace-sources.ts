import { z } from 'zod';
import { TraceRecord, TraceSourceRecord } from '#protocol/api';
import { line } from '#protocol/text';
import { SourceChoices } from '#protocol/trace';
import { takeIn } from '../allowance.ts';
import type { Lab } from '../lab.ts';
import { allowanceOf } from './allowance.ts';
import { madeBy, withPrivacy } from './owners.ts';
import { defineRoute, goneOf, reply, type Route } from './route.ts';
import { receiveWithin } from './upload-quota.ts';

const Params = z.object({ id: z.uuid() });
const UploadQuery = z.object({ name: line(512).optional() });
const Commit = SourceChoices.extend({
  name: line(512).optional(),
  private: z.boolean().default(false).describe('only you and the operators see it, until you publish it'),
});

/** A file that has to be looked at before it becomes a trace: what it is taken for, and another look with other choices. */
export const traceSourceRoutes = ({ traces, sources, tempDir, quota, holdings, store }: Lab): Route[] => [
  defineRoute({
    method: 'post',
    path: '/trace-sources',
    tag: 'traces',
    summary: 'Upload a file and see what it is taken for',
    description:
      'The body is the file itself, or a multipart form with one file: every form that docs/traces.md names, plain, gzip or zstd, at most 1 GiB. It is kept for an hour.',
    query: UploadQuery,
    upload: ['application/octet-stream', 'text/plain', 'application/gzip', 'multipart/form-data'],
    answers: { 201: { description: 'What it is, or why it cannot be read', schema: TraceSourceRecord } },
    errors: ['UPLOAD_TOO_LARGE', 'UPLOAD_EMPTY', 'DISK_FULL', 'ENGINE_MISSING'],
    handle: async ({ query }, req, res) => {
      const upload = await receiveWithin(allowanceOf({ quota, holdings }, res), req, tempDir);
      const name = query.name ?? upload.name ?? 'unnamed';
      const file = { path: upload.path, name, remove: upload.remove };
      return reply(201, await sources.add(file, { options: {} }, goneOf(res)));
    },
  }),
  defineRoute({
    method: 'post',
    path: '/trace-sources/:id/look',
    tag: 'traces',
    summary: 'Look at the file again, with other choices',
    params: Params,
    body: SourceChoices,
    answers: { 200: { description: 'What it is then', schema: TraceSourceRecord } },
    errors: ['SOURCE_UNKNOWN', 'ENGINE_MISSING'],
    handle: ({ params, body }, _req, res) => sources.look(params.id, body, goneOf(res)),
  }),
  defineRoute({
    method: 'post',
    path: '/trace-sources/:id/trace',
    tag: 'traces',
    summary: 'Make it a trace',
    params: Params,
    body: Commit,
    answers: {
      201: { description: 'The trace is new', schema: TraceRecord },
      200: { description: 'The trace was there already', schema: TraceRecord },
    },
    errors: ['SOURCE_UNKNOWN', 'TRACE_REFUSED', 'DISK_FULL', 'ENGINE_MISSING', 'NOBODY_TOLD_APART'],
    handle: async ({ params, body: { name, private: only, ...choices } }, _req, res) => {
      const source = sources.get(params.id);
      const about = {
        name: name ?? source.name,
        origin: 'upload',
        choices,
        ...madeBy(res, only),
        signal: goneOf(res),
      } as const;
      const { record, added } = await takeIn(allowanceOf({ quota, holdings }, res), 0, () =>
        traces.add(source.path, about),
      );
      await sources.remove(params.id);
      return reply(added ? 201 : 200, withPrivacy(store, res, 'trace', record));
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/trace-sources/:id',
    tag: 'traces',
    summary: 'Throw the file away',
    params: Params,
    answers: { 200: { description: 'It is gone', schema: z.object({}) } },
    errors: [],
    handle: async ({ params }) => {
      await sources.remove(params.id);
      return {};
    },
  }),
];
