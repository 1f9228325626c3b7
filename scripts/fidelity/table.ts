import type { Figure } from './finding.ts';
import type { Verdict } from './verdict.ts';

export interface Row {
  readonly where: string;
  readonly cca: string;
  readonly figures: Readonly<Record<string, string>>;
  readonly verdict: Verdict;
  /** Of a run that differs: what is compared, and where it would agree. */
  readonly compared: readonly Figure[];
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
