/** Which room takes from which: an arrow for each pair, with the first place where it does. */
import { readFileSync } from 'node:fs';
import { posix, relative } from 'node:path';
import { filesBelow } from '../lib/find.mjs';
import { NATIVE_SOURCE, ROOT } from '../lib/paths.mjs';

/** @typedef {Map<string, Map<string, string>>} Arrows room → room it takes from → `file:line` */

/**
 * @param {Arrows} arrows
 * @param {string} from
 * @param {string | undefined} to
 * @param {string} place
 */
function add(arrows, from, to, place) {
  const taken = arrows.get(from) ?? new Map();
  arrows.set(from, taken);
  if (to !== undefined && to !== from && !taken.has(to)) taken.set(to, place);
}

/**
 * @param {string} folder
 * @param {RegExp} files
 * @param {RegExp} takes its first group is what is taken
 * @param {(path: string) => string | undefined} roomOf of a file or of what is taken, from the project's root
 * @param {(taken: string, path: string) => string} placed where what is taken lies
 * @param {Arrows} arrows
 */
function read(folder, files, takes, roomOf, placed, arrows) {
  for (const file of filesBelow(folder, (name) => files.test(name))) {
    const path = relative(ROOT, file);
    const from = roomOf(path);
    if (from === undefined) continue;
    readFileSync(file, 'utf8')
      .split('\n')
      .forEach((line, index) => {
        const taken = takes.exec(line)?.[1];
        if (taken !== undefined) add(arrows, from, roomOf(placed(taken, path)), `${path}:${index + 1}`);
      });
  }
}

const NATIVE = relative(ROOT, NATIVE_SOURCE);

/** The drivers are rooms of their own; what lies in drivers/ itself is theirs in common.
 * @param {string} path */
function nativeRoom(path) {
  const [room = '', inner, deeper] = relative(NATIVE, path).split('/');
  if (room === 'tests' || room === 'fuzz' || room === 'bench' || room === '..' || inner === undefined) return undefined;
  return room === 'drivers' && deeper !== undefined ? inner : room;
}

/** Rooms of the engine and of the programs around it. */
export function nativeArrows() {
  /** @type {Arrows} */
  const arrows = new Map();
  read(NATIVE_SOURCE, /\.(cc|hh)$/, /^\s*#\s*include "([^"]+)"/, nativeRoom, (taken) => `${NATIVE}/${taken}`, arrows);
  return arrows;
}

const ROOMS = {
  protocol: 'emulator-bridge/protocol',
  engine: 'emulator-bridge/engine',
  bridge: 'emulator-bridge/src',
  analysis: 'server/analysis',
  cli: 'server/src/cli',
  server: 'server/src',
  page: 'web/src',
};
const ALIASES = {
  '#protocol': ROOMS.protocol,
  '#engine': ROOMS.engine,
  '#bridge': ROOMS.bridge,
  '#analysis': ROOMS.analysis,
  '#server': ROOMS.server,
};

/** The program's main() belongs to the command line.
 * @param {string} path */
const scriptRoom = (path) =>
  path === 'server/src/main.ts'
    ? 'cli'
    : Object.entries(ROOMS).find(([, folder]) => path.startsWith(`${folder}/`))?.[0];

/** @param {string} taken @param {string} path */
function scriptPlace(taken, path) {
  const [alias = '', ...rest] = taken.split('/');
  const folder = Object.entries(ALIASES).find(([name]) => name === alias)?.[1];
  return folder === undefined ? posix.join(posix.dirname(path), taken) : `${folder}/${rest.join('/')}`;
}

/** @param {(path: string) => string | undefined} nodeOf tests are left out */
function readScripts(nodeOf) {
  /** @type {Arrows} */
  const arrows = new Map();
  const takes = /(?:from|import|import\()\s*'((?:#|\.)[^']+)'/;
  for (const folder of [
    'emulator-bridge/protocol',
    'emulator-bridge/engine',
    'emulator-bridge/src',
    'server/analysis',
    'server/src',
    'web/src',
  ])
    read(`${ROOT}/${folder}`, /(?<!\.test)\.(ts|tsx)$/, takes, nodeOf, scriptPlace, arrows);
  return arrows;
}

/** Rooms of the TypeScript. */
export const scriptArrows = () => readScripts(scriptRoom);
/** Its files, without their endings: also what takes types alone. */
export const fileArrows = () => readScripts((path) => path.replace(/\.(ts|tsx)$/, ''));

const QUIC = 'emulator-bridge/quic/src';

/** Modules of the QUIC helper. */
export function rustArrows() {
  /** @type {Arrows} */
  const arrows = new Map();
  /** @param {string} path */
  const room = (path) =>
    relative(QUIC, path)
      .split('/')[0]
      ?.replace(/(\.gen)?\.rs$/, '');
  read(`${ROOT}/${QUIC}`, /\.rs$/, /\bcrate::([a-z_]+)/, room, (taken) => `${QUIC}/${taken}`, arrows);
  return arrows;
}
