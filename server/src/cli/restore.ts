import { restoreFrom } from './backup.ts';
import { restore as restoreDeleted } from './organise.ts';

/** What was deleted, by its id; with --from a data folder, from a backup. */
export async function restore(words: readonly string[]): Promise<number> {
  const fromBackup = words.some((word) => word === '--from' || word.startsWith('--from='));
  return fromBackup ? restoreFrom(words) : restoreDeleted(words);
}
