import { createHash } from 'node:crypto';
import { text } from 'express';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import { MeasurementList, MeasurementRecord } from '#protocol/measurement';
import { line } from '#protocol/text';
import { takeIn } from '../allowance.ts';
import { AppError } from '../errors.ts';
import type { Lab } from '../lab.ts';
import { readMeasurement } from '../read-iperf3.ts';
import { allowanceOf } from './allowance.ts';
import { RunParams } from './ids.ts';
import { makerOf } from './owners.ts';
import { defineRoute, goneOf, reply, type Route } from './route.ts';

/** Hours of a test of several connections at iperf3's shortest interval. */
export const MAX_MEASUREMENT_BYTES = 32 * 2 ** 20;

const Params = RunParams.extend({ measurement: z.string().regex(/^[0-9a-f]{16}$/) });
const UploadQuery = z.object({ name: line(512).min(1).default('iperf3.json') });

/** The report as it is: one that was cut short is not JSON, and yet of use. */
const asText: RequestHandler = text({ type: () => true, limit: MAX_MEASUREMENT_BYTES });

export const measurementRoutes = ({ store, experiments, quota, holdings, helpers }: Lab): Route[] => [
  defineRoute({
    method: 'post',
    path: '/runs/:id/measurements',
    tag: 'runs',
    summary: 'Lay a measurement of a live connection over a run',
    description:
      'The body is the report that `iperf3 -J` or `--json-stream` wrote, TCP or UDP, of either end, also one that was cut short; at most 32 MiB.',
    params: RunParams,
    query: UploadQuery,
    upload: ['application/json'],
    reader: asText,
    answers: {
      201: { description: 'It is kept with the run', schema: MeasurementRecord },
      200: { description: 'It was there already', schema: MeasurementRecord },
    },
    errors: ['RUN_UNKNOWN', 'MEASUREMENT_REFUSED', 'BODY_TOO_LARGE', 'DISK_FULL'],
    handle: async ({ params, query }, req, res) => {
      experiments.run(params.id);
      const allowance = allowanceOf({ quota, holdings }, res);
      await allowance.admit(0);
      const report = typeof req.body === 'string' ? req.body : '';
      const measurement = await helpers.run(goneOf(res), (signal) =>
        readMeasurement({ text: report }, query.name, { signal, limits: helpers.files }),
      );
      const id = createHash('sha256').update(`${params.id}\n${report}`).digest('hex').slice(0, 16);
      const record = { id, run: params.id, name: query.name, created_at: new Date().toISOString(), measurement };
      const added = await takeIn(allowance, Buffer.byteLength(report), () => {
        const isNew = store.measurements.insert(record);
        if (isNew) store.owners.put('measurement', id, makerOf(res));
        return isNew;
      });
      return reply(added ? 201 : 200, store.measurements.get(id) ?? record);
    },
  }),
  defineRoute({
    method: 'get',
    path: '/runs/:id/measurements',
    tag: 'runs',
    summary: 'The measurements that are laid over a run',
    params: RunParams,
    answers: { 200: { description: 'The oldest first', schema: MeasurementList } },
    errors: ['RUN_UNKNOWN'],
    handle: ({ params }): MeasurementList => {
      experiments.run(params.id);
      return { measurements: store.measurements.list(params.id) };
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/runs/:id/measurements/:measurement',
    owned: { kind: 'measurement', by: 'measurement' },
    tag: 'runs',
    summary: 'Take a measurement away from a run',
    params: Params,
    answers: { 200: { description: 'What is left', schema: MeasurementList } },
    errors: ['RUN_UNKNOWN', 'MEASUREMENT_UNKNOWN'],
    handle: ({ params }): MeasurementList => {
      experiments.run(params.id);
      if (!store.measurements.remove(params.id, params.measurement))
        throw new AppError('MEASUREMENT_UNKNOWN', `run ${params.id} has no measurement ${params.measurement}`);
      return { measurements: store.measurements.list(params.id) };
    },
  }),
];
