// On paper the ground is white: charts are drawn for it before the browser takes the page, and as they were after it.
import { flushSync } from 'react-dom';
import { drawNow } from '../charts/frame-loop';
import { refreshTheme } from '../theme/theme';

/** Returns how to stop. */
export function startPrint(): () => void {
  const { dataset } = document.documentElement;
  let chosen: string | undefined;
  const draw = (): void => {
    flushSync(refreshTheme);
    // No frame comes any more before the page is taken.
    drawNow();
  };
  const before = (): void => {
    chosen = dataset['theme'];
    dataset['theme'] = 'light';
    draw();
  };
  const after = (): void => {
    if (chosen === undefined) delete dataset['theme'];
    else dataset['theme'] = chosen;
    draw();
  };
  window.addEventListener('beforeprint', before);
  window.addEventListener('afterprint', after);
  return () => {
    window.removeEventListener('beforeprint', before);
    window.removeEventListener('afterprint', after);
  };
}
