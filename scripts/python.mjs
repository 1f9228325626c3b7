/**
 * `npm run python`: makes the wheel of the Python package, with all that it brings along (docs/python.md).
 */
import { relative } from 'node:path';
import { ROOT } from './lib/paths.mjs';
import { pythonUnavailable, pythonWheel } from './setup/python.mjs';

const reason = await pythonUnavailable();
if (reason === null) console.log(relative(ROOT, await pythonWheel()));
else {
  console.error(`No wheel: ${reason}`);
  process.exitCode = 1;
}
