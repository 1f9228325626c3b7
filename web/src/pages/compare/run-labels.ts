// What compared runs are called: parts of their names that all share are left out.
import type { RunName } from '../run/describe';

export interface RunLabel {
  readonly label: string;
  /** The same, but for its algorithms. */
  readonly apart: string;
}

export function labelsOf(names: readonly RunName[]): RunLabel[] {
  const parts = names.map(({ trace, ccas, limit, role, repetition }) => [
    ccas.join(' + '),
    limit,
    trace,
    role ?? '',
    repetition ?? '',
  ]);
  const differs = (part: number): boolean => new Set(parts.map((own) => own[part])).size > 1;
  return parts.map((own, i) => {
    const again = parts.findIndex((other) => other.join() === own.join()) === i ? '' : ` (${i + 1})`;
    const told = own.filter((text, part) => text !== '' && part > 0 && differs(part));
    return { label: [own[0], ...told].join(' · ') + again, apart: told.join(' · ') + again };
  });
}
