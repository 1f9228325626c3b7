/**
 * `npm run fuzz [-- --runs N | --seconds N] [--jobs N]`: the readers of trace files under libFuzzer, with address and undefined-behaviour
 * sanitizers. Ten million inputs unless told otherwise (half an hour on two cores, longer as the corpus grows): the nightly job. What was found lies in
 * build/fuzz/found; `build/fuzz/bin/paceline-fuzz-traces FILE` does it again.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { buildFuzzer, fuzz, fuzzerUnavailable } from './fuzz/run.mjs';

const TEN_MILLION = 10_000_000;

const { values } = parseArgs({
  options: { runs: { type: 'string' }, seconds: { type: 'string' }, jobs: { type: 'string' } },
});
const whole = (/** @type {string | undefined} */ text) => (text === undefined ? undefined : Number(text));
const [runs, seconds, jobs] = [whole(values.runs), whole(values.seconds), whole(values.jobs)];
for (const number of [runs, seconds, jobs])
  if (number !== undefined && !(Number.isInteger(number) && number > 0))
    throw new Error('--runs, --seconds and --jobs take whole numbers above 0');

const reason = await fuzzerUnavailable();
if (reason !== null) throw new Error(`Cannot fuzz: ${reason}.`);
await buildFuzzer();
const bound = seconds === undefined ? { runs: runs ?? TEN_MILLION } : { seconds };
const { inputs, formats, failure } = await fuzz({ ...bound, jobs: jobs ?? availableParallelism(), echo: true });
for (const [name, { given, read }] of formats) console.log(`${name.padEnd(14)} ${given} inputs, ${read} of them read`);
console.log(`${inputs} inputs: ${failure === null ? 'no crash, no leak, no hang' : 'FAILED'}`);
if (failure !== null) {
  console.error(failure);
  process.exitCode = 1;
}
