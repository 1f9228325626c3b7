// What programs leave on a machine: processes with our mark, the network namespaces they were in, and the host's own state.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { processes, type ProcessEntry } from '#bridge/testing/fake-programs';

export const MARK = 'PACELINE_SOAK';

/** Files whose values move by themselves. */
const RESTLESS = /nf_conntrack_count|\/route\/flush|random|tcp_available_congestion_control|tcp_fastopen_key/;

/** USER_HZ, the same on every Linux machine that this runs on. */
const TICKS_PER_S = 100;

/** Every process that has inherited this mark, whoever its parent is now. */
export const marked = (mark: string): ProcessEntry[] =>
  processes().filter(({ pid }) => text(`/proc/${pid}/environ`).includes(`${MARK}=${mark}`));

const text = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};

const link = (path: string): string => {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
};

const entries = (path: string): string[] => {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
};

const OURS = link('/proc/self/ns/net');

/** Network namespaces that these processes are in or hold, `net:[number]`, other than the machine's. */
export function networksOf(pids: readonly number[]): Set<string> {
  const held = pids.flatMap((pid) => [
    link(`/proc/${pid}/ns/net`),
    ...entries(`/proc/${pid}/task`).map((task) => link(`/proc/${pid}/task/${task}/ns/net`)),
    ...entries(`/proc/${pid}/fd`).map((fd) => link(`/proc/${pid}/fd/${fd}`)),
  ]);
  return new Set(held.filter((name) => name.startsWith('net:[') && name !== OURS));
}

/** Now, as the kernel counts when processes have started. */
export const ticksNow = (): number => Number(text('/proc/uptime').split(' ')[0]) * TICKS_PER_S;

/** When the process started; never, when it is gone. */
function startedAt(pid: number): number {
  const stat = text(`/proc/${pid}/stat`);
  // The 22nd field; the second, a name in brackets, may hold anything.
  const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  return ticks === undefined ? Infinity : Number(ticks);
}

/**
 * Those of the networks that are mounted somewhere, or that a process which was there at that time is still in or holds. The kernel
 * gives their numbers to new ones: what a later process is in is its own.
 */
export function stillHeld(networks: ReadonlySet<string>, ticks: number): string[] {
  if (networks.size === 0) return [];
  const then = processes().filter(({ pid }) => startedAt(pid) <= ticks);
  const held = networksOf(then.map(({ pid }) => pid));
  const mounts = text('/proc/self/mountinfo');
  return [...networks].filter((name) => held.has(name) || mounts.includes(name));
}

/**
 * Connections of the machine, whatever network they are in, that no process has any more and that the kernel still brings to their
 * end. Until then they keep their network in its memory, which nobody can enter or find: this number is all that is seen of it.
 */
export const orphanedSockets = (): number => Number(/^TCP:.* orphan (\d+)/m.exec(text('/proc/net/sockstat'))?.[1] ?? 0);

/** The host's devices, mounts and network settings, by what names them. */
export function hostState(): ReadonlyMap<string, string> {
  const state = new Map<string, string>();
  for (const device of entries('/sys/class/net')) state.set(`device ${device}`, 'there');
  for (const line of text('/proc/self/mountinfo').split('\n'))
    if (line !== '') state.set(`mount ${line.split(' ').slice(3).join(' ')}`, 'there');
  const walk = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) walk(path);
      else if (!RESTLESS.test(path)) state.set(path, text(path).trim());
    }
  };
  walk('/proc/sys/net');
  return state;
}

/** What differs, in words. */
export function differences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const found: string[] = [];
  for (const [name, value] of before)
    if (after.get(name) !== value) found.push(`${name} was ${value}, is ${after.get(name) ?? 'gone'}`);
  for (const [name, value] of after) if (!before.has(name)) found.push(`${name} is new: ${value}`);
  return found;
}

/** Temporary files in this folder that are not those of Node's own caches. */
export const temporaryFiles = (folder: string): string[] =>
  entries(folder).filter((name) => !/^(tsx-|node-|v8-)/.test(name));
