#!/usr/bin/env node
// Runs the command line of this checkout from its TypeScript source, in this process: signals and exit codes are its own.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { endWithNpm } from '../scripts/lib/end-with-npm.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
if (!existsSync(`${root}node_modules/tsx`) || !existsSync(`${root}build/native/bin`)) {
  console.error(`Paceline is not set up yet. Please run this once:\n  npm --prefix '${root.slice(0, -1)}' run setup`);
  process.exit(1);
}
endWithNpm();
const { register } = await import('tsx/esm/api');
register();
await import('../server/src/cli/main.ts');
