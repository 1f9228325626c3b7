import { UNSTABLE_ToastQueue as ToastQueue } from 'react-aria-components';
import type { ToastWords } from './toasts';

export const toasts = new ToastQueue<ToastWords>({ maxVisibleToasts: 3 });
