// A site goes to the public: nothing in it may tell of the machine that made it.
import { cpus, homedir, hostname, userInfo } from 'node:os';
import { fileURLToPath } from 'node:url';

/** Shorter names stand in other words. */
const LEAST_CHARACTERS = 5;
const USUAL = new Set(['localhost', 'runner', 'ubuntu', 'debian']);

const folder = (path: string): string => (path.endsWith('/') ? path : `${path}/`);

/** What names this machine: its folders, with their slash so that they are no part of another word, its host, its user, its processor. */
export function machineNames(...folders: readonly string[]): string[] {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const names = [hostname(), userInfo().username, cpus()[0]?.model.trim() ?? ''];
  return [
    ...[root, homedir(), ...folders].map(folder).filter((path) => path !== '/'),
    ...names.filter((name) => name.length >= LEAST_CHARACTERS && !USUAL.has(name)),
  ];
}

/** The first of them that stands there; null: none does. */
export const leakIn = (bytes: Buffer, names: readonly string[]): string | null =>
  names.find((name) => bytes.includes(name)) ?? null;
