// Mann-Whitney U test: is a value of one sample more often the greater one?
import { normalTail } from '#analysis/statistics';

export interface MannWhitney {
  /** Pairs in which the first sample's value is greater; equal ones count half. */
  readonly u: number;
  /** The same as a share of all pairs (Vargha and Delaney's A): a half means that neither is usually greater. */
  readonly share: number;
  /** Two-sided, for independent draws. */
  readonly p: number;
  readonly method: 'exact' | 'asymptotic';
}

/** Below this the normal approximation is poor; with equal values it is used all the same, as is usual. */
const SMALL = 20;

/** Null when a sample is empty. */
export function mannWhitney(a: readonly number[], b: readonly number[]): MannWhitney | null {
  const [m, n] = [a.length, b.length];
  if (m === 0 || n === 0) return null;
  const { rankSum, ties } = ranks(a, b);
  const u = rankSum - (m * (m + 1)) / 2;
  const exact = ties === 0 && m <= SMALL && n <= SMALL;
  return {
    u,
    share: u / (m * n),
    p: exact ? exactP(u, m, n) : asymptoticP(u, m, n, ties),
    method: exact ? 'exact' : 'asymptotic',
  };
}

/** Sum of the first sample's ranks in the joined one (equal values share their mean rank), and the sum of t^3 - t over equals. */
function ranks(a: readonly number[], b: readonly number[]): { rankSum: number; ties: number } {
  const all = [...a.map((value) => ({ value, first: true })), ...b.map((value) => ({ value, first: false }))];
  all.sort((x, y) => x.value - y.value);
  let [rankSum, ties] = [0, 0];
  for (let from = 0; from < all.length;) {
    let to = from + 1;
    while (to < all.length && all[to]?.value === all[from]?.value) to++;
    const equal = to - from;
    const rank = (from + 1 + to) / 2;
    for (let i = from; i < to; i++) if (all[i]?.first === true) rankSum += rank;
    ties += equal ** 3 - equal;
    from = to;
  }
  return { rankSum, ties };
}

/** Counts the arrangements with each U (Mann and Whitney's recursion), as shares of all. */
function exactP(u: number, m: number, n: number): number {
  // ways[j][v]: share of the arrangements of i firsts and j seconds with U = v
  let ways: Float64Array[] = Array.from({ length: n + 1 }, () => Float64Array.of(1));
  for (let i = 1; i <= m; i++) {
    const next: Float64Array[] = [Float64Array.of(1)];
    for (let j = 1; j <= n; j++) {
      const row = new Float64Array(i * j + 1);
      for (let v = 0; v <= i * j; v++)
        row[v] = (i / (i + j)) * (ways[j]?.[v - j] ?? 0) + (j / (i + j)) * (next[j - 1]?.[v] ?? 0);
      next.push(row);
    }
    ways = next;
  }
  const row = ways[n] ?? Float64Array.of(1);
  const least = Math.min(u, m * n - u);
  let tail = 0;
  for (let v = 0; v <= least; v++) tail += row[v] ?? 0;
  return Math.min(1, 2 * tail);
}

/** Normal approximation, corrected for equal values and for U being whole. */
function asymptoticP(u: number, m: number, n: number, ties: number): number {
  const all = m + n;
  const variance = ((m * n) / 12) * (all + 1 - ties / (all * (all - 1)));
  if (variance <= 0) return 1;
  const away = Math.max(0, Math.abs(u - (m * n) / 2) - 0.5);
  return Math.min(1, 2 * normalTail(away / Math.sqrt(variance)));
}
