// Tables and words for LaTeX: booktabs, text that cannot be taken for commands, numbers of one column with as many decimals each.

export type LatexCell = string | number | null;

export interface LatexTable {
  /** `throughput_mbps` becomes `throughput (Mbps)`; what is written for people stays as it is. */
  readonly columns: readonly string[];
  /** A text is written as it is; numbers of a column get the same number of decimals. */
  readonly rows: Iterable<readonly LatexCell[]>;
  readonly caption?: string;
  /** What `\ref` calls it; made safe here. */
  readonly label?: string;
  /** Lines of comment at its head: where it is from. */
  readonly comments?: readonly string[];
}

/** More rows than anybody reads on paper; the CSV has all. */
export const MOST_LATEX_ROWS = 500;
/** More do not fit on a page: the table then breaks over pages, with its head on each. */
const ROWS_OF_A_PAGE = 45;
const DIGITS = 4;
const MOST_DECIMALS = 6;

/** Signs that pdfTeX does not know as they are, and the ten that mean something to TeX. */
const SIGNS: Readonly<Record<string, string>> = {
  '\\': String.raw`\textbackslash{}`,
  '{': String.raw`\{`,
  '}': String.raw`\}`,
  '%': String.raw`\%`,
  _: String.raw`\_`,
  '&': String.raw`\&`,
  '#': String.raw`\#`,
  $: String.raw`\$`,
  '~': String.raw`\textasciitilde{}`,
  '^': String.raw`\textasciicircum{}`,
  '<': String.raw`\textless{}`,
  '>': String.raw`\textgreater{}`,
  '|': String.raw`\textbar{}`,
  '"': "''",
  '`': String.raw`\textasciigrave{}`,
  '\u00a0': '~',
  '\u2009': String.raw`\,`,
  '\u202f': String.raw`\,`,
  // As wide as a digit: columns of numbers are filled up with it.
  '\u2007': String.raw`\phantom{0}`,
  '\u2008': String.raw`\phantom{.}`,
  '–': '--',
  '—': '---',
  '…': String.raw`\ldots{}`,
  '’': "'",
  '‘': '`',
  '“': '``',
  '”': "''",
  '−': '$-$',
  '×': String.raw`$\times$`,
  '·': String.raw`$\cdot$`,
  '±': String.raw`$\pm$`,
  '≤': String.raw`$\leq$`,
  '≥': String.raw`$\geq$`,
  '≠': String.raw`$\neq$`,
  '≈': String.raw`$\approx$`,
  '∞': String.raw`$\infty$`,
  '→': String.raw`$\rightarrow$`,
  '←': String.raw`$\leftarrow$`,
  '▲': String.raw`$\blacktriangle$`,
  '▽': String.raw`$\triangledown$`,
  '²': '$^2$',
  '³': '$^3$',
  '°': String.raw`$^\circ$`,
  // Micro, and Greek mu.
  '\u00b5': String.raw`$\mu$`,
  μ: String.raw`$\mu$`,
  α: String.raw`$\alpha$`,
  β: String.raw`$\beta$`,
  γ: String.raw`$\gamma$`,
  δ: String.raw`$\delta$`,
  Δ: String.raw`$\Delta$`,
  λ: String.raw`$\lambda$`,
  σ: String.raw`$\sigma$`,
  τ: String.raw`$\tau$`,
};

/** A text as LaTeX sets it. One line: a blank line would end what it stands in. Letters that are not in the list stay, as XeLaTeX and LuaLaTeX take them all. */
export const latexText = (text: string): string =>
  // eslint-disable-next-line no-control-regex -- they are what must not pass
  Array.from(text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' '), (sign) => SIGNS[sign] ?? sign).join('');

/** A name for `\label` and `\ref`. */
export const latexLabel = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9:.-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 80);

/** One line of comment: nothing of it gets out. */
export const latexComment = (text: string): string =>
  // eslint-disable-next-line no-control-regex -- they are what must not pass
  `% ${text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')}`;

const UNITS: Readonly<Record<string, string>> = {
  mbps: 'Mbps',
  bps: 'bit/s',
  ms: 'ms',
  us: 'µs',
  s: 's',
  bytes: 'B',
  packets: 'packets',
  percent: '%',
  share: 'share',
  db: 'dB',
  x: '×',
};

/** `queueing_p95_ms` -> `queueing p95 (ms)`. */
export function headOf(column: string): string {
  if (!/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(column)) return column;
  const [last = '', ...before] = column.split('_').reverse();
  const unit = before.length === 0 ? undefined : UNITS[last];
  return unit === undefined ? column.replaceAll('_', ' ') : `${before.reverse().join(' ')} (${unit})`;
}

