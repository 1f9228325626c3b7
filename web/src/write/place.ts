// Where in a text something is: from a line and a column, as whoever reads it tells, to what is marked.
import type { OwnProblem, SourcePlace } from '#protocol/own-algorithm';

/** From the place to the end of the word there, or of what is left of the line; whatever the place, it is within the text. */
export function placeIn(text: string, { line, column }: SourcePlace): { readonly from: number; readonly to: number } {
  const lines = text.split('\n');
  const row = Math.min(line, lines.length) - 1;
  const begins = lines.slice(0, row).reduce((sum, { length }) => sum + length + 1, 0);
  const words = lines[row] ?? '';
  // Behind the last line means its end.
  const at = line > lines.length ? words.length : Math.min(column - 1, words.length);
  const word = /^[\w$]+/.exec(words.slice(at))?.[0].length ?? 0;
  const rest = words.slice(at).trimEnd().length;
  return { from: begins + at, to: begins + at + (word > 0 ? word : rest) };
}

/** `Line 12: cwnd is not defined`. */
export const problemText = ({ message, at }: OwnProblem): string =>
  at === null ? message : `Line ${at.line}: ${message}`;

/** Of a run that failed at a place: its reason without whose it was and the line, which stand elsewhere. */
export const failureOf = (reason: string, at: SourcePlace | null): OwnProblem => ({
  message: at === null ? reason : reason.replace(new RegExp(`^.*?, line ${at.line}: `), ''),
  at,
});
