import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { LATE } from '#server/testing/late';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** `npx paceline …` in the checkout, as a person types it. Fails unless it ends with exit code 0. */
export const paceline = (...words: string[]): Promise<{ stdout: string; stderr: string }> =>
  promisify(execFile)('npx', ['paceline', ...words], { cwd: ROOT, maxBuffer: 2 ** 28 });

/** `paceline run …` in real time: like `paceline`, but a machine that was late at times is no fault of the command, which says so. */
export async function runInRealTime(...words: string[]): Promise<void> {
  try {
    await paceline('run', ...words);
  } catch (error) {
    const { code, stderr } = error as { code?: unknown; stderr?: unknown };
    const runs = String(stderr)
      .split('\n')
      .filter((line) => /^run \S+ is /.test(line));
    if (code !== 1 || runs.length === 0 || !runs.every((line) => LATE.test(line))) throw error;
  }
}
