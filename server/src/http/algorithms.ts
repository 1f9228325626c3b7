// Own algorithms (docs/own-algorithms.md): taken in, listed, given back with their texts, deleted and restored.
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { MOST_SOURCE_BYTES, OwnAlgorithm, OwnAlgorithmList, OwnAlgorithmText } from '#protocol/own-algorithm';
import { skeletonId, skeletonOf } from '#analysis/own-skeleton';
import { takeIn } from '../allowance.ts';
import type { Lab } from '../lab.ts';
import { ownTextOf } from '../own/own-text.ts';
import { allowanceOf } from './allowance.ts';
import { eyesOf } from './eyes.ts';
import { AlgorithmParams } from './ids.ts';
import { makerOf } from './owners.ts';
import { defineRoute, goneOf, reply, type Route } from './route.ts';
import { receiveWithin } from './upload-quota.ts';

const SOURCE = 'text/x-c++src';
const Deleted = z.object({ deleted: z.boolean() });

export const algorithmRoutes = (lab: Lab): Route[] => [...keeping(lab), ...deleting(lab)];

const keeping = ({ ownAlgorithms, tempDir, quota, holdings }: Lab): Route[] => [
  defineRoute({
    method: 'post',
    path: '/algorithms',
    tag: 'algorithms',
    summary: 'Keep an own algorithm',
    description:
      'The body is its text, TypeScript or JavaScript in UTF-8, at most 256 KiB (docs/own-algorithms.md). Its `id` is what specs name. A new ' +
      'text that declares a name which is there is its next version. Of a text that is none, `where` says `line:column`.',
    upload: ['text/plain'],
    answers: {
      201: { description: 'It is new', schema: OwnAlgorithm },
      200: { description: 'The same text was there already', schema: OwnAlgorithm },
    },
    errors: ['UPLOAD_TOO_LARGE', 'UPLOAD_EMPTY', 'ALGORITHM_REFUSED', 'DISK_FULL', 'ENGINE_MISSING'],
    handle: async (_input, req, res) => {
      const allowance = allowanceOf({ quota, holdings }, res);
      const upload = await receiveWithin(allowance, req, tempDir, MOST_SOURCE_BYTES);
      try {
        const name = upload.name ?? 'the text';
        const text = ownTextOf(await readFile(upload.path), name);
        const { algorithm, added } = await takeIn(allowance, upload.bytes, () =>
          ownAlgorithms.add(text, name, goneOf(res), makerOf(res)),
        );
        return reply(added ? 201 : 200, algorithm);
      } finally {
        await upload.remove();
      }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/algorithms',
    tag: 'algorithms',
    summary: 'All own algorithms, in all versions, without their texts',
    answers: { 200: { description: 'The newest first', schema: OwnAlgorithmList } },
    errors: [],
    handle: (): OwnAlgorithmList => ({ algorithms: ownAlgorithms.list() }),
  }),
  defineRoute({
    method: 'get',
    path: '/algorithms/:id',
    tag: 'algorithms',
    summary: 'One version of an own algorithm, with its text',
    params: AlgorithmParams,
    answers: { 200: { description: 'As it was sent', schema: OwnAlgorithmText } },
    errors: ['ALGORITHM_UNKNOWN'],
    unknown: 'ALGORITHM_UNKNOWN',
    handle: ({ params: { id } }): OwnAlgorithmText => ownAlgorithms.withText(id),
  }),
  defineRoute({
    method: 'get',
    path: '/algorithms/:id/skeleton',
    tag: 'algorithms',
    summary: 'An own algorithm as the skeleton of a plug-in in C++',
    description:
      'It compiles as it is: parameters, internals and needs are those of the text, and beside each call stands what the text does there (docs/plugins.md).',
    params: AlgorithmParams,
    answers: { 200: { description: 'A source file', media: SOURCE } },
    errors: ['ALGORITHM_UNKNOWN'],
    handle: ({ params: { id } }, _req, res) => {
      const { declaration, text } = ownAlgorithms.withText(id);
      res
        .attachment(`${skeletonId(declaration.name)}.cc`)
        .type(SOURCE)
        .send(skeletonOf(declaration, text));
    },
  }),
];

const deleting = ({ organiser, ownAlgorithms }: Lab): Route[] => [
  defineRoute({
    method: 'delete',
    path: '/algorithms/:id',
    owned: { kind: 'algorithm' },
    tag: 'algorithms',
    summary: 'Delete a version of an own algorithm that no experiment needs',
    description: 'For 24 hours it can be restored.',
    params: AlgorithmParams,
    answers: { 200: { description: 'It is out of the list', schema: Deleted } },
    errors: ['ALGORITHM_UNKNOWN', 'IN_USE'],
    handle: async ({ params: { id } }, _req, res) => {
      await organiser.deleteAlgorithm(id, eyesOf(res));
      return { deleted: true };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/algorithms/:id/restore',
    owned: { kind: 'algorithm' },
    tag: 'algorithms',
    summary: 'Undo the deletion of an own algorithm',
    params: AlgorithmParams,
    answers: { 200: { description: 'It is there again', schema: Deleted } },
    errors: ['ALGORITHM_UNKNOWN'],
    handle: ({ params: { id } }) => {
      ownAlgorithms.restore(id);
      ownAlgorithms.get(id);
      return { deleted: false };
    },
  }),
];
