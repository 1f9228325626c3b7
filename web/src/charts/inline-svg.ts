// A copy of an SVG as it looks on the page: style sheets and custom properties become attributes, so it can stand alone.

/** What our figures are styled with; everything else is given by attributes already. */
const PROPERTIES = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-opacity',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linejoin',
  'stroke-linecap',
  'opacity',
  'paint-order',
] as const;
const TEXT_PROPERTIES = [
  'font-family',
  'font-size',
  'font-weight',
  'font-variant-numeric',
  'text-anchor',
  'dominant-baseline',
] as const;
/** Values that say nothing. */
const DEFAULTS: Readonly<Record<string, string>> = {
  'fill-opacity': '1',
  stroke: 'none',
  'stroke-opacity': '1',
  'stroke-width': '1px',
  'stroke-dasharray': 'none',
  'stroke-linejoin': 'miter',
  'stroke-linecap': 'butt',
  opacity: '1',
  'paint-order': 'normal',
  'font-weight': '400',
  'font-variant-numeric': 'normal',
  'text-anchor': 'start',
  'dominant-baseline': 'auto',
};

/** Attributes that only the living page needs. */
const REMOVED = /^(class|style|tabindex|role|data-|aria-)/;

export function inlineSvg(element: Element): Element | null {
  if (element.getAttribute('data-export') === 'none') return null;
  const style = getComputedStyle(element);
  if (style.display === 'none' || style.visibility === 'hidden') return null;
  const copy = element.cloneNode(false) as Element;
  for (const name of copy.getAttributeNames()) if (REMOVED.test(name)) copy.removeAttribute(name);
  const isText = element instanceof SVGTextContentElement;
  const draws =
    isText ||
    (element instanceof SVGGeometryElement && element.closest('defs, clipPath') === null) ||
    element.closest('pattern') !== null;
  if (draws)
    for (const property of isText ? [...PROPERTIES, ...TEXT_PROPERTIES] : PROPERTIES) {
      const value = style.getPropertyValue(property);
      if (value !== '' && value !== DEFAULTS[property]) copy.setAttribute(property, value);
    }
  for (const child of element.childNodes) {
    if (child instanceof Element) {
      const inlined = inlineSvg(child);
      if (inlined !== null) copy.append(inlined);
    } else copy.append(child.cloneNode());
  }
  return copy;
}
