import { fairnessTerm, missingOfAll, windowsText, type FairnessTerm } from '#analysis/fairness';
import type { RunRef } from '#protocol/api';

/** A line for people where Jain's index does not stand on all ten windows; '' otherwise. */
export function missingWindows(runs: Iterable<Pick<RunRef, 'summary'>>): string {
  const short: FairnessTerm[] = [];
  for (const { summary } of runs) {
    const term = summary === null ? null : fairnessTerm(summary);
    if (term !== null && term.missing_k.length > 0) short.push(term);
  }
  const missing = missingOfAll(short);
  const runsText = short.length === 1 ? '1 run' : `${short.length} runs`;
  return short.length === 0
    ? ''
    : `Jain's index of ${runsText} stands on fewer windows than ten (${windowsText(missing) ?? ''} at the least): k = ${missing.join(', ')} base RTTs did not fit (jain_missing_k in summary.csv)\n`;
}
