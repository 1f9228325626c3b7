#!/usr/bin/env node
// The command line of an installed package. Without a command it serves: `npx paceline` is all that a person needs to know.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { endWithNpm } from '../scripts/lib/end-with-npm.mjs';

const platform = `paceline-${process.platform}-${process.arch}`;
if (process.env['PACELINE_NATIVE_DIR'] === undefined) {
  try {
    const about = createRequire(import.meta.url).resolve(`${platform}/package.json`);
    process.env['PACELINE_NATIVE_DIR'] = join(dirname(about), 'bin');
  } catch {
    console.error(
      `The package ${platform}, which holds what is compiled, is not installed beside this one; docs/package.md says how to make it.`,
    );
    process.exit(1);
  }
}
const [first] = process.argv.slice(2);
const tells = ['--help', '-h', '--version'];
if (first === undefined || (first.startsWith('-') && !tells.includes(first))) process.argv.splice(2, 0, 'serve');
endWithNpm();
await import(new URL('../build/server/cli/main.js', import.meta.url).href);
