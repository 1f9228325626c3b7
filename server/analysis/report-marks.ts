// What the figures of a report draw with: the look of each algorithm as rules of its style sheet, axes, legends.
import { readableOn } from '#analysis/contrast';
import type { CcaSeries } from '#analysis/cca-series';
import { both, paletteOf, type Palette } from '#analysis/palette';
import { n, safe } from '#analysis/report-page';

/** One algorithm of a report: where it is drawn it has a class that gives it its colour by day and by night. */
export interface ReportSeries extends CcaSeries {
  readonly name: string;
}

interface Looks {
  readonly series: ReadonlyMap<string, ReportSeries>;
  /** Each one's colour, and what can be read on it, for the style sheet. */
  readonly rules: string;
}

/** `all`: the algorithms as a scheme's palette gives them; `prefix` of their classes. */
export function reportSeries(all: (palette: Palette) => ReadonlyMap<string, CcaSeries>, prefix: string): Looks {
  const [light, dark] = [all(paletteOf('light')), all(paletteOf('dark'))];
  const series = new Map([...light.values()].map((one, i) => [one.key, { ...one, name: `${prefix}${i}` }]));
  const readable = (colour: string): string => readableOn(colour, '#fff', '#111');
  const rules = [...series.values()].map(({ key, name, look: { colour } }) => {
    const night = dark.get(key)?.look.colour ?? colour;
    return `.${name}{--c:${both(colour, night)};--on:${both(readable(colour), readable(night))}}`;
  });
  return { series, rules: rules.join('') };
}

export const MARK_RULES = `
.f{fill:var(--c);stroke:var(--surface)}.h{fill:var(--surface);stroke:var(--c);stroke-width:1.8}.l{fill:none;stroke:var(--c)}
.grid{fill:none;stroke:var(--grid)}.base{fill:none;stroke:var(--ink-3)}svg text.q{fill:var(--ink-3);font-size:11px}svg .m{text-anchor:middle}svg .e{text-anchor:end}
svg text.b{font-weight:600;font-size:13px}svg .halo{stroke:var(--surface);stroke-width:3px;paint-order:stroke;stroke-linejoin:round}
.facets{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,380px),1fr));gap:24px 28px;margin:12px 0}.facets svg{width:100%;max-width:500px}.thirds{grid-template-columns:repeat(auto-fill,minmax(min(100%,310px),1fr))}
.scroll{overflow-x:auto;max-width:100%}.scroll svg{max-width:none}.grids{display:flex;flex-wrap:wrap;gap:20px 44px}.grids>div{max-width:100%}
.legend{display:flex;flex-wrap:wrap;gap:4px 18px;list-style:none;padding:0;margin:8px 0;font-size:13px}.legend li{display:flex;align-items:center;gap:7px;color:var(--ink)}.legend svg{flex:none}
figure{margin:8px 0 28px}figcaption{color:var(--soft);font-size:13px;margin:4px 0 8px;max-width:90ch}`;

/** The marker of an algorithm around a place. */
export function mark({ name, look }: ReportSeries, [x, y]: readonly [number, number], size: number): string {
  return `<path class="${name} ${look.hollow ? 'h' : 'f'}" d="${look.path(size)}" transform="translate(${n(x)},${n(y)})"/>`;
}

export const dashOf = ({ look }: ReportSeries): string =>
  look.dash.length === 0 ? '' : ` stroke-dasharray="${look.dash.join(' ')}"`;

/** Colour, marker and dash of each, as the figures have them. */
export function legend(series: Iterable<ReportSeries>): string {
  const items = [...series].map(
    (one) =>
      `<li><svg width="30" height="14" viewBox="0 0 30 14" aria-hidden="true"><path class="${one.name} l" d="M0,7H30" stroke-width="1.75"${dashOf(one)}/>${mark(one, [15, 7], 4.6)}</svg>${safe(one.label)}</li>`,
  );
  return `<ul class="legend">${items.join('')}</ul>`;
}

export interface Tick {
  readonly at: number;
  readonly text: string;
}

/** Lines across a plane, and what stands at their ends. */
export function axes({
  left,
  right,
  bottom,
  x,
  y,
}: {
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  readonly x: readonly Tick[];
  readonly y: readonly Tick[];
}): string {
  const across = y.map(({ at }) => `M${n(left)},${n(at)}H${n(right)}`).join('');
  const down = x.map(({ at }) => `M${n(at)},${n(bottom)}v4`).join('');
  const texts = [
    ...x.map(({ at, text }) => `<text class="q m" x="${n(at)}" y="${n(bottom + 16)}">${safe(text)}</text>`),
    ...y.map(({ at, text }) => `<text class="q e" x="${n(left - 6)}" y="${n(at + 4)}">${safe(text)}</text>`),
  ];
  return `<path class="grid" d="${across}"/><path class="base" d="M${n(left)},${n(bottom)}H${n(right)}${down}"/>${texts.join('')}`;
}

/** `spoken`: what it shows, for those who do not see it. */
export const svg = (width: number, height: number, spoken: string, content: string): string =>
  `<svg viewBox="0 0 ${n(width)} ${n(height)}" width="${n(width)}" height="${n(height)}" role="img" aria-label="${safe(spoken)}">${content}</svg>`;
