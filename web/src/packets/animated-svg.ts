// A window of packets as an SVG that moves by itself, for a slide: every box goes where the picture on the page puts it, to half a pixel.
import { escapeXml } from '../charts/surface';
import type { Theme } from '../theme/theme';
import type { PacketFacts } from './facts';
import { moversOf, type Mover } from './movers';
import { FALL_PX, type Geometry } from './scene';

export interface Animation {
  readonly facts: PacketFacts;
  readonly geometry: Geometry;
  readonly colours: readonly (string | null)[];
  readonly theme: Theme;
  /** What stands still, as SVG. */
  readonly still: string;
  /** Seconds of the link per second. */
  readonly speed: number;
  readonly title: string;
}

/** A browser follows about so many at once. */
export const MOST_MOVERS = 4000;

const px = (value: number): string => String(Math.round(value * 10) / 10);

export function animatedSvg(animation: Animation): string {
  const { facts, geometry, colours, theme, still, title } = animation;
  const { width, height } = geometry;
  const timing = timingOf(animation);
  const boxes = moversOf(facts, geometry).flatMap((mover) => {
    const colour = colours[mover.flow] ?? null;
    return colour === null ? [] : [boxOf(mover, colour, geometry.fall_s, timing)];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${escapeXml(theme.sans)}">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect width="${width}" height="${height}" fill="${escapeXml(theme.surface)}"/>`,
    still,
    ...boxes,
    '</svg>',
  ].join('\n');
}

interface Key {
  readonly time: number;
  readonly value: string;
}
/** Of one attribute over the whole window, again and again; before the first key and after the last it stays as there. */
type Animate = (attribute: string, mode: 'linear' | 'discrete', keys: readonly Key[]) => string;

function timingOf({ facts: { from_s, to_s }, speed }: Animation): Animate {
  const length_s = to_s - from_s;
  const share = (time: number): number => Math.round(Math.min(1, Math.max(0, (time - from_s) / length_s)) * 1e5) / 1e5;
  return (attribute, mode, keys) => {
    const [first] = keys;
    const last = keys.at(-1);
    if (first === undefined || last === undefined) return '';
    // Key times begin with 0; those of lines end with 1.
    const all = [
      { time: from_s, value: first.value },
      ...keys,
      ...(mode === 'linear' ? [{ time: to_s, value: last.value }] : []),
    ];
    const times = all.map(({ time }) => share(time)).join(';');
    return `<animate attributeName="${attribute}" dur="${px(length_s / speed)}s" repeatCount="indefinite" calcMode="${mode}" keyTimes="${times}" values="${all.map(({ value }) => value).join(';')}"/>`;
  };
}

function boxOf(mover: Mover, colour: string, fall_s: number, animate: Animate): string {
  const { y, width, height, opacity, path, falls } = mover;
  const [from, to] = [path[0]?.time ?? 0, path.at(-1)?.time ?? 0];
  const gone = falls === null ? to : falls + fall_s;
  const moves = [
    animate('opacity', 'discrete', [
      { time: from, value: '0' },
      { time: from, value: String(opacity) },
      { time: gone, value: '0' },
    ]),
    animate(
      'x',
      'linear',
      path.map(({ time, x }) => ({ time, value: px(x) })),
    ),
    ...(falls === null
      ? []
      : [
          animate('y', 'linear', [
            { time: falls, value: px(y) },
            { time: gone, value: px(y + FALL_PX) },
          ]),
        ]),
  ];
  return `<rect x="${px(path[0]?.x ?? 0)}" y="${px(y)}" width="${px(width)}" height="${px(height)}" fill="${escapeXml(colour)}" opacity="0">${moves.join('')}</rect>`;
}
