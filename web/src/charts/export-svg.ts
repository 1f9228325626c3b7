// A figure as one self-contained SVG: title, legend, every panel with what its canvas shows, colours resolved, fonts by name.
import { GLYPH_WIDTH, glyphMarkup } from './glyph';
import { inlineSvg } from './inline-svg';
import { escapeXml } from './surface';
import { underlayOf } from './underlay';
import { asRecord, captionOf, type Provenance } from './provenance';
import type { LegendItem } from './figure-props';
import type { Theme } from '../theme/theme';

export interface FigureParts {
  /** Holds the SVGs marked `data-figure-part` and labels marked `data-figure-text`. */
  readonly body: HTMLElement;
  readonly title: string;
  readonly subtitle: string;
  readonly legend: readonly LegendItem[];
  readonly theme: Theme;
  readonly provenance: Provenance;
}

const PAD = 16;

/** Breaks words into lines of at most `width` pixels; `measure` gives the width of a text. */
export function wrap(text: string, width: number, measure: (text: string) => number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && measure(longer) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return line === '' ? lines : [...lines, line];
}

/** Breaks at any letter, as an address must be. */
export function chop(text: string, width: number, measure: (text: string) => number): string[] {
  const lines: string[] = [];
  let from = 0;
  while (from < text.length) {
    let to = text.length;
    while (to > from + 1 && measure(text.slice(from, to)) > width) to--;
    lines.push(text.slice(from, to));
    from = to;
  }
  return lines;
}

/** Where each item of a legend goes when lines are at most `width` wide. */
export function flow(widths: readonly number[], width: number): { x: number; row: number }[] {
  let [x, row] = [0, 0];
  return widths.map((own) => {
    if (x > 0 && x + own > width) [x, row] = [0, row + 1];
    const place = { x, row };
    x += own;
    return place;
  });
}

function measurer(font: string): (text: string) => number {
  const ctx = document.createElement('canvas').getContext('2d');
  if (ctx === null) return (text) => text.length * 7;
  ctx.font = font;
  return (text) => ctx.measureText(text).width;
}

export function figureSvg({ body, title, subtitle, legend, theme, provenance }: FigureParts): {
  svg: string;
  width: number;
  height: number;
} {
  const frame = body.getBoundingClientRect();
  const inner = Math.max(frame.width, 200);
  const out: string[] = [];
  let y = PAD;
  const text = (content: string, x: number, baseline: number, size: number, colour: string, weight = 400): void =>
    void out.push(
      `<text x="${x}" y="${baseline}" font-size="${size}" font-weight="${weight}" fill="${escapeXml(colour)}">${escapeXml(content)}</text>`,
    );

  for (const line of wrap(title, inner, measurer(`600 15px ${theme.sans}`))) {
    text(line, PAD, y + 14, 15, theme.ink, 600);
    y += 20;
  }
  for (const line of subtitle === '' ? [] : wrap(subtitle, inner, measurer(`400 12px ${theme.sans}`))) {
    text(line, PAD, y + 12, 12, theme.ink3);
    y += 17;
  }
  if (legend.length > 0) {
    const measure = measurer(`400 12px ${theme.sans}`);
    const places = flow(
      legend.map((item) => GLYPH_WIDTH + 6 + measure(item.label) + 14),
      inner,
    );
    y += 6;
    legend.forEach((item, i) => {
      const place = places[i] ?? { x: 0, row: 0 };
      const top = y + place.row * 18;
      out.push(`<g transform="translate(${PAD + place.x},${top})">${glyphMarkup(item)}</g>`);
      text(item.label, PAD + place.x + GLYPH_WIDTH + 6, top + 10, 12, theme.ink2);
    });
    y += ((places.at(-1)?.row ?? 0) + 1) * 18;
  }
  y += 6;

  const left = PAD - frame.left;
  const top = y - frame.top;
  const serializer = new XMLSerializer();
  /** Panels that share the page's time axis have their own in a file, below their edge. */
  let lowest = frame.bottom;
  for (const svg of body.querySelectorAll<SVGSVGElement>('svg[data-figure-part]')) {
    const place = svg.getBoundingClientRect();
    const copy = inlineSvg(svg);
    if (copy === null) continue;
    const drawn = svg.getBBox();
    lowest = Math.max(lowest, place.top + drawn.y + drawn.height);
    const content = [...copy.childNodes].map((child) => serializer.serializeToString(child)).join('');
    out.push(`<g transform="translate(${place.left + left},${place.top + top})">${underlayOf(svg)}${content}</g>`);
  }
  for (const label of body.querySelectorAll<HTMLElement>('[data-figure-text]')) {
    const place = label.getBoundingClientRect();
    const style = getComputedStyle(label);
    const size = parseFloat(style.fontSize);
    text(
      label.textContent,
      place.left + left,
      place.top + top + place.height / 2 + size * 0.35,
      size,
      style.color,
      Number(style.fontWeight),
    );
  }

  const width = Math.ceil(inner + 2 * PAD);
  y += Math.ceil(lowest - frame.top) + 8;
  const measureNote = measurer(`400 10.5px ${theme.sans}`);
  const caption = captionOf(provenance);
  for (const line of [
    ...(caption === '' ? [] : wrap(caption, inner, measureNote)),
    ...chop(provenance.link, inner, measureNote),
  ]) {
    text(line, PAD, y + 10, 10.5, theme.ink3);
    y += 15;
  }
  const height = Math.ceil(y + PAD);
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${escapeXml(theme.sans)}">` +
    `<title>${escapeXml(title)}</title><desc>${escapeXml([subtitle, caption, provenance.link].filter((part) => part !== '').join('\n'))}</desc>` +
    `<metadata>${escapeXml(JSON.stringify({ generator: 'Paceline', title, ...asRecord(provenance) }))}</metadata><rect width="${width}" height="${height}" fill="${escapeXml(theme.surface)}"/>${out.join('')}</svg>`;
  return {
    svg: svg.replaceAll(' xmlns="http://www.w3.org/2000/svg"', (match, at: number) => (at < 10 ? match : '')),
    width,
    height,
  };
}
