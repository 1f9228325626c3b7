import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach } from 'vitest';

/** A fresh folder for each test, gone after it. */
export const testFolder = (): (() => string) => folderUntil(afterEach);
/** One for all tests of the file, gone after the last. */
export const testFolderOfFile = (): (() => string) => folderUntil(afterAll);

function folderUntil(over: (work: () => void) => void): () => string {
  let folder: string | null = null;
  over(() => {
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
    folder = null;
  });
  return () => (folder ??= mkdtempSync(join(tmpdir(), 'paceline-test-')));
}
