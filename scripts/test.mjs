/**
 * Sets up what the tests need and runs them. A stage that fails does not keep the others from running.
 *
 *   node scripts/test.mjs                          everything
 *   node scripts/test.mjs unit server/src/http     one stage; further arguments go to its runner
 */
import { endRunning, hurry } from './lib/run.mjs';
import { setupSteps, STEP_NAMES } from './setup/steps.mjs';
import { tooLateFor } from './test/late.mjs';
import { failedBy, STAGES } from './test/stages.mjs';
import { closingLine, failureLines, NOTHING, sum } from './test/tally.mjs';

/** @param {unknown} error */
const show = (error) => console.error(error instanceof Error ? error.message : error);

// What works ahead hears of no Ctrl-C by itself.
for (const [signal, code] of /** @type {const} */ ([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
]))
  process.on(signal, () => {
    endRunning();
    process.exit(code);
  });

const names = process.argv.slice(2).filter((word) => word in STAGES);
const extra = process.argv.slice(2).filter((word) => !(word in STAGES));
const chosen = Object.entries(STAGES).filter(([name, { asked = false }]) =>
  names.length === 0 ? !asked : names.includes(name),
);

const steps = STEP_NAMES.filter((name) => chosen.some(([, stage]) => stage.needs.includes(name)));
const broken = await setupSteps({ withTests: true, only: steps });
/** @type {string[]} what failed, by name: only the last lines are kept where nobody watches */
const named = [];
for (const [step, error] of broken) {
  show(error);
  named.push(...failureLines(`Setup: ${step}`, failedBy(error)));
}

/** @type {Map<string, Promise<unknown>>} */
const lanes = new Map();
/** @type {Map<string, Promise<unknown>>} */
const ahead = new Map();
// Before the first there is nothing.
for (const [name, stage] of chosen.slice(1)) {
  if (stage.ahead === undefined || stage.needs.some((step) => broken.has(step))) continue;
  const { lane, work } = stage.ahead;
  // What goes wrong here comes again, and is told, when the stage's turn has come.
  const done = Promise.resolve(lanes.get(lane))
    .then(() => work(extra))
    .catch(() => undefined);
  lanes.set(lane, done);
  ahead.set(name, done);
}

let isLeftOut = false;
let total = NOTHING;
/** @type {string[]} */
const lines = [];
for (const [name, stage] of chosen) {
  const { title, needs, work } = stage;
  const lacking = needs.filter((step) => broken.has(step));
  if (lacking.length > 0) {
    total = sum(total, { ...NOTHING, failed: 1 });
    lines.push(`FAILED  ${title}: not run, because the setup failed (${lacking.join(', ')})`);
    continue;
  }
  const late = tooLateFor(stage, names.includes(name), performance.now());
  if (late !== null) {
    isLeftOut = true;
    total = sum(total, { ...NOTHING, skipped: 1 });
    lines.push(`skipped ${title}: ${late} (\`node scripts/test.mjs ${name}\` runs it)`);
    continue;
  }
  console.log(`\n== ${title}`);
  const start = performance.now();
  if (ahead.has(name)) {
    hurry(true);
    await ahead.get(name);
    hurry(false);
  }
  const tally = await work(extra).catch((error) => {
    show(error);
    return failedBy(error);
  });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const count = tally === NOTHING ? '' : `: ${closingLine(tally)}`;
  lines.push(`${tally.failed === 0 ? 'ok    ' : 'FAILED'}  ${title} (${seconds} s)${count}`);
  named.push(...failureLines(title, tally));
  total = sum(total, tally);
}
if (extra.length > 0 && total.passed + total.failed + total.skipped === 0) {
  const why = `no test is chosen by \`${extra.join(' ')}\``;
  total = sum(total, { ...NOTHING, failed: 1 });
  lines.push(`FAILED  ${why}`);
}
const paragraphs = [lines, named, [closingLine(total)]].filter((paragraph) => paragraph.length > 0);
console.log(`\n${paragraphs.map((paragraph) => paragraph.join('\n')).join('\n\n')}`);
if (total.failed > 0) process.exitCode = 1;
// What was left out may still be made ready in idle time.
if (isLeftOut) {
  endRunning();
  process.exit();
}
