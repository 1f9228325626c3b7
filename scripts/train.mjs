/**
 * `npm run train -- NAME [--minutes M] [--check]`: trains the agent of a learned algorithm (docs/training.md), judges it over held-out traces and, where it is
 * better than what it has to beat, writes what is shipped of it to emulator-bridge/native/weights; with --check it only says whether the training improves
 * anything.
 */
import { spawnSync } from 'node:child_process';
import { ROOT } from './lib/paths.mjs';
import { pythonEnvironment, pythonUnavailable, pythonWheel, TRAINING } from './setup/python.mjs';

const reason = await pythonUnavailable();
if (reason === null) {
  const python = await pythonEnvironment(await pythonWheel(), TRAINING);
  const words = [
    '-m',
    'paceline.training',
    '--out',
    `${ROOT}/emulator-bridge/native/weights`,
    ...process.argv.slice(2),
  ];
  const { status } = spawnSync(python, words, { stdio: 'inherit', env: { ...process.env, JAX_PLATFORMS: 'cpu' } });
  process.exitCode = status ?? 1;
  if (status === 0 && !['--judge', '--check'].some((word) => process.argv.includes(word)))
    console.log('Then: npm run generate, and build the engine anew.');
} else {
  console.error(`Nothing can be trained: ${reason}`);
  process.exitCode = 1;
}
