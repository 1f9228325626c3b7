import { UNSTABLE_ToastQueue as ToastQueue } from 'react-aria-components';

export interface ToastWords {
  readonly text: string;
  readonly kind?: 'done' | 'problem';
  /** Takes it back. */
  readonly undo?: () => Promise<unknown>;
}

export const toasts = new ToastQueue<ToastWords>({ maxVisibleToasts: 3 });
