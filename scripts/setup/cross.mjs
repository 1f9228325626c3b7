import { existsSync } from 'node:fs';
import { findProgram } from '../lib/find.mjs';
import { NATIVE_BUILD, ROOT } from '../lib/paths.mjs';
import { nativeBuild } from './native.mjs';

/**
 * @typedef {object} Target
 * @property {string} arch as Node calls it
 * @property {string} build the programs' folder
 * @property {string} strip
 * @property {Readonly<Record<string, string>>} compilers as node-gyp is told of them; none: this machine's own
 */

/** @type {Target} */
const HERE = { arch: process.arch, build: NATIVE_BUILD, strip: 'strip', compilers: {} };
const PREFIX = 'aarch64-linux-gnu';
/** @type {Target} */
const ARM64 = {
  arch: 'arm64',
  build: `${ROOT}/build/native-arm64`,
  strip: `${PREFIX}-strip`,
  compilers: { CC: `${PREFIX}-gcc`, CXX: `${PREFIX}-g++` },
};

const LIBRARIES = ['libbpf-dev', 'libpcap-dev', 'libssl-dev', 'libzstd-dev', 'zlib1g-dev', 'libstdc++6'];
const HOW = `dpkg --add-architecture arm64 && apt-get update && apt-get install --no-install-recommends g++-${PREFIX} ${LIBRARIES.map((name) => `${name}:arm64`).join(' ')}`;

/**
 * Builds for a processor, which may be another one than this machine's.
 * @param {string} arch
 * @param {readonly string[]} [targets]
 * @returns {Promise<Target>}
 */
export async function builtFor(arch, targets = ['programs']) {
  if (arch === process.arch) return HERE;
  if (arch !== ARM64.arch) throw new Error(`there is no other processor than ${ARM64.arch} to build for, not ${arch}`);
  const options = ['-DCMAKE_TOOLCHAIN_FILE=cmake/aarch64.cmake'];
  if (findProgram(ARM64.compilers['CXX'] ?? '') === undefined || !existsSync(`/usr/lib/${PREFIX}/libpcap.so`))
    throw new Error(`what compiles for ${arch} is missing; on Debian: ${HOW}`);
  for (const target of targets) await nativeBuild({ folder: ARM64.build, options, target });
  return ARM64;
}
