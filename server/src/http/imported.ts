import { z } from 'zod';
import { ImportedId, ImportedList, ImportedRecord } from '#protocol/imported';
import { line } from '#protocol/text';
import { takeIn } from '../allowance.ts';
import { AppError } from '../errors.ts';
import { MAX_IMPORT_BYTES, readImport } from '../imports/read-import.ts';
import type { Lab } from '../lab.ts';
import { allowanceOf } from './allowance.ts';
import { makerOf } from './owners.ts';
import { defineRoute, goneOf, reply, type Route } from './route.ts';
import { receiveWithin } from './upload-quota.ts';

const Params = z.object({ id: ImportedId });
const UploadQuery = z.object({ name: line(512).min(1).optional() });

const unknown = (id: string): AppError => new AppError('MEASUREMENT_UNKNOWN', `there is no imported file ${id}`);

export const importedRoutes = ({ store, quota, holdings, helpers, tempDir }: Lab): Route[] => [
  defineRoute({
    method: 'post',
    path: '/imported-series',
    tag: 'runs',
    summary: 'Import a file of another program, to compare it with runs',
    description:
      'The body is the file itself, or a multipart form with one file: a data file of flent, a qlog (JSON or JSON-SEQ), a report of iperf3, an ASCII trace of ns-3 or output vectors of OMNeT++, plain or gzip, at most 64 MiB also when unpacked. What it is says its content.',
    query: UploadQuery,
    upload: ['application/octet-stream', 'multipart/form-data'],
    answers: {
      201: { description: 'It is kept', schema: ImportedRecord },
      200: { description: 'It was there already', schema: ImportedRecord },
    },
    errors: ['MEASUREMENT_REFUSED', 'UPLOAD_TOO_LARGE', 'UPLOAD_EMPTY', 'DISK_FULL', 'QUOTA_EXCEEDED'],
    handle: async ({ query }, req, res) => {
      const allowance = allowanceOf({ quota, holdings }, res);
      const upload = await receiveWithin(allowance, req, tempDir, MAX_IMPORT_BYTES);
      try {
        const name = query.name ?? upload.name ?? 'unnamed';
        const { id, imported } = await helpers.run(goneOf(res), (signal) =>
          readImport(upload.path, name, { signal, limits: helpers.files }),
        );
        const record = { id, name, created_at: new Date().toISOString(), imported };
        const added = await takeIn(allowance, upload.bytes, () => {
          const isNew = store.imported.insert(record);
          if (isNew) store.owners.put('imported', id, makerOf(res));
          return isNew;
        });
        return reply(added ? 201 : 200, store.imported.get(id) ?? record);
      } finally {
        await upload.remove();
      }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/imported-series',
    tag: 'runs',
    summary: 'The imported files',
    answers: { 200: { description: 'The newest first, without their series', schema: ImportedList } },
    errors: [],
    handle: (): ImportedList => ({ files: store.imported.list() }),
  }),
  defineRoute({
    method: 'get',
    path: '/imported-series/:id',
    tag: 'runs',
    summary: 'One imported file with its series',
    params: Params,
    answers: { 200: { description: 'The same for ever', schema: ImportedRecord } },
    errors: ['MEASUREMENT_UNKNOWN'],
    unknown: 'MEASUREMENT_UNKNOWN',
    handle: ({ params }) => {
      const record = store.imported.get(params.id);
      if (record === null) throw unknown(params.id);
      return record;
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/imported-series/:id',
    owned: { kind: 'imported' },
    tag: 'runs',
    summary: 'Take an imported file away',
    params: Params,
    answers: { 200: { description: 'What is left', schema: ImportedList } },
    errors: ['MEASUREMENT_UNKNOWN'],
    handle: ({ params }): ImportedList => {
      if (!store.imported.remove(params.id)) throw unknown(params.id);
      return { files: store.imported.list() };
    },
  }),
];
