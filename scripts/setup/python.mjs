import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { filesBelow, findProgram } from '../lib/find.mjs';
import { ROOT } from '../lib/paths.mjs';
import { run } from '../lib/run.mjs';

export const PYTHON_SOURCE = `${ROOT}/emulator-bridge/python`;
const BUILD = `${ROOT}/build/python`;
/** Where the package is installed with what, exactly as the file says. */
const TESTS = { folder: `${BUILD}/venv`, requirements: `${PYTHON_SOURCE}/tests/requirements.txt` };
export const TRAINING = { folder: `${BUILD}/training`, requirements: `${PYTHON_SOURCE}/training-requirements.txt` };
/** What the pinned packages of its tests need; the package itself runs with 3.10, too. */
const LEAST = [3, 11];
/** A registry that cannot be reached shall be noticed soon. */
const PIP = ['-m', 'pip', '--disable-pip-version-check', '--quiet', '--retries', '1', '--timeout', '20'];
const TIMEOUT_MS = 600_000;

/** Why the package cannot be made or tested here; null when it can. */
export async function pythonUnavailable() {
  if (findProgram('python3') === undefined) return 'there is no python3 on this machine';
  const asked = 'import sys, venv, ensurepip; print(*sys.version_info[:2])';
  const said = await run('python3', ['-c', asked]).catch(() => null);
  if (said === null) return 'python3 cannot make environments (venv, ensurepip)';
  const [major = 0, minor = 0] = said.trim().split(' ').map(Number);
  return major === LEAST[0] && minor >= (LEAST[1] ?? 0) ? null : `python3 is ${major}.${minor}, and 3.11 is needed`;
}

/** Planner and analysis as one file, for a Node that has nothing else of this repository. */
async function planner() {
  const { build } = await import('esbuild');
  mkdirSync(BUILD, { recursive: true });
  await build({
    absWorkingDir: ROOT,
    entryPoints: [`${ROOT}/server/src/embedded/main.ts`],
    outfile: `${BUILD}/planner.mjs`,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    minify: true,
    legalComments: 'linked',
    logLevel: 'silent',
  });
}

/** The wheel's file. */
export async function pythonWheel() {
  await planner();
  rmSync(`${BUILD}/dist`, { recursive: true, force: true });
  await run('python3', [...PIP, 'wheel', PYTHON_SOURCE, '--no-deps', '--wheel-dir', `${BUILD}/dist`], {
    timeoutMs: TIMEOUT_MS,
  });
  const [wheel] = filesBelow(`${BUILD}/dist`, (name) => name.endsWith('.whl'));
  if (wheel === undefined) throw new Error('pip made no wheel');
  return wheel;
}

/**
 * An environment of its own with the wheel in it and what its use needs.
 * @param {string} wheel
 * @param {{ folder: string, requirements: string }} [use]
 * @returns {Promise<string>} its Python
 */
export async function pythonEnvironment(wheel, { folder, requirements } = TESTS) {
  const python = `${folder}/bin/python`;
  const hash = createHash('sha256').update(readFileSync(requirements)).digest('hex');
  const stamp = `${folder}/requirements.sha256`;
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== hash) {
    rmSync(folder, { recursive: true, force: true });
    await run('python3', ['-m', 'venv', folder], { timeoutMs: TIMEOUT_MS });
    await run(python, [...PIP, 'install', '--requirement', requirements], { timeoutMs: TIMEOUT_MS });
    writeFileSync(stamp, hash);
  }
  await run(python, [...PIP, 'install', '--no-deps', '--force-reinstall', wheel], { timeoutMs: TIMEOUT_MS });
  return python;
}
