import { existsSync, readdirSync } from 'node:fs';
import { chromiumPath } from '../lib/chromium.mjs';
import { filesBelow, findHeader, findProgram } from '../lib/find.mjs';
import { run } from '../lib/run.mjs';

/**
 * @typedef {'run' | 'test' | 'wasm'} Need what a package is needed for; `wasm`: the engine of the page, which comes after the server has begun
 * @typedef {{ need: Need, what: string, debian: string, found: () => unknown, without?: string }} SystemPackage
 * `without`: what is missing then, for packages that can be done without
 */

const INSTALL = ['install', '-y', '-qq', '--no-install-recommends'];

/** @param {string} name */
const font = (name) => existsSync(`/usr/share/fonts/truetype/${name}`) || process.platform === 'darwin';

/** In the folder of some version of clang. */
const libFuzzer = () =>
  (existsSync('/usr/lib') ? readdirSync('/usr/lib') : [])
    .filter((name) => name.startsWith('llvm-'))
    .some(
      (name) => filesBelow(`/usr/lib/${name}/lib/clang`, (file) => file.startsWith('libclang_rt.fuzzer')).length > 0,
    );

/** What compiles the engine to WebAssembly: Debian's name and whether it is there.
 * @type {readonly (readonly [string, () => unknown])[]} */
const WASM = [
  ['clang-19', () => findProgram('clang++-19')],
  ['lld-19', () => findProgram('wasm-ld-19')],
  ['wasi-libc', () => existsSync('/usr/lib/wasm32-wasi/libc.a')],
  ['libc++-19-dev-wasm32', () => existsSync('/usr/lib/wasm32-wasi/libc++.a')],
  ['libc++abi-19-dev-wasm32', () => existsSync('/usr/lib/wasm32-wasi/libc++abi.a')],
  ['libclang-rt-19-dev-wasm32', () => existsSync('/usr/lib/llvm-19/lib/clang/19/lib/wasi')],
];

/** @type {readonly SystemPackage[]} */
const PACKAGES = [
  { need: 'run', what: 'a C++20 compiler', debian: 'g++', found: () => findProgram('c++', 'g++', 'clang++') },
  { need: 'run', what: 'make', debian: 'make', found: () => findProgram('make') },
  { need: 'run', what: 'Python 3 (node-gyp runs on it)', debian: 'python3', found: () => findProgram('python3') },
  { need: 'run', what: 'CMake', debian: 'cmake', found: () => findProgram('cmake') },
  { need: 'run', what: 'Ninja', debian: 'ninja-build', found: () => findProgram('ninja') },
  { need: 'run', what: 'nlohmann/json', debian: 'nlohmann-json3-dev', found: () => findHeader('nlohmann/json.hpp') },
  { need: 'run', what: 'CLI11', debian: 'libcli11-dev', found: () => findHeader('CLI/CLI.hpp') },
  { need: 'run', what: 'zlib', debian: 'zlib1g-dev', found: () => findHeader('zlib.h') },
  { need: 'run', what: 'zstd', debian: 'libzstd-dev', found: () => findHeader('zstd.h') },
  { need: 'run', what: 'libpcap', debian: 'libpcap-dev', found: () => findHeader('pcap/pcap.h') },
  { need: 'run', what: 'OpenSSL', debian: 'libssl-dev', found: () => findHeader('openssl/sha.h') },
  {
    need: 'run',
    what: 'libbpf',
    debian: 'libbpf-dev',
    found: () => findHeader('bpf/libbpf.h'),
    without: 'no congestion control compiled for BPF',
  },
  { need: 'test', what: 'the openssl command', debian: 'openssl', found: () => findProgram('openssl') },
  { need: 'test', what: 'doctest', debian: 'doctest-dev', found: () => findHeader('doctest/doctest.h') },
  { need: 'test', what: 'clang-format', debian: 'clang-format', found: () => findProgram('clang-format') },
  {
    need: 'test',
    what: 'clang',
    debian: 'clang',
    found: () => findProgram('clang++'),
    without: 'no fuzzing of the readers of trace files',
  },
  {
    need: 'test',
    what: "clang's libFuzzer",
    debian: 'libclang-rt-dev',
    found: libFuzzer,
    without: 'no fuzzing of the readers of trace files',
  },
  ...WASM.map(([debian, found]) => ({
    need: /** @type {const} */ ('wasm'),
    what: `${debian} (WebAssembly)`,
    debian,
    found,
    without: 'no engine as WebAssembly',
  })),
  {
    need: 'test',
    what: 'ccache',
    debian: 'ccache',
    found: () => findProgram('ccache'),
    without: 'what one checkout has compiled others compile again',
  },
  {
    need: 'test',
    what: 'libfaketime',
    debian: 'faketime',
    found: () => findProgram('faketime'),
    without: 'no test of a clock that is set while the server works',
  },
  {
    need: 'test',
    what: 'Redis',
    debian: 'redis-server',
    found: () => findProgram('redis-server'),
    without: 'no test of workers on other machines',
  },
  {
    need: 'test',
    what: 'tshark',
    debian: 'tshark',
    found: () => findProgram('tshark'),
    without: 'no test of packet captures by Wireshark itself',
  },
  {
    need: 'test',
    what: 'NetPerfMeter',
    debian: 'netperfmeter',
    found: () => findProgram('extractvectors'),
    without: 'no test of vectors for OMNeT++ by another program',
  },
  { need: 'test', what: 'Chromium', debian: 'chromium-headless-shell', found: chromiumPath },
  { need: 'test', what: 'DejaVu fonts', debian: 'fonts-dejavu-core', found: () => font('dejavu') },
  { need: 'test', what: 'Liberation fonts', debian: 'fonts-liberation', found: () => font('liberation') },
];

