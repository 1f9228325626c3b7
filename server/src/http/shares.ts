import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import type { Ask } from '#analysis/page-reader';
import { shareFileName } from '#analysis/share-document';
import { NewShare, ShareAnswers, ShareList, ShareRecord } from '#protocol/share';
import type { Lab } from '../lab.ts';
import { ShareFile } from '../shares/share-file.ts';
import { Shares } from '../shares/share-service.ts';
import type { Eyes } from '../store/private.ts';
import { allowanceOf } from './allowance.ts';
import { eyesOf } from './eyes.ts';
import { ShareParams, ShareRunParams } from './ids.ts';
import { makerOf, withMakers } from './owners.ts';
import { room } from './room.ts';
import { defineRoute, reply, untilGone, type Route } from './route.ts';

/** A share never changes; it can be taken away, and its name be given to another. */
const CACHED = 'private, no-cache';

/** `asks`: as whoever looks with these eyes. */
export const shareRoutes = (lab: Lab, asks: (eyes: Eyes) => Ask): Route[] => {
  const shares = new Shares(lab);
  return [
    defineRoute({
      method: 'post',
      path: '/shares',
      tag: 'shares',
      summary: 'Freeze a view of the page',
      description:
        'What the page at this address reads is kept as it stands: later changes of the experiment do not reach the share, which is at /s/<slug>.',
      body: NewShare,
      answers: { 201: { description: 'The share', schema: ShareRecord } },
      errors: [
        'SHARE_REFUSED',
        'SHARE_NOT_OVER',
        'EXPERIMENT_UNKNOWN',
        'RUN_UNKNOWN',
        'TRACE_UNKNOWN',
        'MEASUREMENT_UNKNOWN',
        'ENGINE_MISSING',
        'JSON_INVALID',
        'DISK_FULL',
        'QUOTA_EXCEEDED',
      ],
      handle: async ({ body }, _req, res) =>
        reply(
          201,
          await shares.freeze(body, {
            ask: asks(eyesOf(res)),
            signal: untilGone(res),
            maker: makerOf(res),
            allowance: allowanceOf(lab, res),
          }),
        ),
    }),
    defineRoute({
      method: 'get',
      path: '/shares',
      tag: 'shares',
      summary: 'All shares, the newest first',
      answers: { 200: { description: 'Without what they keep', schema: ShareList } },
      errors: [],
      handle: (_input, _req, res): ShareList => ({
        shares: withMakers(lab.store, res, 'share', shares.list(), ({ slug }) => slug),
      }),
    }),
    defineRoute({
      method: 'get',
      path: '/shares/:slug',
      tag: 'shares',
      summary: 'One share',
      params: ShareParams,
      answers: { 200: { description: 'Title, note, address, and when it was made', schema: ShareRecord } },
      errors: ['SHARE_UNKNOWN'],
      unknown: 'SHARE_UNKNOWN',
      handle: ({ params }) => shares.get(params.slug),
    }),
    defineRoute({
      method: 'delete',
      path: '/shares/:slug',
      owned: { kind: 'share', by: 'slug' },
      tag: 'shares',
      summary: 'Take a share away; what it shows stays',
      params: ShareParams,
      answers: { 200: { description: 'What is left', schema: ShareList } },
      errors: ['SHARE_UNKNOWN'],
      handle: ({ params }): ShareList => {
        shares.remove(params.slug);
        return { shares: shares.list() };
      },
    }),
    defineRoute({
      method: 'get',
      path: '/shares/:slug/answers',
      tag: 'shares',
      summary: 'What the page had read when the share was made',
      description: 'Answers of this API by path, without queries; long lists are whole. The same bytes for ever.',
      params: ShareParams,
      answers: { 200: { description: 'The share and its answers', schema: ShareAnswers } },
      errors: ['SHARE_UNKNOWN'],
      unknown: 'SHARE_UNKNOWN',
      handle: ({ params }, _req, res) => {
        const text = shares.answersText(params.slug);
        res.set('Cache-Control', CACHED).type('application/json').send(text);
      },
    }),
    defineRoute({
      method: 'get',
      path: '/shares/:slug/file',
      tag: 'shares',
      summary: 'A share as one HTML file that opens without a server',
      description:
        'The page itself with everything it shows, to look around in: it fetches nothing. Samples of runs go along as far as there is room (24 MiB, packed).',
      params: ShareParams,
      answers: { 200: { description: 'The file', media: 'text/html' } },
      errors: ['SHARE_UNKNOWN', 'BEING_BUILT'],
      handle: async ({ params: { slug } }, req, res) => {
        shares.get(slug);
        const file = new ShareFile(shares).write(slug, `${req.protocol}://${req.get('host') ?? ''}/s/${slug}`);
        res.attachment(shareFileName(slug)).type('html');
        await pipeline(Readable.from(file), res);
      },
    }),
    defineRoute({
      method: 'get',
      path: '/shares/:slug/runs/:run/control',
      tag: 'shares',
      summary: 'The control frames of a run of a share',
      params: ShareRunParams,
      answers: { 200: { description: 'In order', schema: z.array(z.unknown()) } },
      errors: ['SHARE_UNKNOWN', 'RUN_UNKNOWN'],
      handle: ({ params }, _req, res) => {
        const text = shares.control(params.slug, params.run);
        res.set('Cache-Control', CACHED).type('application/json').send(text);
      },
    }),
    defineRoute({
      method: 'get',
      path: '/shares/:slug/runs/:run/samples',
      tag: 'shares',
      summary: 'The samples of a run of a share, as telemetry frames one after the other',
      params: ShareRunParams,
      answers: { 200: { description: 'See docs/telemetry.md', media: 'application/octet-stream' } },
      errors: ['SHARE_UNKNOWN', 'RUN_UNKNOWN'],
      handle: async ({ params }, _req, res) => {
        for (const frame of shares.samples(params.slug, params.run)) {
          if (!res.headersSent) res.set('Cache-Control', CACHED).type('application/octet-stream');
          if (!res.write(frame)) await room(res);
          if (res.destroyed) return;
        }
        res.end();
      },
    }),
  ];
};
