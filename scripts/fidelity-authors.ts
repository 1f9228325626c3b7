/**
 * `npm run fidelity:authors -- --refs DIR [--programs copa,verus] [--links 24-mbps,lte-taxi-nyc] [--repetitions 3] [--seconds 20] [--parallel 1]
 * [--json FILE]`: runs the authors' own programs that stand built in DIR over the modelled link, in real time, and prints ours beside them. Builds
 * nothing and leaves nothing behind. It takes as long as the link's time of all its runs, and wants the machine for itself. Exits 3 when one differs.
 */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { compareAuthors, type AuthorsCell } from './fidelity/authors/compare.ts';
import { authorsLinks } from './fidelity/authors/links.ts';
import { cellText, countText, verdictOf } from './fidelity/authors/print.ts';
import { AUTHORS_PROGRAMS, findPrograms } from './fidelity/authors/programs.ts';
import { AUTHORS_TOLERANCE } from './fidelity/authors/verdict.ts';
import { Lanes } from './fidelity/lanes.ts';

const USAGE = 2;
const THRESHOLD_MISSED = 3;

function stop(message: string): never {
  console.error(message);
  process.exit(USAGE);
}

function whole(name: string, value: string | undefined, or: number): number {
  const number = Number(value ?? or);
  return Number.isInteger(number) && number >= 1 ? number : stop(`--${name} ${value}: wants a whole number from 1`);
}

const text = { type: 'string' } as const;
const { values } = parseArgs({
  options: { refs: text, programs: text, links: text, repetitions: text, seconds: text, parallel: text, json: text },
});
if (values.refs === undefined)
  stop('--refs DIR is wanted: the folder in which the authors’ programs stand built (docs/fidelity.md)');
const refs = resolve(values.refs);
if (!statSync(refs, { throwIfNoEntry: false })?.isDirectory()) stop(`--refs ${refs}: there is no such folder`);
const wanted = values.programs?.split(',');
const unknown = wanted?.filter((name) => !AUTHORS_PROGRAMS.some((program) => program.name === name)) ?? [];
if (unknown.length > 0)
  stop(
    `--programs: there is no ${unknown.join(', ')}; there are ${AUTHORS_PROGRAMS.map(({ name }) => name).join(', ')}`,
  );

const options = {
  repetitions: whole('repetitions', values.repetitions, 3),
  seconds: whole('seconds', values.seconds, 20),
  live: new Lanes(whole('parallel', values.parallel, 1)),
};
const programs = AUTHORS_PROGRAMS.filter(({ name }) => wanted?.includes(name) ?? true);
const dir = mkdtempSync(join(tmpdir(), 'paceline-authors-'));
try {
  const { found, missing } = findPrograms(refs, programs);
  for (const line of missing) console.log(`left out  ${line}`);
  if (found.length === 0) throw new Error(`none of the authors’ programs stands built in ${refs}`);
  const links = await authorsLinks(dir, values.links?.split(',') ?? null);
  console.log(
    `The authors’ programs in real time, ours in virtual time: ${options.repetitions} repetitions of ${options.seconds} s, 2 × 20 ms, droptail.\n` +
      `Each figure: mean (least–greatest). ${AUTHORS_TOLERANCE}.\nLoad of the machine at the start: ${(loadavg()[0] ?? 0).toFixed(1)}.\n`,
  );
  const cells: AuthorsCell[] = [];
  for (const link of links)
    cells.push(
      ...(await Promise.all(
        found.map(async (one) => {
          const cell = await compareAuthors(one, link, { ...options, dir });
          console.log(cellText(cell));
          return cell;
        }),
      )),
    );
  console.log(`\n${countText(cells)}`);
  if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(cells, null, 1));
  if (cells.some((cell) => verdictOf(cell) === 'differs')) process.exitCode = THRESHOLD_MISSED;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = USAGE;
} finally {
  rmSync(dir, { recursive: true, force: true });
}
