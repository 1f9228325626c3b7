import { z } from 'zod';
import { Replay } from '#protocol/source';
import { line } from '#protocol/text';
import { readRecording, RecordingRefused } from '#bridge/recordings';
import { AppError } from '../errors.ts';
import type { Lab } from '../lab.ts';
import { allowanceOf } from './allowance.ts';
import { defineRoute, goneOf, type Route } from './route.ts';
import { receiveWithin } from './upload-quota.ts';

const Query = z.object({ name: line(512).optional() });

export const recordingRoutes = ({ tempDir, helpers, quota, holdings }: Lab): Route[] => [
  defineRoute({
    method: 'post',
    path: '/recordings',
    tag: 'experiments',
    summary: 'Read what an application wrote, from a recording',
    description:
      'The body is the file itself, or a multipart form with one file: a table of time_s,bytes, pcap or pcapng, plain, gzip or zstd. The answer is the `source` of a flow (docs/sources.md); nothing is kept.',
    query: Query,
    upload: ['application/octet-stream', 'multipart/form-data'],
    answers: { 200: { description: 'The source of a flow that writes the same', schema: Replay } },
    errors: ['UPLOAD_TOO_LARGE', 'UPLOAD_EMPTY', 'RECORDING_REFUSED', 'DISK_FULL', 'ENGINE_MISSING'],
    handle: async ({ query }, req, res) => {
      const upload = await receiveWithin(allowanceOf({ quota, holdings }, res), req, tempDir);
      try {
        const name = query.name ?? upload.name ?? 'unnamed';
        const limits = helpers.files;
        return await helpers.run(goneOf(res), (signal) => readRecording(upload.path, name, { signal, limits }));
      } catch (error) {
        throw error instanceof RecordingRefused ? new AppError('RECORDING_REFUSED', error.message) : error;
      } finally {
        await upload.remove();
      }
    },
  }),
];
