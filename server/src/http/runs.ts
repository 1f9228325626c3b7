import type { Response } from 'express';
import { z } from 'zod';
import { RunRecord, SparkList, type RunSpark } from '#protocol/api';
import { LinkChange } from '#protocol/control';
import type { Lab } from '../lab.ts';
import { framesOf } from '../jobs/frames-of.ts';
import { allowanceOf } from './allowance.ts';
import { eyesOf, isFrozen } from './eyes.ts';
import { RunParams } from './ids.ts';
import { room } from './room.ts';
import { defineRoute, reply, type Route } from './route.ts';

const SamplesQuery = z.object({
  stream: z.coerce.number().int().min(0).max(0xffff).optional(),
  from_s: z.coerce.number().min(0).optional(),
  to_s: z.coerce.number().min(0).optional(),
});

const SparksQuery = z.object({
  runs: z
    .string()
    .regex(/^[a-z2-7]{20}(,[a-z2-7]{20}){0,63}$/, 'up to 64 runs’ ids, with commas between them')
    .describe('ids of runs, with commas between them'),
});

const LinkOrder = LinkChange.omit({ type: true }).refine(
  ({ direction: _, ...changes }) => Object.keys(changes).length > 0,
  'nothing is to be changed: give rate_mbps, capacity, delay_ms, loss, limit_bytes or limit_packets',
);

