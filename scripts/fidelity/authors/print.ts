import { availableParallelism } from 'node:os';
import type { AuthorsCell } from './compare.ts';
import {
  AUTHORS_VERDICTS,
  authorsVerdict,
  FIGURE_NAMES,
  figureVerdict,
  meanOf,
  spanOf,
  type FigureName,
  type Reached,
} from './verdict.ts';

const TITLES: Readonly<Record<FigureName, { readonly name: string; readonly unit: string; readonly digits: number }>> =
  {
    mbps: { name: 'rate', unit: 'Mbps', digits: 1 },
    queueingMs: { name: 'queueing', unit: 'ms', digits: 1 },
    lossPercent: { name: 'loss', unit: '%', digits: 2 },
  };

function figuresOf(runs: readonly Reached[]): string {
  if (runs.length === 0) return '–';
  return FIGURE_NAMES.map((key) => {
    const { name, unit, digits } = TITLES[key];
    const [low, high] = spanOf(runs, key).map((value) => value.toFixed(digits));
    return `${name} ${meanOf(runs, key).toFixed(digits)} ${unit}${low === high ? '' : ` (${low}–${high})`}`.padEnd(30);
  })
    .join(' ')
    .trimEnd();
}

/** More programs than cores wanted to run: what they met is the machine's as well. */
const isLoaded = ({ load }: AuthorsCell): boolean => load > availableParallelism();

export const verdictOf = ({ ours, theirs, live }: AuthorsCell) => authorsVerdict(ours, theirs, live);

export function cellText(cell: AuthorsCell): string {
  const { program, link, ours, theirs, live, overruns, failures } = cell;
  const verdict = verdictOf(cell);
  const lines = [
    `${verdict.padEnd(8)} ${program} over ${link}`,
    `           theirs ${figuresOf(theirs)}`,
    `           ours   ${figuresOf(ours)}`,
    ...(live.length === 0 ? [] : [`           ours in real time ${figuresOf(live)}`]),
  ];
  if (theirs.length > 0)
    for (const name of FIGURE_NAMES) {
      const one = figureVerdict(ours, theirs, name);
      const [low, high] = spanOf(theirs, name).map((value) => value.toFixed(TITLES[name].digits));
      if (one === 'hidden')
        lines.push(
          `           ${TITLES[name].name}: its own runs span ${low} to ${high} ${TITLES[name].unit}, which hides the algorithm`,
        );
      else if (one !== 'agrees') lines.push(`           ${TITLES[name].name}: ${one}`);
    }
  if (overruns > 0) lines.push(`           ${overruns} of its runs left out: the machine did not keep up`);
  if (isLoaded(cell))
    lines.push(
      `           the machine was loaded: ${cell.load.toFixed(1)} programs wanted its ${availableParallelism()} cores`,
    );
  for (const failure of failures) lines.push(`           failed: ${failure}`);
  return lines.join('\n');
}

export function countText(cells: readonly AuthorsCell[]): string {
  const counts = AUTHORS_VERDICTS.map(
    (verdict) => [cells.filter((cell) => verdictOf(cell) === verdict).length, verdict] as const,
  );
  return `${cells.length} cells: ${counts
    .filter(([count]) => count > 0)
    .map(([count, verdict]) => `${count} ${verdict === 'overrun' ? 'not measured' : verdict}`)
    .join(', ')}.`;
}
