/**
 * Draws the figures of docs/cca: every algorithm over the same links, from runs in virtual time, with the page's own plot code. They are
 * committed, and the tests check that they are what this engine gives.
 *
 *   npm run figures [-- ID…]            writes them
 *   node --import tsx scripts/figures.ts --check   exits 1 and names those that are out of date
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listCcas } from '#bridge/ccas';
import type { CcaDescriptor } from '#protocol/cca';
import { sameFigure } from './figures/compare.ts';
import { figureLinks } from './figures/links.ts';
import { pictureOf } from './figures/picture.ts';
import { telemetryOf } from './figures/telemetry.ts';

const docs = fileURLToPath(new URL('../docs/cca/', import.meta.url));
const check = process.argv.includes('--check');
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'));

const { ccas, engine_version } = await listCcas();
const shown = ccas.filter(
  ({ id, engines }) => engines.includes('virtual') && (wanted.length === 0 || wanted.includes(id)),
);
const tracesDir = mkdtempSync(join(tmpdir(), 'paceline-figures-'));
const problems: string[] = [];
let written = 0;
try {
  const links = await figureLinks(tracesDir);
  mkdirSync(`${docs}figures`, { recursive: true });
  for (const cca of shown) {
    const telemetries = await Promise.all(
      links.map(async (link) => ({ link, telemetry: await telemetryOf(cca.id, link, engine_version, tracesDir) })),
    );
    settle(cca, pictureOf(cca, variableOf(cca), telemetries));
  }
} finally {
  rmSync(tracesDir, { recursive: true });
}
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log(check ? `${shown.length} figures are current.` : `${shown.length} figures, ${written} written.`);

/** Where a page shows its figure, and which of the algorithm's own variables it wants to see there. */
function shownIn(page: string, id: string): RegExpExecArray | null {
  const text = existsSync(page) ? readFileSync(page, 'utf8') : '';
  return new RegExp(`\\(figures/${id}\\.svg(?: "([^"]*)")?\\)`).exec(text);
}

/** The variable that the page names, else the first. */
function variableOf({ id, internals }: CcaDescriptor): CcaDescriptor['internals'][number] | undefined {
  const named = shownIn(`${docs}${id}.md`, id)?.[1];
  const found = internals.find(({ name, states }) => states.length === 0 && (named === undefined || name === named));
  if (found === undefined && named !== undefined)
    throw new Error(`docs/cca/${id}.md asks for a figure with ${named}, which is not a variable of ${id}`);
  return found;
}

/** Writes a figure, or says that the committed one is not it; likewise that its page shows it. */
function settle({ id, label }: CcaDescriptor, svg: string): void {
  const file = `${docs}figures/${id}.svg`;
  const page = `${docs}${id}.md`;
  const current = existsSync(file) && sameFigure(readFileSync(file, 'utf8'), svg);
  if (!existsSync(page)) {
    problems.push(`docs/cca/${id}.md is missing: every algorithm has a page`);
    return;
  }
  const linked = shownIn(page, id) !== null;
  if (check) {
    if (!current) problems.push(`docs/cca/figures/${id}.svg is out of date; run \`npm run figures\` and commit it.`);
    if (!linked) problems.push(`docs/cca/${id}.md does not show its figure; run \`npm run figures\` and commit it.`);
    return;
  }
  if (!current) {
    writeFileSync(file, svg);
    written++;
  }
  const image = `![${label} over two links: throughput, queueing delay and window over time](figures/${id}.svg)`;
  // Behind what the algorithm believes, which is the page's first paragraph.
  if (!linked) writeFileSync(page, readFileSync(page, 'utf8').replace(/^(# .*\n\n(?:.+\n)+)/, `$1\n${image}\n`));
}
