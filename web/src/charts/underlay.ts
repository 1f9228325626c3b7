// What lies beneath an SVG of a figure on a canvas, as SVG: exports ask for it here.

const underlays = new WeakMap<SVGSVGElement, () => string>();

export const setUnderlay = (svg: SVGSVGElement, render: () => string): void => void underlays.set(svg, render);
export const underlayOf = (svg: SVGSVGElement): string => underlays.get(svg)?.() ?? '';
