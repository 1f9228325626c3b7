import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { findProgram } from '../lib/find.mjs';
import { NATIVE_BUILD, QUIC_BUILD, QUIC_SOURCE } from '../lib/paths.mjs';
import { CommandFailed, run } from '../lib/run.mjs';
import { nativeBuild } from './native.mjs';

const PROGRAM = `${NATIVE_BUILD}/bin/paceline-quic`;
/** Why there is no helper: read by the bridge (emulator-bridge/src/quic.ts). */
const REASON = `${PROGRAM}.unavailable`;

/** About a minute with two cores; more means that something hangs. */
const BUILD_TIMEOUT_MS = 600_000;
/** A registry that cannot be reached shall be noticed soon. */
const IMPATIENT = { CARGO_NET_RETRY: '1', CARGO_HTTP_TIMEOUT: '20' };

/**
 * Runs cargo on the helper, with exactly the crates of its lock file.
 * @param {readonly string[]} words the command, and options of its own
 * @param {boolean} [echo]
 */
export function cargo([command = '', ...options], echo = false) {
  const where = ['--manifest-path', `${QUIC_SOURCE}/Cargo.toml`, '--target-dir', QUIC_BUILD];
  const env = { ...process.env, ...IMPATIENT, CARGO_TERM_COLOR: 'never', PACELINE_NATIVE_BUILD: NATIVE_BUILD };
  return run('cargo', [command, '--release', '--locked', ...where, ...options], {
    env,
    echo,
    timeoutMs: BUILD_TIMEOUT_MS,
  });
}

/** Why the helper is not there; null when it is. */
export function quicUnavailable() {
  return existsSync(REASON) ? readFileSync(REASON, 'utf8').trim() : null;
}

/** @param {string} reason */
function say(reason) {
  mkdirSync(`${NATIVE_BUILD}/bin`, { recursive: true });
  writeFileSync(REASON, `${reason}\n`);
}

/** @param {string} reason */
function unavailable(reason) {
  rmSync(PROGRAM, { force: true });
  say(reason);
  return `unavailable: ${reason}`;
}

/**
 * Builds the helper where it can be built. A machine without Rust, with an old one, or without a way to the crates does without
 * QUIC; only an error in our own sources is a failure.
 * @returns {Promise<string>} what was done
 */
export async function quicHelper() {
  if (findProgram('cargo') === undefined) return unavailable('there is no Rust toolchain (cargo) on this machine');
  // The server does not wait for it.
  if (!existsSync(PROGRAM)) say('it is being built, which takes a minute or so');
  await nativeBuild({ target: 'paceline_cca_c' });
  let output = '';
  try {
    output = await cargo(['build']);
  } catch (error) {
    if (!(error instanceof CommandFailed) || error.output.includes('could not compile `paceline-quic`')) throw error;
    const said = error.output.split('\n').filter((line) => line.startsWith('error'));
    return unavailable(`cargo could not build it: ${(said[0] ?? error.message.split('\n')[0] ?? '').trim()}`);
  }
  const built = output.includes('Compiling paceline-quic');
  if (built || !existsSync(PROGRAM)) {
    rmSync(PROGRAM, { force: true }); // one that is running cannot be written over
    copyFileSync(`${QUIC_BUILD}/release/paceline-quic`, PROGRAM);
  }
  rmSync(REASON, { force: true });
  return built ? 'built' : 'up to date';
}
