// Zip files for tests: bundles as they are made, changed, and as nobody would make them.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { openPromise } from 'yauzl';
import { ZipFile } from 'yazl';
import { BUNDLE_FILES } from '#protocol/bundle';

export type Files = Map<string, string | Buffer>;

export const hashOf = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');

/** All files of a zip file, in its order. */
export async function unzipped(path: string): Promise<Map<string, Buffer>> {
  const zip = await openPromise(path, { autoClose: false, lazyEntries: true });
  const files = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry())
    files.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  zip.close();
  return files;
}

/** The list of hashes as it would be. */
export function rehashed(files: Files): Files {
  const others = [...files].filter(([name]) => name !== BUNDLE_FILES.hashes);
  const hashes = Object.fromEntries(others.map(([name, content]) => [name, hashOf(content)]));
  return new Map([...others, [BUNDLE_FILES.hashes, JSON.stringify(hashes)]]);
}

/** Writes them as they come; names may come twice. */
export async function zipped(
  path: string,
  files: Iterable<readonly [name: string, content: string | Buffer]>,
  mode = 0o100644,
): Promise<string> {
  const zip = new ZipFile();
  for (const [name, content] of files) zip.addBuffer(Buffer.from(content), name, { mode });
  zip.end();
  writeFileSync(path, await buffer(zip.outputStream));
  return path;
}
