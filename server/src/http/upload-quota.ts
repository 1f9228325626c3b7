import type { Request } from 'express';
import { AppError } from '../errors.ts';
import type { Quota } from '../quota.ts';
import { MAX_UPLOAD_BYTES, receive, type Upload } from './upload.ts';

/** The request's file, if the data folder has room for it: also one whose length nobody has told. */
export async function receiveWithin(
  quota: Quota,
  req: Request,
  folder: string,
  most = MAX_UPLOAD_BYTES,
): Promise<Upload> {
  const left = await quota.left();
  const room = Math.min(most, left);
  if (left <= 0) throw quota.refusal();
  try {
    return await receive(req, folder, room);
  } catch (error) {
    throw room < most && error instanceof AppError && error.code === 'UPLOAD_TOO_LARGE' ? quota.refusal() : error;
  }
}
