// Files that are named by what is in them: whether they still hold it.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../errors.ts';

/** What has been found whole, by its path: how it looked then. */
const whole = new Map<string, string>();
const REMEMBERED = 1000;

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

export type Damage = 'missing' | 'damaged';

/** Null when the file is there and has this hash. It is read again only when it has changed. */
export async function damageOf(path: string, sha256: string): Promise<Damage | null> {
  try {
    const { ino, size, mtimeMs, ctimeMs } = await stat(path);
    const looks = [ino, size, mtimeMs, ctimeMs].join(' ');
    if (whole.get(path) === looks) return null;
    if ((await sha256Of(path)) !== sha256) return 'damaged';
    whole.set(path, looks);
    const [oldest] = whole.keys();
    if (whole.size > REMEMBERED && oldest !== undefined) whole.delete(oldest);
    return null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'missing';
    throw error;
  }
}

export const damaged = (what: string, damage: Damage, where: string, hint: string): AppError =>
  new AppError('FILE_DAMAGED', `the file of ${what} is ${damage}`, { where, hint });
