// A trace is its content: one that all have already is not made private by bringing it once more.
import type { TraceRecord } from '#protocol/api';
import { showToast } from '../ui/toasts';

/** Says so to who wanted it for themselves. */
export function tellIfPublic({ name, private: only }: TraceRecord, wanted: boolean): void {
  if (wanted && only !== true)
    showToast({ text: `This very trace was there already, for all: “${name}”. It is not private.` });
}
