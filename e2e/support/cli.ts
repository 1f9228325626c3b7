import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** `npx paceline …` in the checkout, as a person types it. Fails unless it ends with exit code 0. */
export const paceline = (...words: string[]): Promise<{ stdout: string; stderr: string }> =>
  promisify(execFile)('npx', ['paceline', ...words], { cwd: ROOT, maxBuffer: 2 ** 28 });
