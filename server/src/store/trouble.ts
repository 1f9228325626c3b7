// What keeps the data folder from being written or read: the machine's state, no run's fault.
import type { QueueHold } from '#protocol/api';

const DAMAGED = /^SQLITE_(CORRUPT|NOTADB)/;
// SHMSIZE: the index of the write-ahead log could not grow.
const FULL = /^(SQLITE_FULL|SQLITE_IOERR_SHMSIZE|ENOSPC|EDQUOT)$/;
const READ_ONLY = /^(SQLITE_READONLY.*|EROFS)$/;
const NO_DESCRIPTORS = /^(EMFILE|ENFILE)$/;
const NO_MEMORY = /^(ENOMEM|EAGAIN|SQLITE_NOMEM)$/;
/** Whatever else the system refuses: a file-size limit, a disk that fails, permissions. */
const REFUSED = /^(SQLITE_(IOERR|CANTOPEN|PERM|AUTH|PROTOCOL).*|EFBIG|EIO|EACCES|EPERM|ENODEV|ENXIO)$/;

export const FULL_DISK: QueueHold = {
  cause: 'disk_full',
  reason: 'the disk is full',
  hint: 'Free some space.',
};

export const damaged = (file: string, detail: string): QueueHold => ({
  cause: 'damaged',
  reason: `${file} is damaged: ${detail}`,
  hint: 'Stop the server; `paceline check` says what is lost. Put the file back from a backup.',
});

/** The trouble behind an error; null when it is something else. */
export const troubleOf = (error: unknown): QueueHold | null =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? troubleOfCode(error.code, error.message)
    : null;

/** The same by SQLite's or the system's name of it. */
export function troubleOfCode(code: string, message: string): QueueHold | null {
  if (FULL.test(code)) return FULL_DISK;
  if (DAMAGED.test(code)) return damaged('the database', message);
  if (READ_ONLY.test(code))
    return {
      cause: 'read_only',
      reason: `the data folder cannot be written to: ${message}`,
      hint: 'Make it writable, or choose another --data-dir.',
    };
  if (NO_DESCRIPTORS.test(code))
    return {
      cause: 'descriptors',
      reason: `no more files can be opened (${code})`,
      hint: 'Raise the limit (`ulimit -n`), or use fewer --workers.',
    };
  if (NO_MEMORY.test(code))
    return {
      cause: 'memory',
      reason: `the machine has no memory or processes to spare (${code})`,
      hint: 'End other programs, or use fewer --workers.',
    };
  if (REFUSED.test(code))
    return {
      cause: 'storage',
      reason: `the data folder cannot be used: ${message}${message.includes(code) ? '' : ` (${code})`}`,
      hint: 'Mend that, or choose another --data-dir.',
    };
  return null;
}
