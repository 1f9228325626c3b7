// Short news at the edge of the page: what has just been done, and the way to undo it. What draws them comes with the first one.
import { asApiError } from '../api/client';
import type { ToastWords } from './toast-queue';

/** Long enough to read it and to reach its button by keyboard. */
const STAYS_MS = 20_000;

/** What was done last and has not been taken back. */
let last: ToastWords['undo'];
/** News of what was done before make room; problems stay until they are read. */
let shown: string | null = null;

export function showToast(words: ToastWords): void {
  const { undo } = words;
  if (undo !== undefined) last = undo;
  void import('./toast-queue').then(({ toasts }) => {
    const takeBack = async (): Promise<void> => {
      toasts.close(key);
      if (last === undo) last = undefined;
      await undo?.().catch(showProblem);
    };
    if (shown !== null) toasts.close(shown);
    const key: string = toasts.add({ ...words, ...(undo && { undo: takeBack }) }, { timeout: STAYS_MS });
    shown = words.kind === 'problem' ? null : key;
  });
}

export function showProblem(error: unknown): void {
  const { detail, hint } = asApiError(error).problem;
  const sentence = `${detail.charAt(0).toUpperCase()}${detail.slice(1)}${/[.!?]$/.test(detail) ? '' : '.'}`;
  showToast({ kind: 'problem', text: hint === undefined ? sentence : `${sentence} ${hint}` });
}

/** Also when its news has gone. */
export function undoLast(): void {
  const undo = last;
  last = undefined;
  if (undo === undefined) showToast({ text: 'There is nothing to undo.' });
  else undo().then(() => showToast({ text: 'Undone.' }), showProblem);
}
