// A root folder that is to a container what a machine is: Debian's least system with a Node, entered by chroot.
import { spawn } from 'node:child_process';
import { appendFileSync, chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findProgram } from '../lib/find.mjs';
import { run } from '../lib/run.mjs';

const MIRROR = 'http://deb.debian.org/debian';
/** What nothing works without, as an engine for containers gives them. */
const DEVICES = ['null', 'zero', 'full', 'random', 'urandom'];

/**
 * Takes what the image that a Dockerfile begins with has, as far as ours is built on it: Debian, Node and npm of this machine, the user node.
 * @param {string} root
 * @param {string} image such as node:20.20.2-bookworm-slim
 */
export async function beginRoot(root, image) {
  const [, version = '', suite = ''] = /^node:([\d.]+)-(\w+?)(-slim)?$/.exec(image) ?? [];
  const major = process.versions.node.split('.')[0];
  if (suite === '' || version.split('.')[0] !== major)
    throw new Error(
      `FROM ${image}: this machine has Node ${process.versions.node}, and so makes node:${major}-SUITE alone`,
    );
  if (findProgram('debootstrap') === undefined) throw new Error('there is no debootstrap: apt-get install debootstrap');
  await run('debootstrap', ['--variant=minbase', '--include=ca-certificates', suite, root, MIRROR]);
  // Whoever is in it may go anywhere.
  chmodSync(root, 0o755);
  for (const file of ['/etc/resolv.conf', '/etc/hosts', CERTIFICATES]) copyFileSync(file, join(root, file));
  // Node as it lies here: the program, its headers, npm.
  const prefix = dirname(dirname(process.execPath));
  mkdirSync(join(root, prefix, 'bin'), { recursive: true });
  copyFileSync(process.execPath, join(root, prefix, 'bin/node'));
  const header = join(prefix, 'include/node');
  if (existsSync(header)) cpSync(header, join(root, header), { recursive: true });
  const modules = (await run('npm', ['root', '-g', '--loglevel=silent'])).trim();
  cpSync(join(modules, 'npm'), join(root, modules, 'npm'), { recursive: true });
  for (const name of ['npm', 'npx'])
    await run('ln', ['-sf', join(modules, `npm/bin/${name}-cli.js`), join(root, prefix, 'bin', name)]);
  appendFileSync(join(root, 'etc/passwd'), 'node:x:1000:1000::/home/node:/bin/bash\n');
  appendFileSync(join(root, 'etc/group'), 'node:x:1000:\n');
  mkdirSync(join(root, 'home/node'));
  await run('chown', ['1000:1000', join(root, 'home/node')]);
  await run('mount', ['-t', 'proc', 'proc', join(root, 'proc')]);
  for (const name of DEVICES)
    if (!existsSync(join(root, 'dev', name))) await run('cp', ['-a', `/dev/${name}`, join(root, 'dev', name)]);
}

/** Whom this machine trusts, its own authority among them if it has one. */
export const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';
/** As in Debian's images. */
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** @typedef {{ user: string, cwd: string, env: Readonly<Record<string, string>> }} Inside who is in it, where, with what */

/** @param {string} root @param {Inside} inside @param {readonly string[]} command */
export function entering(root, { user, cwd, env }, command) {
  const home = user === 'root' ? '/root' : `/home/${user}`;
  const values = Object.entries({ HOME: home, PATH, ...env }).map(([name, value]) => `${name}=${value}`);
  return [
    'chroot',
    `--userspec=${user}:${user}`,
    root,
    'env',
    '-i',
    ...values,
    'sh',
    '-c',
    'cd "$0" && exec "$@"',
    cwd,
    ...command,
  ];
}

/** What is mounted in it goes, and it. @param {string} root */
export async function endRoot(root) {
  const mounted = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .flatMap((line) => line.split(' ')[1] ?? [])
    .filter((place) => place === root || place.startsWith(`${root}/`));
  for (const place of mounted.toReversed()) await run('umount', ['--lazy', place]);
  await run('rm', ['-rf', '--one-file-system', root]);
}

/**
 * A program in a network of its own, as a container has it.
 * @param {readonly string[]} command
 */
export function inOwnNetwork(command) {
  const up = 'ip link set lo up && exec "$@"';
  return spawn('unshare', ['--net', '--', 'sh', '-c', up, 'sh', ...command], { stdio: ['ignore', 'pipe', 'pipe'] });
}
