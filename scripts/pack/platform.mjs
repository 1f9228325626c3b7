import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NATIVE_BUILD, ROOT } from '../lib/paths.mjs';
import { run } from '../lib/run.mjs';
import { addonFor } from '../setup/addon.mjs';
import { builtFor } from '../setup/cross.mjs';
import { emptyStage } from './packed.mjs';

const PROGRAMS = ['simulate', 'list', 'trace', 'emulator', 'sender', 'receiver', 'tun', 'shell', 'recorder', 'weights'];
/** Not on every machine that packs. */
const MAYBE = ['paceline-quic'];
const ENGINES = ['paceline.wasm', 'paceline.wasm.br', 'paceline-trace.wasm', 'paceline-trace.wasm.br'];

/** @param {string} arch */
const packageOf = (arch) => `paceline-${process.platform}-${arch}`;
export const PLATFORM = packageOf(process.arch);

/**
 * What is compiled: the programs, without their symbols, the engine as WebAssembly, and SQLite for each Node.
 * @param {readonly string[]} nodes versions, beside this one
 * @param {string} [arch] of another processor than this one's
 * @returns {Promise<string>} the folder
 */
export async function platformPackage(nodes, arch = process.arch) {
  const target = await builtFor(arch);
  const { version, license } = JSON.parse(readFileSync(`${ROOT}/package.json`, 'utf8'));
  const stage = emptyStage(packageOf(arch));
  const bin = join(stage, 'bin');
  mkdirSync(bin);
  const programs = [...PROGRAMS.map((name) => `paceline-${name}`), ...MAYBE].filter(
    (name) => !MAYBE.includes(name) || existsSync(`${target.build}/bin/${name}`),
  );
  for (const name of programs) await run(target.strip, ['-o', join(bin, name), `${target.build}/bin/${name}`]);
  // The same on every processor.
  const engines = ENGINES.filter((name) => existsSync(`${NATIVE_BUILD}/bin/${name}`));
  for (const name of engines) copyFileSync(`${NATIVE_BUILD}/bin/${name}`, join(bin, name));
  const addons = join(stage, 'addon');
  mkdirSync(addons);
  for (const node of new Set([process.versions.node, ...nodes])) await addonFor(node, addons, target);
  for (const file of ['LICENSE', 'NOTICE']) copyFileSync(`${ROOT}/${file}`, join(stage, file));
  const about = {
    name: packageOf(arch),
    version,
    description: `The compiled part of Paceline for ${process.platform} on ${arch}`,
    license,
    os: [process.platform],
    cpu: [arch],
    libc: ['glibc'],
    preferUnplugged: true,
  };
  writeFileSync(join(stage, 'package.json'), `${JSON.stringify(about, null, 2)}\n`);
  return stage;
}
