import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import busboy from 'busboy';
import type { Request } from 'express';
import { AppError } from '../errors.ts';

export const MAX_UPLOAD_BYTES = 2 ** 30;

export interface Upload {
  readonly path: string;
  /** The file's name as the sender gave it; for showing only. */
  readonly name: string | null;
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
  new AppError('UPLOAD_TOO_LARGE', `a trace file has at most ${limit / 2 ** 20} MiB`, {
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
  const save = async (source: Readable): Promise<void> => {
    const file = createWriteStream(path);
    await pipeline(unharmed(source), limited(limit), file);
    if (file.bytesWritten === 0) throw new AppError('UPLOAD_EMPTY', 'the file is empty');
  };
  try {
    if (!(req.headers['content-type'] ?? '').startsWith('multipart/form-data')) {
      await save(req);
      return { path, name: null, remove };
    }
    return { path, name: await saveForm(req, save), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function saveForm(req: Request, save: (source: Readable) => Promise<void>): Promise<string | null> {
  let form: busboy.Busboy;
  try {
    form = busboy({ headers: req.headers, limits: { files: 1, fields: 16, fieldSize: 1024 } });
  } catch (error) {
    throw new AppError('REQUEST_INVALID', error instanceof Error ? error.message : 'not a multipart form');
  }
  const found: { name: string | null; saved: Promise<void> | null } = { name: null, saved: null };
  form.on('file', (_field, stream, { filename }: { filename?: string }) => {
    found.name = filename ?? null;
    found.saved = save(stream);
    // The form's own end waits for the file; a failure to save must not.
    found.saved.catch((error: unknown) => form.destroy(error instanceof Error ? error : new Error(String(error))));
  });
  try {
    await pipeline(unharmed(req), form);
  } catch (error) {
    await found.saved;
    if (error instanceof AppError) throw error;
    throw new AppError(
      'REQUEST_INVALID',
      `the form is not whole: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  if (found.saved === null) throw new AppError('UPLOAD_EMPTY', 'the form holds no file');
  await found.saved;
  return found.name;
}
