import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NATIVE_BUILD, ROOT } from '../lib/paths.mjs';
import { run } from '../lib/run.mjs';
import { addonFor } from '../setup/addon.mjs';
import { emptyStage } from './packed.mjs';

const PROGRAMS = ['simulate', 'list', 'trace', 'emulator', 'sender', 'receiver', 'tun', 'shell', 'recorder', 'weights'];
/** Not on every machine that packs. */
const MAYBE = ['paceline-quic'];
const ENGINES = ['paceline.wasm', 'paceline.wasm.br', 'paceline-trace.wasm', 'paceline-trace.wasm.br'];

export const PLATFORM = `paceline-${process.platform}-${process.arch}`;

/**
 * What is compiled: the programs, without their symbols, the engine as WebAssembly, and SQLite for each Node.
 * @param {readonly string[]} nodes versions, beside this one
 * @returns {Promise<string>} the folder
 */
export async function platformPackage(nodes) {
  const { version, license } = JSON.parse(readFileSync(`${ROOT}/package.json`, 'utf8'));
  const stage = emptyStage(PLATFORM);
  const bin = join(stage, 'bin');
  mkdirSync(bin);
  const built = `${NATIVE_BUILD}/bin`;
  for (const name of PROGRAMS) await run('strip', ['-o', join(bin, `paceline-${name}`), `${built}/paceline-${name}`]);
  for (const name of MAYBE)
    if (existsSync(`${built}/${name}`)) await run('strip', ['-o', join(bin, name), `${built}/${name}`]);
  for (const name of ENGINES) if (existsSync(`${built}/${name}`)) copyFileSync(`${built}/${name}`, join(bin, name));
  const addons = join(stage, 'addon');
  mkdirSync(addons);
  for (const node of new Set([process.versions.node, ...nodes])) await addonFor(node, addons);
  for (const file of ['LICENSE', 'NOTICE']) copyFileSync(`${ROOT}/${file}`, join(stage, file));
  const about = {
    name: PLATFORM,
    version,
    description: `The compiled part of Paceline for ${process.platform} on ${process.arch}`,
    license,
    os: [process.platform],
    cpu: [process.arch],
    libc: ['glibc'],
    preferUnplugged: true,
  };
  writeFileSync(join(stage, 'package.json'), `${JSON.stringify(about, null, 2)}\n`);
  return stage;
}
