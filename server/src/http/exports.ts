import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { ProgramLogs } from '#protocol/program-logs';
import { ImportedBundle } from '#protocol/bundle';
import { takeIn } from '../allowance.ts';
import { imported } from '../bundle/bring.ts';
import { Bundle } from '../bundle/read.ts';
import { bundleName, bundleOf, TRACE_CHOICES } from '../bundle/write.ts';
import { AppError } from '../errors.ts';
import { exportExperiment, surveySteps } from '../export/experiment.ts';
import { RESULT_FORMATS, RUN_FORMATS, type Chunks, type ResultFormat, type RunFormat } from '../export/formats.ts';
import { exportFlent } from '../export/flent.ts';
import { exportOmnetpp } from '../export/omnetpp.ts';
import { exportRun } from '../export/run.ts';
import { reportOf } from '../export/report.ts';
import { experimentOwners, exportSource } from '../export/source.ts';
import type { Lab } from '../lab.ts';
import { handoversOf } from '../traces/handovers.ts';
import { programLogName } from '../jobs/program-logs.ts';
import { qlogName } from '../jobs/qlogs.ts';
import { allowanceOf } from './allowance.ts';
import { eyesOf } from './eyes.ts';
import { ExperimentParams, RunFlowParams, RunLogParams, RunParams } from './ids.ts';
import { makerOf } from './owners.ts';
import { paced } from '../slices.ts';
import { defineRoute, goneOf, untilGone, type Route } from './route.ts';
import { receiveWithin } from './upload-quota.ts';

const FORMATS = Object.keys(RUN_FORMATS) as [RunFormat, ...RunFormat[]];
const ExportQuery = z.object({ format: z.enum(FORMATS).default('csv') });
const ResultQuery = z.object({
  format: z.enum(Object.keys(RESULT_FORMATS) as [ResultFormat, ...ResultFormat[]]).default('csv'),
});
const mediaOf = (formats: readonly { readonly contentType: string }[]): string[] =>
  formats.map(({ contentType }) => contentType.split(';')[0] ?? '');
const media = mediaOf(Object.values(RUN_FORMATS));
const resultMedia = mediaOf(Object.values(RESULT_FORMATS));

async function download(res: Response, name: string, format: ResultFormat | RunFormat, chunks: Chunks): Promise<void> {
  const { contentType, extension } = { ...RESULT_FORMATS, ...RUN_FORMATS }[format];
  res.set({ 'Content-Type': contentType, 'Content-Disposition': `attachment; filename="${name}.${extension}"` });
  await pipeline(Readable.from(paced(chunks)), res);
}

const pageHere = (req: Request): string => `${req.protocol}://${req.get('host') ?? ''}`;

