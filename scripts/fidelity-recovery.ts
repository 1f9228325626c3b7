/**
 * `npm run fidelity:recovery [-- --scripts 16 --seed 1 --kernel reno --ours newreno --verbose]`: recovery from losses, transmission by
 * transmission, this machine's kernel beside our sender, over the same random losses and delays (scripts/fidelity/recovery.py). It wants
 * root, python3, and the machine for itself. Nothing is judged: how near two clocks come is the machine's.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { NATIVE_BUILD } from './lib/paths.mjs';
import { nativeBuild } from './setup/native.mjs';

console.log(`C++ programs: ${await nativeBuild({ target: 'paceline-bench-recovery' })}`);
const script = fileURLToPath(new URL('fidelity/recovery.py', import.meta.url));
const words = [script, '--program', `${NATIVE_BUILD}/bin/paceline-bench-recovery`, ...process.argv.slice(2)];
const { status, error } = spawnSync('python3', words, { stdio: 'inherit' });
if (error) throw error;
process.exitCode = status ?? 1;
