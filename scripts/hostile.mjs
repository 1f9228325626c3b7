/**
 * `npm run hostile [-- --scenarios N --seed S --first K --ccas A,B --all --verbose]`: random hostile scenarios through every algorithm and every
 * variant of it, in the build with the address and undefined-behaviour sanitizers. Stops at the first fault with the command that repeats it.
 */
import { spawn } from 'node:child_process';
import { ROOT } from './lib/paths.mjs';
import { nativeBuild } from './setup/native.mjs';
import { sanitizerOptions } from './setup/sanitizers.mjs';

const folder = `${ROOT}/build/asan`;
await nativeBuild({ folder, options: await sanitizerOptions('address'), target: 'paceline-hostile' });
const child = spawn(`${folder}/bin/paceline-hostile`, process.argv.slice(2), { stdio: 'inherit' });
child.on('close', (code) => {
  process.exitCode = code ?? 1;
});
