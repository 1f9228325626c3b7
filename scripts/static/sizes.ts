// How large a site that was built is, by what its files are for.
import { existsSync, statSync } from 'node:fs';
import { relative } from 'node:path';
import { filesBelow } from '../lib/find.mjs';
import { FILE_KINDS, type FileKind } from './site-files.ts';

/** A site goes to hosts that are given it for nothing, and is fetched by phones. */
export const MOST_BYTES = 60e6;

/** By its name alone; answers of shares' runs are samples, too. */
function kindOf(name: string): FileKind {
  if (name.startsWith('engine/')) return 'engine';
  if (!name.startsWith('data/') || name.startsWith('data/offline/') || name === 'data/precache.json') return 'page';
  return /\/(control\.json|samples\.bin)\.gz$/.test(name) ? 'samples' : 'answers';
}

export interface KindSize {
  readonly kind: FileKind;
  readonly files: number;
  readonly bytes: number;
}

export function sizesOf(folder: string): KindSize[] {
  const all = existsSync(folder) ? filesBelow(folder, () => true) : [];
  const sized = all.map((file) => ({ kind: kindOf(relative(folder, file)), bytes: statSync(file).size }));
  return FILE_KINDS.map((kind) => {
    const own = sized.filter((file) => file.kind === kind);
    return { kind, files: own.length, bytes: own.reduce((sum, file) => sum + file.bytes, 0) };
  });
}