export const exportRoutes = (lab: Lab): Route[] => [
  defineRoute({
    method: 'get',
    path: '/experiments/:id/export',
    tag: 'experiments',
    summary: 'The results as a file',
    description: `CSV and Parquet: a row per run. JSON: the same with everything that is derived from it. LaTeX: a table with a row per cell. Sent as ${resultMedia.join(', ')}.`,
    params: ExperimentParams,
    query: ResultQuery,
    answers: { 200: { description: 'The file', media: resultMedia } },
    errors: ['EXPERIMENT_UNKNOWN', 'ENGINE_MISSING'],
    handle: async ({ params, query }, req, res) => {
      const experiment = await lab.experiments.whole(params.id);
      const { ccas } = await lab.engine.listing();
      const survey = await lab.slices.run(surveySteps(experiment), untilGone(res));
      const results =
        query.format === 'json' || query.format === 'latex' ? await lab.figures.forExport(experiment, ccas) : null;
      const around = { page: pageHere(req), owners: experimentOwners(lab, experiment) };
      const file = exportExperiment(experiment, survey, ccas, query.format, around, results);
      await download(res, `paceline-${params.id}`, query.format, file);
    },
  }),
  defineRoute({
    method: 'get',
    path: '/experiments/:id/report',
    tag: 'experiments',
    summary: 'An experiment as one HTML file',
    description:
      'Answers, figures, tables, methods, sources and the numbers themselves, to read anywhere: nothing is fetched, and nothing runs in it.',
    params: ExperimentParams,
    answers: { 200: { description: 'As it stands', media: 'text/html' } },
    errors: ['EXPERIMENT_UNKNOWN', 'ENGINE_MISSING'],
    handle: async ({ params }, req, res) => {
      const report = await reportOf(lab, params.id, pageHere(req), untilGone(res));
      res.attachment(`paceline-${params.id}.html`).type('html');
      await pipeline(Readable.from(paced(report)), res);
    },
  }),
  defineRoute({
    method: 'get',
    path: '/experiments/:id/bundle',
    tag: 'experiments',
    summary: 'An experiment as a zip file that imports elsewhere',
    description:
      'Spec, manifests, traces with their licences, weights, results with a hash for each run, and the report. `paceline verify` makes it again and compares.',
    params: ExperimentParams,
    query: z.object({
      traces: z
        .enum(TRACE_CHOICES)
        .default('all')
        .describe('which go along: all, those whose licence is known, or only their hashes'),
    }),
    answers: { 200: { description: 'The file, as it is made', media: 'application/zip' } },
    errors: ['EXPERIMENT_UNKNOWN', 'ENGINE_MISSING', 'FILE_DAMAGED'],
    handle: async ({ params, query }, _req, res) => {
      const bundle = await bundleOf(lab, params.id, query.traces);
      res.attachment(bundleName(params.id)).type('application/zip');
      await pipeline(bundle, res);
    },
  }),
  defineRoute({
    method: 'post',
    path: '/bundles',
    tag: 'experiments',
    summary: 'Import a bundle: its traces, weights and own algorithms',
    description:
      'The body is the zip file, at most 1 GiB. Nothing runs: post the `spec` of the answer to `experiments` for that. What is in the file is checked by its hashes.',
    upload: ['application/zip', 'application/octet-stream'],
    answers: { 200: { description: 'What it has brought, and its spec', schema: ImportedBundle } },
    errors: [
      'BUNDLE_REFUSED',
      'UPLOAD_TOO_LARGE',
      'UPLOAD_EMPTY',
      'TRACE_REFUSED',
      'WEIGHTS_REFUSED',
      'ALGORITHM_REFUSED',
      'DISK_FULL',
      'QUOTA_EXCEEDED',
      'ENGINE_MISSING',
    ],
    handle: async (_input, req, res) => {
      const allowance = allowanceOf(lab, res);
      const upload = await receiveWithin(allowance, req, lab.tempDir);
      try {
        const most = lab.helpers.files?.unpackedBytes;
        const bundle = await lab.helpers.run(goneOf(res), (signal) =>
          Bundle.open(upload.path, { signal, ...(most === undefined ? {} : { most }) }),
        );
        try {
          const around = { origin: 'upload', maker: makerOf(res), eyes: eyesOf(res), signal: goneOf(res) } as const;
          return await takeIn(allowance, bundle.bytes, () => imported(lab, bundle, around));
        } finally {
          bundle.close();
        }
      } finally {
        await upload.remove();
      }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/runs/:id/export',
    tag: 'runs',
    summary: 'A run’s series as a file',
    description: `A row per sampling interval, a column per value, with the unit in its name; for flent throughput, RTT and window of each flow; for OMNeT++ a vector per value. Sent as ${media.join(', ')}.`,
    params: RunParams,
    query: ExportQuery,
    answers: { 200: { description: 'The file', media } },
    errors: ['RUN_UNKNOWN', 'RUN_EMPTY'],
    handle: async ({ params, query }, req, res) => {
      const source = exportSource(lab, params.id);
      if (source === null) throw new AppError('RUN_EMPTY', `run ${params.id} has recorded nothing yet`);
      const handovers = query.format === 'json' ? await handoversOf(lab.traces, source.manifest, goneOf(res)) : [];
      const file =
        query.format === 'flent'
          ? exportFlent(source, lab.experiments.run(params.id).started_at)
          : query.format === 'omnetpp'
            ? exportOmnetpp(source, pageHere(req))
            : exportRun({ ...source, handovers }, query.format, pageHere(req));
      await download(res, `paceline-${params.id}`, query.format, file);
    },
  }),
  defineRoute({
    method: 'get',
    path: '/runs/:id/qlog/:flow',
    tag: 'runs',
    summary: 'The qlog of a flow over QUIC, for qvis',
    description:
      'JSON text sequences of schema 0.3, as the sender saw the connection. An experiment keeps them when its spec has `"qlog": true`; flows ' +
      'are numbered from 0.',
    params: RunFlowParams,
    answers: { 200: { description: 'The file', media: 'application/qlog+json-seq' } },
    errors: ['RUN_UNKNOWN', 'RUN_WITHOUT_QLOG'],
    handle: async ({ params: { id, flow } }, _req, res) => {
      const { manifest } = lab.experiments.run(id);
      if (!lab.qlogs.flows(id, manifest).includes(flow))
        throw new AppError('RUN_WITHOUT_QLOG', `run ${id} has no qlog of flow ${flow}`, {
          hint: 'Flows over QUIC have one when their experiment has "qlog": true.',
        });
      const name = qlogName(id, flow);
      res.set({
        'Content-Type': 'application/qlog+json-seq',
        'Content-Disposition': `attachment; filename="${name}"`,
      });
      await pipeline(createReadStream(lab.qlogs.file(id, flow)), res);
    },
  }),
  defineRoute({
    method: 'get',
    path: '/runs/:id/logs',
    tag: 'runs',
    summary: 'What external programs have written',
    description:
      'Known when the run is over. Streams to which nothing was written, and programs whose `log` is false, have none.',
    params: RunParams,
    answers: { 200: { description: 'Flow by flow, the sender first', schema: ProgramLogs } },
    errors: ['RUN_UNKNOWN'],
    handle: ({ params: { id } }) => {
      lab.experiments.run(id);
      return { logs: lab.programLogs.list(id) };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/runs/:id/logs/:log',
    tag: 'runs',
    summary: 'One of them',
    description: 'As the program wrote it; where something is left out, a line says how much.',
    params: RunLogParams,
    answers: { 200: { description: 'The text', media: 'text/plain' } },
    errors: ['RUN_UNKNOWN', 'RUN_WITHOUT_LOG'],
    handle: async ({ params: { id, log } }, _req, res) => {
      lab.experiments.run(id);
      if (!lab.programLogs.list(id).some(({ name }) => name === log))
        throw new AppError('RUN_WITHOUT_LOG', `run ${id} has no ${log}`, {
          hint: `GET runs/${id}/logs names those that it has.`,
        });
      res.set({
        'Content-Type': 'text/plain; charset=utf-8',
        'Content-Disposition': `attachment; filename="${programLogName(id, log)}"`,
      });
      await pipeline(createReadStream(lab.programLogs.file(id, log)), res);
    },
  }),
];
