// On paper the ground is white: charts are drawn for it before the browser takes the page, and as they were after it.
import { flushSync } from 'react-dom';
import { drawNow } from '../charts/frame-loop';
import { refreshTheme } from '../theme/theme';

export function startPrint(): void {
  const { dataset } = document.documentElement;
  let chosen: string | undefined;
  const draw = (): void => {
    flushSync(refreshTheme);
    // No frame comes any more before the page is taken.
    drawNow();
  };
  window.addEventListener('beforeprint', () => {
    chosen = dataset['theme'];
    dataset['theme'] = 'light';
    draw();
  });
  window.addEventListener('afterprint', () => {
    if (chosen === undefined) delete dataset['theme'];
    else dataset['theme'] = chosen;
    draw();
  });
}
