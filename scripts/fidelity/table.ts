import type { Verdict } from './verdict.ts';

export interface Row {
  readonly where: string;
  readonly cca: string;
  readonly figures: Readonly<Record<string, string>>;
  readonly verdict: Verdict;
}

interface FigureOptions {
  readonly digits?: number;
  /** The kernel's repeated runs, shown as their range. */
  readonly again?: readonly number[];
}

/** `ours (the kernel's; its repeats)` */
export function figure(ours: number | null, theirs: number, { digits = 1, again = [] }: FigureOptions = {}): string {
  const text = (value: number): string => value.toFixed(digits);
  const range = again.length === 0 ? '' : `; ${text(Math.min(...again))}–${text(Math.max(...again))}`;
  return `${ours === null ? '–' : text(ours)} (${text(theirs)}${range})`;
}

/** One block per kind of comparison, one line per cell, a closing count. */
export function print(rows: readonly Row[]): void {
  const shapes = new Set(rows.map((row) => Object.keys(row.figures).join()));
  for (const shape of shapes) {
    const block = rows.filter((row) => Object.keys(row.figures).join() === shape);
    const cells = [
      ['', '', ...shape.split(','), ''],
      ...block.map((row) => [row.where, row.cca, ...Object.values(row.figures), row.verdict]),
    ];
    const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
    for (const row of cells) {
      const last = row.length - 1;
      const line = row.map((cell, column) =>
        column < 2 || column === last ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      );
      console.log(line.join('  ').trimEnd());
    }
    console.log('');
  }
}

export function printCount(rows: readonly Row[]): void {
  const count = (verdict: Verdict): number => rows.filter((row) => row.verdict === verdict).length;
  console.log(
    `${rows.length} cells: ${count('PASS')} agree with the kernel's run, ${count('repeat')} with a repeat of it, ` +
      `${count('near')} within what the measurement left open, ${count('DIFF')} differ.`,
  );
}
