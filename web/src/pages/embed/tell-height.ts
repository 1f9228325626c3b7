// A page around this one may make its frame as high as what it shows: it is told how high that is (docs/figures.md, "In another page").

export const HEIGHT_MESSAGE = 'paceline:height';

/** Only who may show this page hears it (`frame-ancestors`), and a height is all that it says. */
export function tellHeight(element: HTMLElement): () => void {
  if (window.parent === window) return () => undefined;
  let told = 0;
  const observer = new ResizeObserver(() => {
    const height = Math.ceil(element.getBoundingClientRect().height);
    if (height === told) return;
    told = height;
    window.parent.postMessage({ type: HEIGHT_MESSAGE, height }, '*');
  });
  observer.observe(element);
  return () => observer.disconnect();
}
