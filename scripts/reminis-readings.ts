/**
 * `node --import tsx scripts/reminis-readings.ts [--finalists 8] [--seeds 3] [--seconds 60]`: runs every reading of what Reminis’ paper leaves open
 * over the recordings of 5G, the nearest ones over everything that the paper says in numbers, and prints how near each comes. The default, and the
 * paper to the letter, are always among them.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Lanes } from './fidelity/lanes.ts';
import { numberText } from './fidelity/finding.ts';
import { CLAIMS, distance, FIRST_CLAIMS, type Claim, type Measured } from './fidelity/reminis/claims.ts';
import { importTraces, looking, type Measuring } from './fidelity/reminis/measure.ts';
import { DEFAULT, LETTER, nameOf, readings, type Reading } from './fidelity/reminis/readings.ts';

const text = { type: 'string' } as const;
const { values } = parseArgs({
  options: {
    finalists: { ...text, default: '8' },
    seeds: { ...text, default: '3' },
    seconds: { ...text, default: '60' },
  },
});
const [finalists = NaN, seeds = NaN, seconds = NaN] = [values.finalists, values.seeds, values.seconds].map(Number);
if (![finalists, seeds, seconds].every((value) => Number.isInteger(value) && value > 0)) {
  console.error('--finalists, --seeds and --seconds want whole numbers above 0');
  process.exit(2);
}

interface Judged {
  readonly reading: Reading;
  readonly figures: readonly number[];
  readonly total: number;
}

async function judge(all: readonly Reading[], claims: readonly Claim[], measuring: Measuring): Promise<Judged[]> {
  const shared = new Map<string, Promise<Measured>>();
  let done = 0;
  const judged = await Promise.all(
    all.map(async (reading) => {
      const look = looking(reading, measuring, shared);
      const figures = await Promise.all(claims.map((claim) => claim.measure(look)));
      const total = claims.reduce((sum, claim, i) => sum + distance(claim, figures[i] ?? NaN), 0);
      if (process.stderr.isTTY) process.stderr.write(`\r${++done} of ${all.length} readings`);
      return { reading, figures, total };
    }),
  );
  return judged.sort((a, b) => a.total - b.total);
}

const dir = mkdtempSync(join(tmpdir(), 'paceline-reminis-'));
try {
  const traces = await importTraces(dir);
  const measuring = { traces, dir, seconds, lanes: new Lanes(availableParallelism()) };
  const names = [...traces['5G'], ...traces['3G and 4G']].map(({ name }) => name);
  const all = readings();
  console.log(`${all.length} readings, ${FIRST_CLAIMS.length} claims, ${seconds} s over ${names.join(', ')}\n`);
  const first = await judge(all, FIRST_CLAIMS, { ...measuring, seeds: 1 });
  for (const { reading, total } of first.slice(0, 3 * finalists))
    console.log(`${total.toFixed(2)}  ${nameOf(reading)}`);

  const named = [DEFAULT, LETTER];
  const best = first.map(({ reading }) => reading).slice(0, finalists);
  const chosen = [...named, ...best.filter((reading) => !named.some((known) => nameOf(known) === nameOf(reading)))];
  const judged = await judge(chosen, CLAIMS, { ...measuring, seeds });
  console.log(
    `\n${CLAIMS.length} claims, ${seeds} seeds; the distance of each in tolerances, 0 where it is met, at most 3`,
  );
  judged.forEach(({ reading, total }, i) =>
    console.log(`${String.fromCharCode(65 + i)}  ${total.toFixed(2)}  ${nameOf(reading)}`),
  );
  const columns = judged.map((_, i) => String.fromCharCode(65 + i).padStart(8)).join('');
  console.log(`\n${''.padEnd(48)}${'paper'.padStart(8)}${columns}`);
  CLAIMS.forEach((claim, row) => {
    const cells = judged.map(({ figures }) => {
      const figure = figures[row] ?? NaN;
      const mark = distance(claim, figure) > 1 ? '✗' : ' ';
      return `${numberText(figure)}${mark}`.padStart(8);
    });
    console.log(`${claim.what.padEnd(48)}${String(claim.published).padStart(8)}${cells.join('')}`);
  });
} finally {
  rmSync(dir, { recursive: true, force: true });
}
