/**
 * Recordings by others. Four may be passed on and are shipped (traces/recordings); more can lie in a folder of one's own: PACELINE_RECORDINGS, or
 * the place named here, which most checkouts do not have. Only checks look there, and go without what is not there.
 */
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ROOT } from './paths.mjs';

export const MORE_RECORDINGS = process.env['PACELINE_RECORDINGS'] ?? join(ROOT, '../shared/traces');
const SHIPPED = `${ROOT}/traces/made`;

/**
 * The shipped trace of this recording, else the file of one's own.
 * @param {string} file such as `3g-hspa-citydrive.down.gz`
 * @returns {string | undefined} its path, where there is one
 */
export function recording(file) {
  const stem = basename(file).split('.')[0] ?? '';
  const shipped = existsSync(`${ROOT}/traces/recordings/${stem}.json`) ? `${SHIPPED}/${stem}.trace.gz` : undefined;
  return [shipped, join(MORE_RECORDINGS, file)].find((path) => path !== undefined && existsSync(path));
}
