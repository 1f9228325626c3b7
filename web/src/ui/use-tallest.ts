import { type RefObject, useLayoutEffect, useRef } from 'react';

/** Keeps the room of an element whose content changes: once it was so high, it stays so, and what is below it does not move. */
export function useTallest<E extends HTMLElement>(): RefObject<E | null> {
  const host = useRef<E>(null);
  useLayoutEffect(() => {
    const element = host.current;
    if (element === null) return;
    let [tallest, width] = [0, 0];
    const observer = new ResizeObserver(() => {
      // Of another width it is another layout.
      if (element.clientWidth !== width) {
        [tallest, width] = [0, element.clientWidth];
        element.style.minHeight = '';
      }
      if (element.offsetHeight <= tallest) return;
      tallest = element.offsetHeight;
      element.style.minHeight = `${tallest}px`;
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return host;
}
