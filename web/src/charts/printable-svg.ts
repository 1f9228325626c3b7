// A figure's SVG as a PDF can be made of it: one font, texts that begin where they are drawn, colours as numbers, halos before what they surround.
import { cssColour } from './css-colour';

const SVG = 'http://www.w3.org/2000/svg';
/** What is heavier is set semibold. */
const BOLD_FROM = 550;
/** Of the size of the letters: from the line that is asked for down to the base line. */
const BASELINES: Readonly<Record<string, number>> = { middle: 0.273, central: 0.364, hanging: 0.727 };
/** Pixels of a picture for one of the figure. */
const SHARP = 4;

/** What the font of the file has. */
export interface Letters {
  readonly has: (text: string, bold: boolean) => boolean;
  readonly width: (text: string, size: number, bold: boolean) => number;
}

/** An attribute of the element or of what it stands in. */
const inherited = (element: Element, name: string): string | null =>
  element.closest(`[${name}]`)?.getAttribute(name) ?? null;

export function printable(svg: Element, letters: Letters): Element {
  // Numbers for those that read the file; in a page `title` and `desc` would be words of it.
  for (const element of [...svg.querySelectorAll('title, desc, metadata')]) element.remove();
  for (const element of [svg, ...svg.querySelectorAll('*')]) plainColours(element);
  for (const element of [...svg.querySelectorAll('[paint-order^="stroke"]')]) haloFirst(element);
  for (const element of [...svg.querySelectorAll('text')]) plainText(element, letters);
  return svg;
}

function plainColours(element: Element): void {
  for (const paint of ['fill', 'stroke'] as const) {
    const colour = cssColour(element.getAttribute(paint) ?? '');
    if (colour === null) continue;
    element.setAttribute(paint, colour.hex);
    if (colour.alpha < 1) {
      const opacity = Number(element.getAttribute(`${paint}-opacity`) ?? 1) * colour.alpha;
      element.setAttribute(`${paint}-opacity`, String(opacity));
    }
  }
}

/** A PDF fills first and strokes then: what is to be filled last is drawn twice. */
function haloFirst(element: Element): void {
  element.removeAttribute('paint-order');
  const stroke = inherited(element, 'stroke') ?? 'none';
  const fill = inherited(element, 'fill') ?? '#000000';
  if (stroke === 'none' || fill === 'none') return;
  const halo = element.cloneNode(true) as Element;
  halo.setAttribute('fill', 'none');
  halo.setAttribute('stroke-linejoin', 'round');
  element.before(halo);
  element.setAttribute('stroke', 'none');
}

function plainText(element: Element, letters: Letters): void {
  if (element.childElementCount > 0) return;
  const text = element.textContent.replace(/\s+/g, ' ').trim();
  element.textContent = text;
  const size = parseFloat(inherited(element, 'font-size') ?? '16');
  const weight = inherited(element, 'font-weight') ?? '400';
  const bold = weight === 'bold' || Number(weight) >= BOLD_FROM;
  const font = `${weight} ${size}px ${inherited(element, 'font-family') ?? 'sans-serif'}`;
  const baseline = inherited(element, 'dominant-baseline') ?? '';
  const anchor = inherited(element, 'text-anchor') ?? 'start';
  const dy = element.getAttribute('dy') ?? '0';
  const down = (dy.endsWith('em') ? parseFloat(dy) * size : parseFloat(dy)) + (BASELINES[baseline] ?? 0) * size;
  const y = parseFloat(element.getAttribute('y') ?? '0') + down;
  const fill = inherited(element, 'fill') ?? '#000000';
  const runs = runsOf(text, (sign) => letters.has(sign, bold)).map(({ known, text: run }) => {
    const picture = known ? null : pictureOf(run, font, size, fill);
    return { run, picture, width: picture?.textWidth ?? letters.width(run, size, bold) };
  });
  const width = runs.reduce((sum, run) => sum + run.width, 0);
  let x =
    parseFloat(element.getAttribute('x') ?? '0') +
    parseFloat(element.getAttribute('dx') ?? '0') -
    (anchor === 'end' ? width : anchor === 'middle' ? width / 2 : 0);
  // What is said here already would be added to it.
  for (const name of ['dx', 'dy']) element.removeAttribute(name);
  element.setAttribute('text-anchor', 'start');
  element.setAttribute('dominant-baseline', 'auto');
  element.setAttribute('font-family', 'Inter');
  element.setAttribute('font-size', String(size));
  element.setAttribute('font-weight', bold ? 'bold' : 'normal');
  element.setAttribute('y', String(y));
  for (const { run, picture, width: own } of runs) {
    if (picture === null) {
      const part = element.cloneNode() as Element;
      part.textContent = run;
      part.setAttribute('x', String(x));
      // Its blanks at the ends are blanks between runs.
      part.setAttributeNS('http://www.w3.org/XML/1998/namespace', 'xml:space', 'preserve');
      element.before(part);
    } else if (fill !== 'none') element.before(imageOf(element, picture, x, y - picture.above));
    x += own;
  }
  element.remove();
}

/** The text in pieces: with letters that the font has, and without. */
export function runsOf(text: string, has: (sign: string) => boolean): { known: boolean; text: string }[] {
  const runs: { known: boolean; text: string }[] = [];
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    const known = has(segment);
    const last = runs.at(-1);
    if (last !== undefined && last.known === known) last.text += segment;
    else runs.push({ known, text: segment });
  }
  return runs;
}

function imageOf(text: Element, picture: Picture, x: number, y: number): Element {
  const image = text.ownerDocument.createElementNS(SVG, 'image');
  const { url, width, height } = picture;
  for (const [name, value] of Object.entries({ href: url, x, y, width, height }))
    image.setAttribute(name, String(value));
  const transform = text.getAttribute('transform');
  if (transform !== null) image.setAttribute('transform', transform);
  return image;
}

interface Picture {
  readonly url: string;
  readonly width: number;
  readonly height: number;
  /** Of the base line. */
  readonly above: number;
  readonly textWidth: number;
}

/** Words in letters that the file's font has not, drawn with those of this machine: a picture rather than nothing. */
function pictureOf(text: string, font: string, size: number, fill: string): Picture | null {
  const canvas = document.createElement('canvas');
  const ctx = canvas.getContext('2d');
  if (ctx === null) return null;
  ctx.font = font;
  const textWidth = ctx.measureText(text).width;
  const [width, height, above] = [Math.ceil(textWidth) + 2, Math.ceil(size * 1.6), size * 1.2];
  canvas.width = width * SHARP;
  canvas.height = height * SHARP;
  ctx.scale(SHARP, SHARP);
  ctx.font = font;
  ctx.fillStyle = fill;
  ctx.fillText(text, 0, above);
  return { url: canvas.toDataURL('image/png'), width, height, above, textWidth };
}
