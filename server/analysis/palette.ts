// The colours that figures need, of both schemes: a report is a file of its own and has no style sheet of the page. They are those of
// web/src/theme/tokens.css, as a test of that folder checks.

/** What tells algorithms apart and shades cells; the page's theme has it too. */
export interface Palette {
  readonly surface: string;
  readonly ink: string;
  readonly divergeLow: string;
  readonly divergeHigh: string;
  /** Colours of the eight CCA slots. */
  readonly slots: readonly string[];
}

export type Scheme = 'light' | 'dark';
export const SCHEMES = ['light', 'dark'] as const satisfies readonly Scheme[];

/** Each as it is by day and by night, by the name of its token. */
export const TOKENS = {
  ground: ['#f6f7f8', '#0b0e12'],
  surface: ['#ffffff', '#11151a'],
  sunken: ['#f1f3f5', '#0b0e12'],
  ink: ['#1b1b1b', '#f2f2f2'],
  'ink-2': ['#474d55', '#b9c1ca'],
  'ink-3': ['#636a73', '#8d96a1'],
  hairline: ['#e2e5e9', '#252b33'],
  grid: ['#eceef1', '#1e242b'],
  accent: ['#0b6b61', '#5ccab9'],
  'accent-soft': ['#e3f1ef', '#12302c'],
  danger: ['#a8261f', '#f08a80'],
  warning: ['#7a5200', '#dcae55'],
  'capacity-edge': ['#aab1ba', '#56606d'],
  'diverge-low': ['#2f6fb3', '#5b9bdc'],
  'diverge-high': ['#b5532c', '#df8158'],
  'cca-0': ['#1b1b1b', '#f2f2f2'],
  'cca-1': ['#a35a75', '#954e69'],
  'cca-2': ['#0e27a1', '#325ad5'],
  'cca-3': ['#4e9bc7', '#7fcbf9'],
  'cca-4': ['#909633', '#81851f'],
  'cca-5': ['#6f254b', '#d07ca2'],
  'cca-6': ['#525cc7', '#7d8cfb'],
  'cca-7': ['#615e03', '#c4c375'],
} as const satisfies Readonly<Record<string, readonly [light: string, dark: string]>>;

export type Token = keyof typeof TOKENS;

const SLOTS = ['cca-0', 'cca-1', 'cca-2', 'cca-3', 'cca-4', 'cca-5', 'cca-6', 'cca-7'] as const;

export function paletteOf(scheme: Scheme): Palette {
  const of = (token: Token): string => TOKENS[token][SCHEMES.indexOf(scheme)] ?? '';
  return {
    surface: of('surface'),
    ink: of('ink'),
    divergeLow: of('diverge-low'),
    divergeHigh: of('diverge-high'),
    slots: SLOTS.map(of),
  };
}

/** A colour that follows the scheme. */
export const both = (light: string, dark: string): string => (light === dark ? light : `light-dark(${light},${dark})`);
