// The server as a program: what `npm start` and the Docker image run.
import { conclude } from './cli/exit.ts';
import { serve } from './cli/serve.ts';

await conclude(() => serve(process.argv.slice(2)));
