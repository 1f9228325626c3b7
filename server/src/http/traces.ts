import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { z } from 'zod';
import { TraceChange, TraceList, TraceRecord } from '#protocol/api';
import { findTraces, FIRST_TRACE_ORDER, sortTraces, TRACE_ORDERS } from '#analysis/trace-library';
import { isShippedRecording } from '#analysis/shipped-recording';
import { Recipe } from '#protocol/recipe';
import { line, Word } from '#protocol/text';
import { SourceChoices, TraceDynamics, TraceMarks, TracePreview, WrittenForm } from '#protocol/trace';
import { takeIn } from '../allowance.ts';
import { AppError } from '../errors.ts';
import type { Lab } from '../lab.ts';
import { FORM_ENDINGS, writtenTrace } from '../traces/written-trace.ts';
import { allowanceOf } from './allowance.ts';
import { TraceParams } from './ids.ts';
import { ArchivedQuery } from './labels.ts';
import { eyesOf } from './eyes.ts';
import { madeBy, withPrivacy } from './owners.ts';
import { PrivateQuery } from './private-query.ts';
import { defineRoute, goneOf, reply, type Route } from './route.ts';
import { receiveWithin } from './upload-quota.ts';

/** So short a table of whole numbers could as well mean seconds and Mbps: the file says which it is. */
const SAYS_ITS_FORM_BELOW_MS = 10_000;

const Assignment = Word.regex(/^[^=]+=/, 'needs option=value');
/** No trace is longer than a day. */
const Moment = z.coerce.number().int().max(86_400_000);

const UploadQuery = z.object({
  name: line(512).optional(),
  format: Word.max(64).optional().describe('what the file is; absent: what it looks like'),
  set: z
    .union([Assignment, z.array(Assignment)])
    .optional()
    .describe('option=value of the format, as often as needed'),
  licence: TraceChange.shape.licence,
  source: TraceChange.shape.source,
  technology: TraceChange.shape.technology,
  place: TraceChange.shape.place,
  private: PrivateQuery,
});
const ListQuery = ArchivedQuery.extend({
  search: line(200)
    .default('')
    .describe(
      'words that must stand in its names, tags, technology, place, description or source; tag:WORD: it has this tag',
    ),
  technology: line(60).default('').describe('exactly this one'),
  place: line(60).default('').describe('exactly this one'),
  sort: z.enum(TRACE_ORDERS).default(FIRST_TRACE_ORDER).describe('a minus before it: the other way round'),
});
const FileQuery = z.object({
  form: WrittenForm.default('ms-count'),
  step_ms: z.coerce.number().int().min(1).max(60_000).optional().describe('of csv (10) and netem (100)'),
});
const PreviewQuery = z
  .object({
    bins: z.coerce.number().int().min(1).max(100_000).default(1000),
    from_ms: Moment.min(0).optional(),
    to_ms: Moment.min(1).optional(),
  })
  .refine(({ from_ms = 0, to_ms }) => to_ms === undefined || to_ms > from_ms, {
    path: ['to_ms'],
    message: 'must be greater than from_ms',
  });

function choicesFrom({ format, set = [] }: z.infer<typeof UploadQuery>): SourceChoices {
  const options = [set].flat().map((word) => {
    const equals = word.indexOf('=');
    return [word.slice(0, equals), word.slice(equals + 1)];
  });
  const choices = SourceChoices.safeParse({ format, options: Object.fromEntries(options) as Record<string, string> });
  if (choices.success) return choices.data;
  const [fault] = choices.error.issues;
  throw new AppError('REQUEST_INVALID', fault?.message ?? 'not valid', { where: 'set' });
}