/** The libraries among them, by their names in Debian: what the native programs are linked with. */
export const debianLibraries = () =>
  PACKAGES.filter(({ need, debian }) => need === 'run' && debian.endsWith('-dev')).map(({ debian }) => debian);

/**
 * Sees to it that what the build or the tests need is on this machine.
 * @param {Need} need
 * @returns {Promise<string>} what was done
 */
export async function systemPackages(need) {
  const wanted = PACKAGES.filter((entry) => entry.need === need && !entry.found());
  const missing = wanted.filter((entry) => entry.without === undefined);
  const optional = wanted.filter((entry) => entry.without !== undefined);
  // What can be done without does not make every start ask the network: only when something is installed anyway, for the tests, or where
  // nobody waits for it.
  const tried =
    need !== 'run' && optional.length > 0 && process.getuid?.() === 0 && findProgram('apt-get') !== undefined;
  if (missing.length === 0 && !tried) return `all there${withoutThese(optional)}`;

  const names = missing.map((entry) => entry.debian);
  if (findProgram('apt-get') === undefined) {
    throw new Error(
      `Please install what is missing, then try again: ${missing.map((entry) => entry.what).join(', ')}.`,
    );
  }
  if (process.getuid?.() !== 0) {
    throw new Error(
      'Some system packages are missing and only root may install them. Please run this, then try again:\n' +
        `  sudo apt-get update && sudo apt-get install --no-install-recommends ${names.join(' ')}`,
    );
  }
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const updated = run('apt-get', ['update', '-qq'], { env });
  await (missing.length === 0 ? updated.catch(() => undefined) : updated);
  if (missing.length > 0) await run('apt-get', [...INSTALL, ...names], { env });
  const still = missing.filter((entry) => !entry.found());
  if (still.length > 0) throw new Error(`Installed, but not found: ${still.map((entry) => entry.what).join(', ')}.`);
  const install = (/** @type {readonly SystemPackage[]} */ packages) =>
    run('apt-get', [...INSTALL, ...packages.map(({ debian }) => debian)], { env });
  // In one call; one that cannot be had keeps none of the others from coming.
  if (optional.length > 0)
    await install(optional).catch(async () => {
      for (const entry of optional) await install([entry]).catch(() => undefined);
    });
  names.push(...optional.filter((entry) => entry.found()).map((entry) => entry.debian));
  return `${names.length === 0 ? 'all there' : `installed ${names.join(', ')}`}${withoutThese(optional.filter((entry) => !entry.found()))}`;
}

/** @param {readonly SystemPackage[]} packages that are not there and can be done without */
const withoutThese = (packages) =>
  packages.map(({ debian, without }) => `; built without ${debian}: ${without ?? ''}`).join('');
