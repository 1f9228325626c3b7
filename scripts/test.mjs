/**
 * Sets up what the tests need and runs them. A stage that fails does not keep the others from running.
 *
 *   node scripts/test.mjs                          everything
 *   node scripts/test.mjs unit server/src/http     one stage; further arguments go to its runner
 */
import { setup, STEP_NAMES } from './setup/steps.mjs';
import { STAGES } from './test/stages.mjs';
import { closingLine, NOTHING, sum } from './test/tally.mjs';

const names = process.argv.slice(2).filter((word) => word in STAGES);
const extra = process.argv.slice(2).filter((word) => !(word in STAGES));
const chosen = Object.entries(STAGES).filter(([name]) => names.length === 0 || names.includes(name));
const needs = new Set(chosen.flatMap(([, stage]) => stage.needs));

let total = NOTHING;
/** @type {string[]} */
const lines = [];
try {
  await setup({ withTests: true, only: STEP_NAMES.filter((name) => needs.has(name)) });
  for (const [, { title, work }] of chosen) {
    console.log(`\n== ${title}`);
    const start = performance.now();
    const tally = await work(extra).catch((error) => {
      console.error(error instanceof Error ? error.message : error);
      return { ...NOTHING, failed: 1 };
    });
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    total = sum(total, tally);
    lines.push(
      `${tally.failed === 0 ? 'ok    ' : 'FAILED'}  ${title} (${seconds} s)${tally === NOTHING ? '' : `: ${closingLine(tally)}`}`,
    );
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  total = sum(total, { ...NOTHING, failed: 1 });
}
console.log(`\n${lines.join('\n')}\n\n${closingLine(total)}`);
if (total.failed > 0) process.exitCode = 1;