/** So many decimals that each value keeps four digits, as far as it has them. */
function decimalsFor(values: readonly number[]): number {
  return values.reduce((most, value) => {
    if (value === 0 || Number.isInteger(value)) return most;
    const short = Number(value.toPrecision(DIGITS));
    const own = /\.(\d+)$/.exec(short.toFixed(MOST_DECIMALS).replace(/0+$/, ''))?.[1]?.length ?? 0;
    return Math.max(most, own);
  }, 0);
}

const minus = (text: string): string => text.replace(/^-/, '$-$');

function writerOf(column: readonly LatexCell[]): (cell: LatexCell) => string {
  const decimals = decimalsFor(column.filter((cell) => typeof cell === 'number' && Number.isFinite(cell)) as number[]);
  return (cell) => {
    if (cell === null) return '--';
    if (typeof cell === 'string') return latexText(cell);
    if (Number.isNaN(cell)) return '--';
    if (!Number.isFinite(cell)) return cell > 0 ? String.raw`$\infty$` : String.raw`$-\infty$`;
    const fixed = cell.toFixed(decimals);
    // So small that nothing would be left of it beside the others.
    return minus(Number(fixed) === 0 && cell !== 0 ? String(Number(cell.toPrecision(DIGITS))) : fixed);
  };
}

const NUMBER = /^[<>≤≥±×~]?\s*[-−+]?[\d\u2007\u2009\u202f]/;
const NO_NUMBER = new Set(['', '–', '∞', '—']);

/** To the right what is all numbers, written or not. */
const isOfNumbers = (column: readonly LatexCell[]): boolean =>
  column.some((cell) => cell !== null && !NO_NUMBER.has(String(cell))) &&
  column.every(
    (cell) => cell === null || typeof cell === 'number' || NO_NUMBER.has(cell.trim()) || NUMBER.test(cell.trim()),
  );

/** The table, to be read with `\input`. */
export function latexTable({ columns, rows, caption, label, comments = [] }: LatexTable): string {
  const shown: (readonly LatexCell[])[] = [];
  let more = 0;
  for (const row of rows) {
    if (shown.length < MOST_LATEX_ROWS) shown.push(row);
    else more += 1;
  }
  const byColumn = columns.map((_, i) => shown.map((row) => row[i] ?? null));
  const writers = byColumn.map(writerOf);
  const line = (cells: readonly string[]): string => `${cells.join(' & ')} ${String.raw`\\`}`;
  const lines = shown.map((row) => line(writers.map((write, i) => write(row[i] ?? null))));
  if (more > 0)
    lines.push(
      `${String.raw`\multicolumn{${columns.length}}{l}{${latexText(`… and ${more} more rows, which the CSV file has`)}}`} ${String.raw`\\`}`,
    );
  const format = byColumn.map((column) => (isOfNumbers(column) ? 'r' : 'l')).join('');
  const head = [String.raw`\toprule`, line(columns.map((column) => latexText(headOf(column)))), String.raw`\midrule`];
  const long = lines.length > ROWS_OF_A_PAGE;
  const named = [
    ...(caption === undefined ? [] : [String.raw`\caption{${latexText(caption)}}`]),
    ...(label === undefined ? [] : [String.raw`\label{${latexLabel(label)}}`]),
  ].join('');
  const body = long
    ? [
        String.raw`\begin{longtable}{@{}${format}@{}}`,
        ...(named === '' ? [] : [`${named} ${String.raw`\\`}`]),
        ...head,
        String.raw`\endhead`,
        String.raw`\bottomrule`,
        String.raw`\endfoot`,
        ...lines,
        String.raw`\end{longtable}`,
      ]
    : [
        String.raw`\begin{table}`,
        String.raw`\centering`,
        ...(named === '' ? [] : [named]),
        String.raw`\begin{tabular}{@{}${format}@{}}`,
        ...head,
        ...lines,
        String.raw`\bottomrule`,
        String.raw`\end{tabular}`,
        String.raw`\end{table}`,
      ];
  const packages = [
    'booktabs',
    ...(long ? ['longtable'] : []),
    ...(body.join('').includes('triangle') ? ['amssymb'] : []),
  ];
  return `${[latexComment(String.raw`Needs \usepackage{${packages.join(',')}}`), ...comments.map(latexComment), ...body].join('\n')}\n`;
}
