import type { CcaDescriptor } from '#protocol/cca';
import { RIBBON_LANE } from '../../web/src/charts/layout';
import { GLYPH_WIDTH, glyphMarkup } from '../../web/src/charts/glyph';
import type { LegendItem } from '../../web/src/charts/figure-props';
import { identity } from '#analysis/cca-look';
import { escapeXml } from '../../web/src/charts/surface';
import type { PanelSpec } from '../../web/src/charts/types';
import type { Theme } from '../../web/src/theme/theme';
import { BASE_RTT_MS, QUEUE_BDP, type FigureLink } from './links.ts';
import { darkRules, themeOf } from './palette.ts';
import { panelSvg } from './panel.ts';
import type { Telemetry } from './telemetry.ts';

const WIDTH = 880;
const PAD = 14;
const GAP = 10;
const PANEL_HEIGHT = 104;
const LAST_PANEL_HEIGHT = PANEL_HEIGHT + 17;

interface Row {
  readonly spec: PanelSpec;
  readonly height: number;
}

/** One algorithm over all links: throughput, queueing delay, window, its phases and one of its own variables. */
export function pictureOf(
  cca: CcaDescriptor,
  own: CcaDescriptor['internals'][number] | undefined,
  shown: readonly { link: FigureLink; telemetry: Telemetry }[],
): string {
  const theme = themeOf('light');
  const look = identity(cca, theme);
  const width = (WIDTH - 2 * PAD - GAP * (shown.length - 1)) / shown.length;
  const out: string[] = [];
  const text = (words: string, x: number, y: number, size: number, colour: string, weight = 400): void =>
    void out.push(
      `<text x="${x}" y="${y}" font-size="${size}" font-weight="${weight}" fill="${colour}">${escapeXml(words)}</text>`,
    );

  text(cca.label, PAD, PAD + 12, 15, theme.ink, 600);
  let x = PAD;
  for (const item of legendOf(cca, look.colour, theme)) {
    out.push(`<g transform="translate(${x},${PAD + 22})">${glyphMarkup(item)}</g>`);
    text(item.label, x + GLYPH_WIDTH + 6, PAD + 32, 12, theme.ink2);
    // Which font it will be is not known: too much room looks better than too little.
    x += GLYPH_WIDTH + 22 + item.label.length * 7;
  }

  const top = PAD + 58;
  let height = 0;
  shown.forEach(({ link, telemetry }, column) => {
    const left = PAD + column * (width + GAP);
    text(link.title, left + 40, top - 4, 12, theme.ink, 600);
    let y = top;
    const rows = rowsOf(cca, own, telemetry, look.colour, theme);
    rows.forEach(({ spec, height: own }, i) => {
      const timeAxis = i === rows.length - 1;
      const place = { id: `c${column}r${i}`, width, height: own, duration_s: telemetry.duration_s, timeAxis, theme };
      out.push(`<g transform="translate(${left},${y})">${panelSvg(spec, place)}</g>`);
      y += own;
    });
    height = Math.max(height, y);
  });

  const phases = phasesOf(cca);
  const notes = [
    `One bulk flow, base RTT ${BASE_RTT_MS} ms, droptail queue of ${QUEUE_BDP} BDP at the mean capacity.`,
    ...(phases === undefined ? [] : [`Ribbon, from faint to strong: ${phases.states.join(', ')}.`]),
  ];
  for (const note of notes) text(note, PAD, (height += 16), 11, theme.ink3);
  const total = height + PAD;
  const font = theme.sans.replaceAll("'", '');
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${total}" viewBox="0 0 ${WIDTH} ${total}" font-family="${escapeXml(font)}">` +
    `<title>${escapeXml(`${cca.label} over ${shown.length} links`)}</title>${darkRules(pairsOf(cca))}` +
    `<rect width="${WIDTH}" height="${total}" fill="${theme.surface}"/>\n${out.join('\n')}\n</svg>\n`
  )
    .replaceAll(` font-family="${escapeXml(theme.sans)}"`, '')
    .replaceAll(
      /translate\(([-\d.]+),([-\d.]+)\)/g,
      (_, x: string, y: string) => `translate(${tenths(x)},${tenths(y)})`,
    );
}

const tenths = (pixels: string): number => Math.round(Number(pixels) * 10) / 10;

