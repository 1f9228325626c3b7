/** `npm run format`: prettier and clang-format over all sources. */
import { setup } from './setup/steps.mjs';
import { format } from './test/stages.mjs';

try {
  await setup({ withTests: true, only: ['packages', 'npm'] });
  await format();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
