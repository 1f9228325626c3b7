/**
 * `npm run looks`: holds every view against its text in e2e/looks/; with `-- --write` writes the texts anew, for a person to read
 * the difference.
 */
import { ROOT } from './lib/paths.mjs';
import { run } from './lib/run.mjs';

const write = process.argv.includes('--write');
const words = ['test', '--project=journeys', 'e2e/looks.spec.ts', ...(write ? ['--update-snapshots=all'] : [])];
await run('npx', ['playwright', ...words], { cwd: ROOT, echo: true });
