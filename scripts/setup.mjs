/**
 * Installs and builds whatever is missing; a second run finds nothing to do and is quick.
 *
 *   node scripts/setup.mjs [--with-tests] [--only native,web]
 */
import { parseArgs } from 'node:util';
import { setup, STEP_NAMES } from './setup/steps.mjs';

const { values } = parseArgs({ options: { 'with-tests': { type: 'boolean' }, only: { type: 'string' } } });
const only = values.only?.split(',') ?? STEP_NAMES;
try {
  await setup({ withTests: values['with-tests'] === true, only: STEP_NAMES.filter((name) => only.includes(name)) });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
