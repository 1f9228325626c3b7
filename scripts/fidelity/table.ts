const UTILISATION_POINTS = 5;
const DELAY_SHARE = 0.2;
const DELAY_MS = 3;

export interface Row {
  readonly where: string;
  readonly cca: string;
  readonly figures: Readonly<Record<string, string>>;
  readonly pass: boolean;
}

export const utilisationAgrees = (ours: number, theirs: number): boolean =>
  Math.abs(ours - theirs) <= UTILISATION_POINTS;

export const delayAgrees = (ours: number | null, theirs: number): boolean =>
  ours !== null && Math.abs(ours - theirs) <= Math.max(DELAY_SHARE * theirs, DELAY_MS);

export const figure = (ours: number | null, theirs: number, digits = 1): string =>
  `${ours === null ? '–' : ours.toFixed(digits)} (${theirs.toFixed(digits)})`;

/** One block per kind of comparison, one line per cell, a closing count. */
export function print(rows: readonly Row[]): void {
  const shapes = new Set(rows.map((row) => Object.keys(row.figures).join()));
  for (const shape of shapes) {
    const block = rows.filter((row) => Object.keys(row.figures).join() === shape);
    const cells = [
      ['', '', ...shape.split(','), ''],
      ...block.map((row) => [row.where, row.cca, ...Object.values(row.figures), row.pass ? 'PASS' : 'DIFF']),
    ];
    const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
    for (const row of cells) {
      const line = row.map((cell, column) =>
        column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      );
      console.log(line.join('  ').trimEnd());
    }
    console.log('');
  }
  const passed = rows.filter((row) => row.pass).length;
  console.log(`${passed} of ${rows.length} cells agree, ${rows.length - passed} differ.`);
}
