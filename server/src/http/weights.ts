import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { WeightsList, WeightsRecord } from '#protocol/weights';
import { takeIn } from '../allowance.ts';
import type { Lab } from '../lab.ts';
import { allowanceOf } from './allowance.ts';
import { WeightsParams } from './ids.ts';
import { makerOf } from './owners.ts';
import { defineRoute, goneOf, reply, type Route } from './route.ts';
import { receiveWithin } from './upload-quota.ts';

const MAX_BYTES = 64 * 2 ** 20;

export const weightsRoutes = ({ weights, tempDir, quota, holdings }: Lab): Route[] => [
  defineRoute({
    method: 'post',
    path: '/weights',
    tag: 'weights',
    summary: 'Upload a weights file',
    description:
      'The body is the file itself, or a multipart form with one file: the network of a learned algorithm (docs/weights.md), at most 64 MiB. Its `id` is what a parameter of the type `weights` takes.',
    upload: ['application/octet-stream', 'multipart/form-data'],
    answers: {
      201: { description: 'The file is new', schema: WeightsRecord },
      200: { description: 'The file was there already', schema: WeightsRecord },
    },
    errors: ['UPLOAD_TOO_LARGE', 'UPLOAD_EMPTY', 'WEIGHTS_REFUSED', 'DISK_FULL', 'ENGINE_MISSING'],
    handle: async (_input, req, res) => {
      const allowance = allowanceOf({ quota, holdings }, res);
      const upload = await receiveWithin(allowance, req, tempDir, MAX_BYTES);
      try {
        const { record, added } = await takeIn(allowance, upload.bytes, () =>
          weights.add(upload.path, upload.name ?? 'the file', goneOf(res), makerOf(res)),
        );
        return reply(added ? 201 : 200, record);
      } finally {
        await upload.remove();
      }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/weights',
    tag: 'weights',
    summary: 'All weights files',
    answers: { 200: { description: 'The newest first', schema: WeightsList } },
    errors: [],
    handle: (): WeightsList => ({ weights: weights.list() }),
  }),
  defineRoute({
    method: 'get',
    path: '/weights/:id/file',
    tag: 'weights',
    summary: 'A weights file as it was uploaded',
    params: WeightsParams,
    answers: { 200: { description: 'The same bytes', media: 'application/json' } },
    errors: ['WEIGHTS_UNKNOWN'],
    handle: async ({ params }, _req, res) => {
      const { id } = params;
      const path = await weights.file(id);
      res.attachment(`${id.slice(0, 8)}.weights.json`).type('application/json');
      await pipeline(createReadStream(path), res);
    },
  }),
];