/** Light colours and their dark counterparts. */
function pairsOf(cca: CcaDescriptor): Map<string, string> {
  const [light, dark] = [themeOf('light'), themeOf('dark')];
  const keys = ['surface', 'ink', 'ink2', 'ink3', 'capacity', 'capacityEdge', 'danger'] as const;
  const pairs = new Map(keys.map((key) => [light[key], dark[key]]));
  return pairs.set(identity(cca, light).colour, identity(cca, dark).colour);
}

function legendOf(cca: CcaDescriptor, colour: string, theme: Theme): LegendItem[] {
  return [
    { key: 'flow', label: cca.label, colour },
    { key: 'capacity', label: 'capacity', colour: theme.capacity, glyph: 'swatch' },
    { key: 'inflight', label: 'bytes in flight', colour: theme.capacityEdge },
    { key: 'loss', label: 'loss episode', colour, glyph: 'loss' },
    { key: 'rto', label: 'timeout', colour, glyph: 'timeout' },
  ];
}

const phasesOf = (cca: CcaDescriptor): CcaDescriptor['internals'][number] | undefined =>
  cca.internals.find(({ states }) => states.length > 0);

function rowsOf(
  cca: CcaDescriptor,
  own: CcaDescriptor['internals'][number] | undefined,
  telemetry: Telemetry,
  colour: string,
  theme: Theme,
): Row[] {
  const { link, sender, receiver } = telemetry;
  const line = { kind: 'line', group: 'flow', style: { colour, width: 1.5 } } as const;
  const panel = (id: string, title: string, unit: string, spec: Omit<PanelSpec, 'id' | 'title' | 'y'>): PanelSpec => ({
    id,
    title,
    y: { unit },
    ...spec,
  });
  const throughput = panel('throughput', 'throughput', 'Mbps', {
    series: [
      {
        id: 'capacity',
        kind: 'step-area',
        label: 'capacity',
        unit: 'Mbps',
        group: 'capacity',
        data: link.series('capacity_mbps'),
        style: { colour: theme.capacityEdge, fill: theme.capacity },
      },
      { ...line, id: 'flow', label: cca.label, unit: 'Mbps', data: receiver.series('throughput_mbps') },
    ],
    marks: [
      { id: 'loss', label: 'loss', shape: 'loss', colour, group: 'flow', times: telemetry.timesOf('loss_episode') },
      { id: 'rto', label: 'timeout', shape: 'timeout', colour, group: 'flow', times: telemetry.timesOf('rto') },
    ],
  });
  const waited = link.series('sojourn_mean_ms');
  const delay = panel('delay', 'queueing delay', 'ms', {
    series: [
      { ...line, kind: 'area', id: 'delay', label: 'delay', unit: 'ms', data: waited, style: { colour } },
      { ...line, id: 'edge', label: 'delay', unit: 'ms', data: waited, style: { colour, width: 1 } },
    ],
  });
  const window = panel('window', 'window', 'B', {
    series: [
      {
        ...line,
        id: 'inflight',
        label: 'in flight',
        unit: 'B',
        data: sender.series('inflight_bytes'),
        style: { colour: theme.capacityEdge, width: 1.2 },
      },
      { ...line, id: 'cwnd', label: 'cwnd', unit: 'B', data: sender.series('cwnd_bytes') },
    ],
  });
  const rows = [throughput, delay, window].map((spec) => ({ spec, height: PANEL_HEIGHT }));

  const phases = phasesOf(cca);
  if (phases !== undefined)
    rows.push({
      height: RIBBON_LANE + 12,
      spec: panel('phases', phases.label, '', {
        series: [
          {
            kind: 'ribbon',
            id: 'phases',
            label: phases.label,
            unit: '',
            group: 'flow',
            data: sender.series(phases.name),
            states: phases.states,
            style: { colour },
          },
        ],
      }),
    });
  if (own !== undefined)
    rows.push({
      height: PANEL_HEIGHT,
      spec: panel('own', own.label, own.unit, {
        series: [{ ...line, id: own.name, label: own.label, unit: own.unit, data: sender.series(own.name) }],
      }),
    });
  const last = rows.pop();
  return last === undefined ? rows : [...rows, { ...last, height: last.height + LAST_PANEL_HEIGHT - PANEL_HEIGHT }];
}
