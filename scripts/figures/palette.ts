import { readFileSync } from 'node:fs';
import type { Scheme, Theme } from '../../web/src/theme/theme';

const tokens = readFileSync(new URL('../../web/src/theme/tokens.css', import.meta.url), 'utf8');

/** The page's theme as the browser would resolve it, read from where its colours are written down. */
export function themeOf(scheme: Scheme): Theme {
  const token = (name: string): string => {
    const value = new RegExp(`^\\s*--${name}:\\s*(.+);$`, 'm').exec(tokens)?.[1];
    if (value === undefined) throw new Error(`web/src/theme/tokens.css has no --${name}`);
    const sides = /^light-dark\((\S+), (\S+)\)$/.exec(value);
    return (scheme === 'light' ? sides?.[1] : sides?.[2]) ?? value;
  };
  return {
    scheme,
    surface: token('surface'),
    ground: token('ground'),
    sunken: token('sunken'),
    ink: token('ink'),
    ink2: token('ink-2'),
    ink3: token('ink-3'),
    hairline: token('hairline'),
    hairlineStrong: token('hairline-strong'),
    grid: token('grid'),
    capacity: token('capacity'),
    capacityEdge: token('capacity-edge'),
    accent: token('accent'),
    danger: token('danger'),
    divergeLow: token('diverge-low'),
    divergeMid: token('diverge-mid'),
    divergeHigh: token('diverge-high'),
    traces: [],
    slots: Array.from({ length: 8 }, (_, slot) => token(`cca-${slot}`)),
    sans: token('sans'),
    mono: token('mono'),
  };
}

/**
 * Style rules that turn a figure drawn in light colours into a dark one where the reader prefers that. Programs that do not know
 * such rules show the light one, which has a ground of its own and so is legible on a dark page, too.
 */
export function darkRules(pairs: ReadonlyMap<string, string>): string {
  const rules = [...pairs].map(([light, dark]) => `[fill="${light}"]{fill:${dark}}[stroke="${light}"]{stroke:${dark}}`);
  return `<style>@media (prefers-color-scheme:dark){${rules.join('')}}</style>`;
}
