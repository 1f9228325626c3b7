import { rmSync, statSync } from 'node:fs';
import { rest } from '../lib/run.mjs';

/** Whoever asked and has not asked again has ended without a word. */
const FORGOTTEN_MS = 60_000;
const LOOK_MS = 200;

/** @param {string} file */
const isAskedFor = (file) => Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) < FORGOTTEN_MS;

/**
 * Does some work, and lets what has idle time only stand still for as long as a test asks for it.
 * @template T
 * @param {string} file that a test writes when it wants quiet, and removes when it has had it (e2e/support/quiet.ts)
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withQuietOnRequest(file, work) {
  rmSync(file, { force: true });
  const looking = setInterval(() => rest(isAskedFor(file)), LOOK_MS);
  try {
    return await work();
  } finally {
    clearInterval(looking);
    rest(false);
  }
}
