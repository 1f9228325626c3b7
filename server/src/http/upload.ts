import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import busboy from 'busboy';
import type { Request } from 'express';
import { plainLine } from '#protocol/text';
import { AppError } from '../errors.ts';

const MiB = 2 ** 20;
export const MAX_UPLOAD_BYTES = 1024 * MiB;

export interface Upload {
  readonly path: string;
  /** The file's name as the sender gave it; for showing only. */
  readonly name: string | null;
  readonly bytes: number;
  readonly remove: () => Promise<void>;
}

/** Passes bytes on until there are too many. */
function limited(limit: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.byteLength;
      if (bytes > limit) done(tooLarge(limit));
      else done(null, chunk);
    },
  });
}

const tooLarge = (limit: number): AppError =>
  limit < MiB
    ? new AppError('UPLOAD_TOO_LARGE', `such a text has at most ${limit / 1024} KiB`)
    : new AppError('UPLOAD_TOO_LARGE', `such a file has at most ${limit / MiB} MiB`, {
        hint: 'Compress it with gzip, or cut it.',
      });

/** A failure further down leaves the source whole: destroying a request would cut off its answer as well. */
const unharmed = (source: Readable): NodeJS.AsyncIterator<Buffer> =>
  source.iterator({ destroyOnReturn: false }) as NodeJS.AsyncIterator<Buffer>;

/** Streams the request's file to a temporary one: the raw body, or the first file of a multipart form. */
export async function receive(req: Request, folder: string, limit = MAX_UPLOAD_BYTES): Promise<Upload> {
  const declared = Number(req.headers['content-length'] ?? 0);
  if (declared > limit + 65_536) throw tooLarge(limit);
  const path = join(folder, randomUUID());
  const remove = (): Promise<void> => rm(path, { force: true });
  const save = async (source: Readable, name: string | null): Promise<number> => {
    const file = createWriteStream(path);
    const closed = new Promise<void>((resolve) => file.once('close', () => resolve()));
    try {
      await pipeline(unharmed(source), limited(limit), file);
    } finally {
      // It may only be about to be made: what is removed before that would be there afterwards.
      await closed;
    }
    if (file.bytesWritten === 0) throw new AppError('UPLOAD_EMPTY', `${name ?? 'the file'} is empty`);
    return file.bytesWritten;
  };
  try {
    if (!(req.headers['content-type'] ?? '').startsWith('multipart/form-data')) {
      const name = new URL(req.url, 'http://here').searchParams.get('name');
      return { path, name: null, bytes: await save(req, name === null ? null : plainLine(name)), remove };
    }
    return { path, ...(await saveForm(req, save)), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function saveForm(
  req: Request,
  save: (source: Readable, name: string | null) => Promise<number>,
): Promise<{ readonly name: string | null; readonly bytes: number }> {
  const found: { name: string | null; saved: Promise<number> | null } = { name: null, saved: null };
  const form = formOf(req);
  form.on('file', (_field, file, { filename }: { filename?: string }) => {
    found.name = filename === undefined ? null : plainLine(filename);
    // Also when the rest of the form goes wrong after the file has been dealt with.
    file.on('error', () => undefined);
    found.saved = save(file, found.name);
    found.saved.catch((error: unknown) => form.destroy(error as Error));
  });
  // The pipeline tells the first; busboy goes on reading after a bad header and may well find more, and no later listener would hear.
  form.on('error', () => undefined);
  try {
    await pipeline(unharmed(req), form);
    if (found.saved === null) throw new AppError('UPLOAD_EMPTY', 'the form holds no file');
    const bytes = await found.saved;
    return { name: found.name, bytes };
  } catch (error) {
    form.destroy();
    await found.saved?.catch(() => undefined);
    // The rest is read and thrown away, so that the sender gets to its answer.
    req.resume();
    throw saysItself(error) ? error : notAForm(error);
  }
}

function formOf({ headers }: Request): busboy.Busboy {
  try {
    return busboy({ headers, defParamCharset: 'utf8', limits: { files: 1, fields: 16, fieldSize: 1024 } });
  } catch (error) {
    throw notAForm(error);
  }
}

/** Our own refusals, a disk that is full, a sender that has gone; what busboy complains of has no code. */
const saysItself = (error: unknown): boolean =>
  error instanceof AppError || (error instanceof Error && 'code' in error && typeof error.code === 'string');

const notAForm = (error: unknown): AppError =>
  new AppError(
    'REQUEST_INVALID',
    `not a whole multipart form: ${error instanceof Error ? error.message : String(error)}`,
  );