export const runRoutes = (lab: Lab): Route[] => {
  const { experiments, reader, sparks, samplesAgain, store } = lab;
  /** As it stands, with those of its experiments that may be seen; what is frozen tells of none that is private where another has it. */
  const told = (res: Response, id: string): RunRecord => {
    const record = experiments.run(id);
    const eyes = eyesOf(res);
    const seen = record.experiments.filter((one) => !store.private.isUnseen('experiment', one.id, eyes));
    const forAll = isFrozen(res) ? seen.filter((one) => !store.private.has('experiment', one.id)) : [];
    return { ...record, experiments: forAll.length > 0 ? forAll : seen };
  };
  return [
    defineRoute({
      method: 'get',
      path: '/runs/:id',
      tag: 'runs',
      summary: 'One run: its manifest, how it stands, its figures',
      params: RunParams,
      answers: { 200: { description: 'As it stands', schema: RunRecord } },
      errors: ['RUN_UNKNOWN'],
      unknown: 'RUN_UNKNOWN',
      handle: ({ params }, _req, res) => told(res, params.id),
    }),
    defineRoute({
      method: 'get',
      path: '/sparks',
      tag: 'runs',
      summary: 'Up to 64 runs at a glance: capacity, rate and queue over time, 60 means each',
      description: 'Runs that are not known or have no samples are left out.',
      query: SparksQuery,
      answers: { 200: { description: 'In the order asked for', schema: SparkList } },
      errors: ['REQUEST_INVALID'],
      handle: async ({ query }, _req, res) => {
        const gone = new AbortController();
        res.once('close', () => gone.abort());
        const found: RunSpark[] = [];
        try {
          for (const run of query.runs.split(',')) {
            if (store.private.isUnseen('run', run, eyesOf(res))) continue;
            const spark = await sparks.of(run, gone.signal);
            if (spark !== null) found.push(spark);
          }
        } catch (error) {
          // Nobody waits for the rest.
          if (gone.signal.aborted) return undefined;
          throw error;
        }
        return { sparks: found };
      },
    }),
    defineRoute({
      method: 'post',
      path: '/runs/:id/stop',
      owned: { kind: 'run' },
      tag: 'runs',
      summary: 'Stop a run at once; what it has recorded is kept',
      params: RunParams,
      answers: { 200: { description: 'Its processes are gone', schema: RunRecord } },
      errors: ['RUN_UNKNOWN'],
      handle: async ({ params }, _req, res) => {
        await experiments.stopRun(params.id);
        return told(res, params.id);
      },
    }),
    defineRoute({
      method: 'post',
      path: '/runs/:id/link',
      owned: { kind: 'run' },
      tag: 'runs',
      summary: 'Change the link of a run that goes on',
      description:
        'Takes effect at once. A `link_change` event in the run’s telemetry says what was changed and when; the run then counts as ' +
        'invalid in its experiment, because it no longer measures its cell.',
      params: RunParams,
      body: LinkOrder,
      answers: { 202: { description: 'It was told to the link', schema: RunRecord } },
      errors: ['RUN_UNKNOWN', 'RUN_LINK_FIXED', 'REQUEST_INVALID', 'JSON_INVALID'],
      handle: ({ params, body }, _req, res) => {
        experiments.changeLink(params.id, { type: 'set', ...body });
        return reply(202, told(res, params.id));
      },
    }),
    defineRoute({
      method: 'post',
      path: '/runs/:id/retry',
      owned: { kind: 'run' },
      tag: 'runs',
      summary: 'Run again a run that failed, was stopped or is invalid',
      params: RunParams,
      answers: { 200: { description: 'It is in the queue', schema: RunRecord } },
      errors: ['RUN_UNKNOWN', 'RUN_NOT_RETRYABLE', 'DISK_FULL'],
      handle: async ({ params }, _req, res) => {
        await experiments.retryRun(params.id, allowanceOf(lab, res));
        return told(res, params.id);
      },
    }),
    defineRoute({
      method: 'get',
      path: '/runs/:id/samples',
      tag: 'runs',
      summary: 'The samples as telemetry frames, one after the other',
      description: 'With `stream` only that stream, with `from_s` and `to_s` only the rows of this time.',
      params: RunParams,
      query: SamplesQuery,
      answers: { 200: { description: 'See docs/telemetry.md', media: 'application/octet-stream' } },
      errors: ['RUN_UNKNOWN'],
      handle: async ({ params, query }, _req, res) => {
        const { state } = experiments.run(params.id);
        const over = state !== 'running' && state !== 'queued';
        res.type('application/octet-stream').set('Cache-Control', over ? 'private, max-age=60' : 'no-store');
        const range = { stream: query.stream, from_s: query.from_s, to_s: query.to_s };
        for (const frame of framesOf(reader, params.id, range)) {
          if (!res.write(frame)) await room(res);
          if (res.destroyed) return;
        }
        res.end();
      },
    }),
    defineRoute({
      method: 'post',
      path: '/runs/:id/samples',
      // It changes nothing that anybody has made: what is there once more is what was there.
      needs: 'viewer',
      tag: 'runs',
      summary: 'Make the samples again of a run that has none any more',
      description:
        'Of a run in virtual time whose samples were let go to make room, or that was made without (docs/retention.md). It is made once more; ' +
        'what comes is kept if it comes to the very figures that are stored.',
      params: RunParams,
      answers: { 200: { description: 'They are there', schema: RunRecord } },
      errors: ['RUN_UNKNOWN', 'SAMPLES_NOT_MADE', 'ENGINE_MISSING', 'QUOTA_EXCEEDED', 'TOO_BUSY', 'DISK_FULL'],
      handle: async ({ params }, _req, res) => {
        await samplesAgain.make(params.id);
        return told(res, params.id);
      },
    }),
    defineRoute({
      method: 'get',
      path: '/runs/:id/control',
      tag: 'runs',
      summary: 'The control frames: hello, events, summary …',
      params: RunParams,
      answers: { 200: { description: 'In order', schema: z.array(z.unknown()) } },
      errors: ['RUN_UNKNOWN'],
      handle: ({ params }, _req, res) => {
        experiments.run(params.id);
        // Stored as JSON: joined, not parsed and printed again.
        const frames = reader.controls(params.id).map(({ body }) => body);
        res.type('application/json').send(`[${frames.join(',')}]`);
      },
    }),
  ];
};
