import type { Request } from 'express';
import { AppError } from '../errors.ts';
import type { Allowance } from '../allowance.ts';
import { MAX_UPLOAD_BYTES, receive, type Upload } from './upload.ts';

/** The request's file, if there is room for it: also one whose length nobody has told. */
export async function receiveWithin(
  allowance: Allowance,
  req: Request,
  folder: string,
  most = MAX_UPLOAD_BYTES,
): Promise<Upload> {
  await allowance.admit(0);
  const room = Math.min(most, await allowance.left());
  try {
    return await receive(req, folder, room);
  } catch (error) {
    // Whose room it is that it does not fit into.
    if (room < most && error instanceof AppError && error.code === 'UPLOAD_TOO_LARGE') await allowance.admit(room + 1);
    throw error;
  }
}
