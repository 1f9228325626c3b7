import { AppError } from '../errors.ts';

/** Bytes that are none of UTF-8 would be read as something else than was sent. */
export function ownTextOf(bytes: Uint8Array, where: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new AppError('ALGORITHM_REFUSED', 'the text is not UTF-8', {
      where,
      hint: 'Save it as UTF-8 and send it again.',
    });
  }
}
