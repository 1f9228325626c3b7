import { readlinkSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PREFIX = 'paceline-run-';
const NAME = /^paceline-run-(\d+)-(\d+)-/;

/** A process's number means something within its process namespace only: containers may share a folder for temporary files. */
const processNamespace = (): string => {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0';
  } catch {
    return '0';
  }
};

/** A fresh folder that carries our number: should this process be killed, the next one finds it. */
export const temporaryFolder = (): Promise<string> =>
  mkdtemp(join(tmpdir(), `${PREFIX}${processNamespace()}-${process.pid}-`));

/** Removes what processes that are gone have left. */
export async function sweepTemporary(): Promise<void> {
  const here = processNamespace();
  for (const name of await readdir(tmpdir())) {
    const [, namespace, owner] = NAME.exec(name) ?? [];
    if (namespace !== here || owner === undefined || isThere(Number(owner))) continue;
    // Somebody else's is not ours to remove.
    await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => undefined);
  }
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
