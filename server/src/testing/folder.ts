import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';

/** A fresh folder for each test, gone after it. */
export function testFolder(): () => string {
  let folder: string | null = null;
  afterEach(() => {
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
    folder = null;
  });
  return () => (folder ??= mkdtempSync(join(tmpdir(), 'paceline-test-')));
}