export const traceRoutes = (lab: Lab): Route[] => {
  const { traces, tempDir, helpers, store } = lab;
  const told = (res: Response, record: TraceRecord): TraceRecord => withPrivacy(store, res, 'trace', record);
  return [
    defineRoute({
      method: 'post',
      path: '/traces',
      tag: 'traces',
      summary: 'Upload a trace',
      description:
        'The body is the file itself, or a multipart form with one file: every form that docs/traces.md names, plain, gzip or zstd, at most 1 GiB. The same content twice is the same trace.',
      query: UploadQuery,
      upload: ['application/octet-stream', 'text/plain', 'application/gzip', 'multipart/form-data'],
      answers: {
        201: { description: 'The trace is new', schema: TraceRecord },
        200: { description: 'The trace was there already', schema: TraceRecord },
      },
      errors: ['UPLOAD_TOO_LARGE', 'UPLOAD_EMPTY', 'TRACE_REFUSED', 'DISK_FULL', 'ENGINE_MISSING', 'NOBODY_TOLD_APART'],
      handle: async ({ query }, req, res) => {
        const allowance = allowanceOf(lab, res);
        const upload = await receiveWithin(allowance, req, tempDir);
        try {
          const name = query.name ?? upload.name ?? 'unnamed';
          const about = {
            name,
            origin: 'upload',
            choices: choicesFrom(query),
            licence: query.licence,
            source: query.source,
            technology: query.technology,
            place: query.place,
            ...madeBy(res, query.private),
            signal: goneOf(res),
          } as const;
          const { record, added } = await takeIn(allowance, upload.bytes, () => traces.add(upload.path, about));
          return reply(added ? 201 : 200, told(res, record));
        } finally {
          await upload.remove();
        }
      },
    }),
    defineRoute({
      method: 'get',
      path: '/traces',
      tag: 'traces',
      summary: 'All traces, or those that are looked for',
      description: 'Your own, the newest first, then the shipped ones, unless `sort` says otherwise.',
      query: ListQuery,
      answers: { 200: { description: 'In the order that was asked for', schema: TraceList } },
      errors: [],
      handle: ({ query: { sort, archived, ...filter } }, _req, res): TraceList => ({
        traces: sortTraces(findTraces(traces.list({ archived, eyes: eyesOf(res) }), filter), sort).map((one) =>
          told(res, one),
        ),
      }),
    }),
    defineRoute({
      method: 'get',
      path: '/traces/:id',
      tag: 'traces',
      summary: 'One trace',
      params: TraceParams,
      answers: { 200: { description: 'Its statistics', schema: TraceRecord } },
      errors: ['TRACE_UNKNOWN'],
      unknown: 'TRACE_UNKNOWN',
      handle: ({ params }, _req, res) => told(res, traces.get(params.id)),
    }),
    defineRoute({
      method: 'patch',
      path: '/traces/:id',
      owned: { kind: 'trace' },
      tag: 'traces',
      summary: 'Name, describe, say licence, source, technology and place',
      description:
        'What is left out stays; an old name goes on meaning the trace. The shipped traces are described by their recipes and keep what these say.',
      params: TraceParams,
      body: TraceChange,
      answers: { 200: { description: 'The trace as it is now', schema: TraceRecord } },
      errors: ['TRACE_UNKNOWN', 'TRACE_SHIPPED'],
      handle: ({ params, body }, _req, res) => told(res, traces.change(params.id, body)),
    }),
    defineRoute({
      method: 'get',
      path: '/traces/:id/dynamics',
      tag: 'traces',
      summary: 'Autocorrelation, outages and falls',
      params: TraceParams,
      answers: { 200: { description: 'How the trace moves', schema: TraceDynamics } },
      errors: ['TRACE_UNKNOWN', 'ENGINE_MISSING'],
      handle: async ({ params }, _req, res) => {
        const dynamics = await traces.dynamics(params.id, goneOf(res));
        res.set('Cache-Control', 'private, max-age=3600');
        return dynamics;
      },
    }),
    defineRoute({
      method: 'get',
      path: '/traces/:id/marks',
      tag: 'traces',
      summary: 'Handovers and signal, as the model behind the trace knows them',
      description: 'Of a trace from a recipe with a radio model; of others there are none.',
      params: TraceParams,
      answers: { 200: { description: 'When what happened, from the beginning of the trace', schema: TraceMarks } },
      errors: ['TRACE_UNKNOWN', 'ENGINE_MISSING'],
      handle: async ({ params }, _req, res) => {
        const marks = await traces.marks(params.id, goneOf(res));
        res.set('Cache-Control', 'private, max-age=3600');
        return marks;
      },
    }),
    defineRoute({
      method: 'get',
      path: '/traces/:id/preview',
      tag: 'traces',
      summary: 'Capacity over time, with the extremes of each bin',
      params: TraceParams,
      query: PreviewQuery,
      answers: { 200: { description: 'Mean, least and greatest rate of each bin', schema: TracePreview } },
      errors: ['TRACE_UNKNOWN', 'ENGINE_MISSING'],
      handle: async ({ params, query }, _req, res) => {
        const preview = await traces.preview(params.id, query, goneOf(res));
        res.set('Cache-Control', 'private, max-age=86400, immutable');
        return preview;
      },
    }),
    defineRoute({
      method: 'get',
      path: '/traces/:id/recipe',
      tag: 'traces',
      summary: 'What the trace was made from',
      params: TraceParams,
      answers: { 200: { description: 'The recipe', schema: Recipe } },
      errors: ['TRACE_UNKNOWN', 'TRACE_WITHOUT_RECIPE'],
      handle: ({ params }) => traces.recipe(params.id),
    }),
    defineRoute({
      method: 'get',
      path: '/traces/:id/content',
      tag: 'traces',
      summary: 'The bytes that the trace’s id is the SHA-256 of',
      description: '`ms count` lines and nothing else: what an engine outside the server needs to run the trace.',
      params: TraceParams,
      answers: { 200: { description: 'The content', media: 'text/plain' } },
      errors: ['TRACE_UNKNOWN'],
      handle: async ({ params }, _req, res) => {
        const path = await traces.file(params.id);
        res.set('Cache-Control', 'private, max-age=86400, immutable').type('text/plain');
        await pipeline(createReadStream(path), res);
      },
    }),
    defineRoute({
      method: 'get',
      path: '/traces/:id/file',
      tag: 'traces',
      summary: 'The trace as a file',
      description:
        '`ms count` text unless `form` says otherwise: Mahimahi’s (a trace that ends in a pause cannot be written so), a CSV table of rates, or a bash script that sets the rate of a network interface with tc netem. docs/traces.md says what each holds. A shipped recording by others begins, as `ms count`, with comments that say whose it is.',
      params: TraceParams,
      query: FileQuery,
      answers: { 200: { description: 'The file', media: 'text/plain' } },
      errors: ['TRACE_UNKNOWN', 'TRACE_FORM_REFUSED', 'ENGINE_MISSING', 'DISK_FULL'],
      handle: async ({ params, query: { form, step_ms } }, _req, res) => {
        const { id, name, info, ...said } = traces.get(params.id);
        const path = await traces.file(id);
        const plain = name.replaceAll(/[^\w.-]+/g, '_').replace(/(\.(gz|trace|txt))*$/, '');
        if (form !== 'ms-count') {
          const written = await writtenTrace(path, { form, stepMs: step_ms, name }, tempDir, {
            helpers,
            gone: goneOf(res),
          });
          try {
            res.attachment(`${plain}${FORM_ENDINGS[form]}`).type('text/plain');
            await pipeline(createReadStream(written.path), res);
          } finally {
            await written.remove();
          }
          return;
        }
        res.attachment(`${plain}.trace`).type('text/plain');
        if (info.period_ms < SAYS_ITS_FORM_BELOW_MS) res.write('# ms count\n');
        // Whoever passes the file on has to say whose it is.
        if (isShippedRecording(said)) res.write(`# ${said.licence}\n${said.source}`.replaceAll('\n', '\n# ') + '\n');
        await pipeline(createReadStream(path), res);
      },
    }),
  ];
};
