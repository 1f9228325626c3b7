/**
 * Installs and builds whatever is missing; a second run finds nothing to do and is quick.
 *
 *   node scripts/setup.mjs [--with-tests] [--with-wasm] [--only native,web]
 */
import { parseArgs } from 'node:util';
import { systemPackages } from './setup/packages.mjs';
import { setup, STEP_NAMES } from './setup/steps.mjs';

const { values } = parseArgs({
  options: { 'with-tests': { type: 'boolean' }, 'with-wasm': { type: 'boolean' }, only: { type: 'string' } },
});
const only = values.only?.split(',') ?? STEP_NAMES;
try {
  await setup({ withTests: values['with-tests'] === true, only: STEP_NAMES.filter((name) => only.includes(name)) });
  // For an image: what is built later is built by somebody who may install nothing.
  if (values['with-wasm'] === true) console.log(`Compiler for WebAssembly: ${await systemPackages('wasm')}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
