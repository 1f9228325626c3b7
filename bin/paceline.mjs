#!/usr/bin/env node
// Runs the command line of this checkout in this process: signals and exit codes are its own.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { endWithNpm } from '../scripts/lib/end-with-npm.mjs';
import { bundled, serverBundle } from '../scripts/lib/server-bundle.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
if (!existsSync(`${root}node_modules/esbuild`) || !existsSync(`${root}build/native/bin`)) {
  console.error(`Paceline is not set up yet. Please run this once:\n  npm --prefix '${root.slice(0, -1)}' run setup`);
  process.exit(1);
}
endWithNpm();
process.setSourceMapsEnabled(true);
// Bundled anew where a source has changed.
await serverBundle();
await import(bundled('server/src/cli/main.ts'));
