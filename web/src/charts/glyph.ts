// The sign before a legend's label as SVG markup, 22 x 12: the same on the page and in exported figures.
import { escapeXml } from './surface';
import type { LegendItem } from './figure-props';

export const GLYPH_WIDTH = 22;
export const GLYPH_HEIGHT = 12;
const MIDDLE = GLYPH_HEIGHT / 2;

/** Shapes of event marks around (0, 0), as on the axis. */
export const MARK_PATHS = {
  loss: 'M-3.4,-2.6L3.4,-2.6L0,3.2Z',
  timeout: 'M-3.2,-2.2L-2.2,-3.2L0,-1L2.2,-3.2L3.2,-2.2L1,0L3.2,2.2L2.2,3.2L0,1L-2.2,3.2L-3.2,2.2L-1,0Z',
  start: 'M-2.4,-3.2L3,0L-2.4,3.2Z',
  stop: 'M-2.6,-2.6H2.6V2.6H-2.6Z',
  change: 'M0,-3.6L3.6,0L0,3.6L-3.6,0Z',
  mark: 'M0,-3.2L3.2,2.6L-3.2,2.6Z',
} as const;

export function glyphMarkup(item: LegendItem): string {
  const colour = escapeXml(item.colour);
  const at = (path: string, attributes: string): string =>
    `<path d="${path}" transform="translate(${GLYPH_WIDTH / 2},${MIDDLE})" ${attributes}/>`;
  const marker =
    item.marker === undefined
      ? ''
      : at(
          item.marker,
          item.hollow === true ? `fill="none" stroke="${colour}" stroke-width="1.6"` : `fill="${colour}"`,
        );
  const glyph = item.glyph ?? 'line';
  switch (glyph) {
    case 'swatch':
      return `<rect x="3" y="1" width="16" height="10" rx="2" fill="${colour}"/>`;
    case 'hatch':
      return `<rect x="3.5" y="1.5" width="15" height="9" rx="2" fill="none" stroke="${colour}"/><path d="M6,10.5L12,1.5M11,10.5L17,1.5" stroke="${colour}"/>`;
    case 'loss':
    case 'timeout':
    case 'change':
    case 'mark':
      return at(MARK_PATHS[glyph], `fill="${colour}"`);
    case 'marker':
      return marker;
    case 'line': {
      const dash = (item.dash?.length ?? 0) > 0 ? ` stroke-dasharray="${(item.dash ?? []).join(' ')}"` : '';
      return `<path d="M1,${MIDDLE}H21" stroke="${colour}" stroke-width="2"${dash}/>${marker}`;
    }
  }
}
