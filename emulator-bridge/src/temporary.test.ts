// Folders of processes that were killed: found by the next one, and only those.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sweepTemporary, temporaryFolder } from './temporary.ts';

const usual = process.env['TMPDIR'];
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'paceline-test-'));
  process.env['TMPDIR'] = folder;
});
afterEach(() => {
  if (usual === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = usual;
  rmSync(folder, { recursive: true, force: true });
});

it('removes what a process that is gone has left, and nothing else', async () => {
  const ours = await temporaryFolder();
  const gone = spawnSync('true').pid;
  const left = join(folder, basename(ours).replace(`-${process.pid}-`, `-${gone}-`));
  const elsewhere = join(folder, basename(left).replace(/^paceline-run-\d+/, 'paceline-run-1'));
  for (const made of [left, elsewhere, join(folder, 'other')]) mkdirSync(made);
  await sweepTemporary();
  expect([left, ours, elsewhere, join(folder, 'other')].map((path) => existsSync(path))).toEqual([
    false,
    true,
    true,
    true,
  ]);
});
