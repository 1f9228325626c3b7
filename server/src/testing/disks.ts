// Disks of a test's own, mounted where nobody else sees them: in mount namespaces that end with the process which keeps them.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach } from 'vitest';

export interface Disk {
  /** What a process is started under so that it sees the disk. */
  readonly under: readonly string[];
  /** The disk as seen from outside. */
  readonly root: string;
  /** Does something with it: mounts over it, changes how it is mounted. */
  readonly sh: (script: string) => void;
}

const succeeds = (program: string, ...words: string[]): boolean => {
  try {
    execFileSync(program, words, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** Anybody may, in a user namespace, unless the machine does not give any. */
export const canMount = succeeds('unshare', '-rm', 'mount', '-t', 'tmpfs', 'none', '/mnt');

const FILE_SYSTEM = ['mkfs.ext4', '-q', '-F'] as const;
const mountFile = (image: string, path: string): string => `mount -o loop,errors=remount-ro '${image}' '${path}'`;
const newFile = (image: string): void => {
  writeFileSync(image, '');
  execFileSync('truncate', ['-s', '256M', image]);
  execFileSync(FILE_SYSTEM[0], [...FILE_SYSTEM.slice(1), image], { stdio: 'ignore' });
};

/** A file system in a file: root's alone, and not in every container. */
export const canMountFiles = ((): boolean => {
  const folder = mkdtempSync(join(tmpdir(), 'paceline-disk-'));
  const image = join(folder, 'image');
  try {
    newFile(image);
    const trigger = '/sys/fs/ext4/$(basename $(findmnt -no SOURCE /mnt))/trigger_fs_error';
    return succeeds('unshare', '-m', 'sh', '-c', `${mountFile(image, '/mnt')} && test -w ${trigger}`);
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
})();

export class Disks {
  readonly #keepers: ChildProcess[] = [];

  constructor() {
    afterEach(() => this.release());
  }

  release(): void {
    for (const keeper of this.#keepers.splice(0)) keeper.kill('SIGKILL');
  }

  /** A small one in memory at `path`. */
  small(path: string, size: string): Promise<Disk> {
    return this.#keep(path, `mount -t tmpfs -o size=${size} none '${path}'`, true);
  }

  /** ext4 in a file, at `path`. One that is there is mounted as it is, after what repairs it. */
  async ofFile(path: string, image: string): Promise<Disk> {
    // 1: it has mended something.
    if (existsSync(image)) execFileSync('sh', ['-c', `e2fsck -fy '${image}' || test $? -eq 1`], { stdio: 'ignore' });
    else newFile(image);
    return this.#keep(path, mountFile(image, path), false);
  }

  async #keep(path: string, mount: string, asRootOfItsOwn: boolean): Promise<Disk> {
    mkdirSync(path, { recursive: true });
    const script = `${mount} && echo mounted && exec sleep 600`;
    const keeper = spawn('unshare', [asRootOfItsOwn ? '-rm' : '-m', 'sh', '-c', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#keepers.push(keeper);
    await new Promise((resolve, reject) => {
      keeper.stdout.once('data', resolve);
      keeper.once('exit', () => reject(new Error(`no disk: ${mount}`)));
    });
    const pid = String(keeper.pid);
    const under = ['nsenter', '-t', pid, ...(asRootOfItsOwn ? ['-U', '--preserve-credentials'] : []), '-m'];
    return {
      under,
      root: join('/proc', pid, 'root', path),
      sh: (words) => void execFileSync('nsenter', [...under.slice(1), 'sh', '-c', words]),
    };
  }
}

/** Lets a file system find itself damaged, as a failing disk does: from then on nothing can be written. */
export function fail({ root }: Disk): void {
  const [, , pid = ''] = root.split('/');
  const path = root.slice(`/proc/${pid}/root`.length);
  const lines = readFileSync(`/proc/${pid}/mounts`, 'utf8').split('\n');
  const [device = ''] = lines.find((line) => line.includes(` ${path} ext4 `))?.split(' ') ?? [];
  writeFileSync(`/sys/fs/ext4/${basename(device)}/trigger_fs_error`, '1');
}

/** Writes until nothing more fits. */
export function fill(path: string): void {
  const file = openSync(path, 'w');
  for (const size of [2 ** 20, 4096, 1])
    try {
      for (;;) writeSync(file, Buffer.alloc(size));
    } catch {
      // no space left, for so much
    }
  closeSync(file);
}
