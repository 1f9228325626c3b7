// A figure as text to be compared and read: what an export of it would hold, an element a line, numbers no finer than an eye can tell.
// Nothing is measured, so that it is the same on every machine: parts stand one below the other, or side by side where they fit.
import { underlayOf } from '../charts/underlay';

const PAD = 16;
/** Of a line of the text; paths are broken between their commands. */
const COLUMNS = 120;
/** What only the living page needs. */
const DROPPED = /^(tabindex|role|href|data-|aria-|xmlns$)/;
const GEOMETRY = /^(d|points|transform|width|height|r|[cdr]?[xy][12]?)$/;

const rounded = (text: string, digits: number): string =>
  text.replaceAll(/-?\d*\.\d+(?:e-?\d+)?/g, (number) => String(Number(Number(number).toFixed(digits)) + 0));

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** A path as lines that are not too long. */
function brokenPath(path: string, indent: string): string {
  let line = '';
  const lines: string[] = [];
  for (const command of path.match(/[A-Za-z][^A-Za-z]*/g) ?? [])
    if (line !== '' && indent.length + line.length + command.length > COLUMNS) {
      lines.push(line);
      line = command;
    } else line += command;
  return [...lines, line].join(`\n${indent}`);
}

function attributeText(name: string, value: string, indent: string): string {
  const text = rounded(value, GEOMETRY.test(name) ? 1 : 2);
  return ` ${name}="${name === 'd' ? brokenPath(text, indent) : escaped(text)}"`;
}

function isShown(element: Element): boolean {
  const { style } = element as SVGElement | HTMLElement;
  return element.getAttribute('data-export') !== 'none' && style.display !== 'none' && style.visibility !== 'hidden';
}

function elementLines(element: Element, depth: number): string[] {
  if (!isShown(element)) return [];
  const indent = '  '.repeat(depth);
  const attributes = [...element.attributes]
    .filter(({ name, value }) => !DROPPED.test(name) && value !== '')
    .map(({ name, value }) => attributeText(name, value, `${indent}    `));
  const head = `${indent}<${element.tagName}${attributes.join('')}`;
  if (element.childElementCount === 0) {
    const text = escaped(element.textContent);
    return [text === '' ? `${head}/>` : `${head}>${text}</${element.tagName}>`];
  }
  const inside = [...element.childNodes].flatMap((child) =>
    child instanceof Element
      ? elementLines(child, depth + 1)
      : child.textContent?.trim()
        ? [`${indent}  ${escaped(child.textContent)}`]
        : [],
  );
  // A group whose parts are all hidden says nothing.
  return inside.length === 0 && element.tagName === 'g'
    ? []
    : [`${head}>`, ...inside, `${indent}</${element.tagName}>`];
}

const parsed = (markup: string): Element[] => [
  ...new DOMParser().parseFromString(`<svg xmlns="http://www.w3.org/2000/svg">${markup}</svg>`, 'image/svg+xml')
    .documentElement.children,
];

/** Ids by their place in the text: those of React count what was drawn before. */
function renamed(text: string): string {
  const ids = [...new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id ?? ''))];
  return ids.reduce((now, id, i) => now.replaceAll(`"${id}"`, `"id-${i}"`).replaceAll(`#${id})`, `#id-${i})`), text);
}

const group = (x: number, y: number, inside: readonly string[]): string[] =>
  inside.length === 0 ? [] : [`  <g transform="translate(${x},${y})">`, ...inside, '  </g>'];
const words = (text: string, x: number, y: number, style: string): string =>
  `  <text x="${x}" y="${y}" ${style}>${escaped(text)}</text>`;

const sizeOf = (svg: Element): { width: number; height: number } => ({
  width: Number(svg.getAttribute('width')),
  height: Number(svg.getAttribute('height')),
});

const QUIET = 'font-size="12" fill="#636a73"';

/** All figures within an element that are so many pixels wide. */
export function goldenPicture(container: HTMLElement, width: number, surface: string): string {
  const out: string[] = [];
  let y = PAD;
  const line = (text: string, style: string): void => {
    y += 18;
    out.push(words(text, PAD, y, style));
  };
  for (const text of container.querySelectorAll('figcaption h3')) line(text.textContent, 'font-size="15"');
  for (const text of container.querySelectorAll('figcaption h3 + p')) line(text.textContent, QUIET);
  y += 10;
  for (const entry of container.querySelectorAll('[aria-label="Legend"] > li')) {
    const glyph = entry.querySelector('svg');
    out.push(
      ...group(
        PAD,
        y,
        [...(glyph?.children ?? [])].flatMap((child) => elementLines(child, 2)),
      ),
    );
    out.push(words(entry.textContent, PAD + 28, y + 10, QUIET));
    y += 16;
  }
  y += 8;
  let [x, tallest] = [0, 0];
  const nextRow = (): void => {
    y += tallest;
    [x, tallest] = [0, 0];
  };
  for (const part of container.querySelectorAll<HTMLElement | SVGSVGElement>(
    '[data-figure-part], [data-figure-text]',
  )) {
    if (!(part instanceof SVGSVGElement)) {
      nextRow();
      line(part.textContent, QUIET);
      y += 6;
      continue;
    }
    const own = sizeOf(part);
    if (x + own.width > width) nextRow();
    const inside = [...parsed(underlayOf(part)), ...part.children].flatMap((child) => elementLines(child, 2));
    out.push(...group(PAD + x, y, inside));
    x += own.width;
    tallest = Math.max(tallest, own.height);
  }
  nextRow();
  const [wide, high] = [width + 2 * PAD, y + PAD];
  return renamed(
    [
      `<svg xmlns="http://www.w3.org/2000/svg" width="${wide}" height="${high}" font-family="sans-serif">`,
      `  <rect width="${wide}" height="${high}" fill="${surface}"/>`,
      ...out,
      '</svg>',
      '',
    ].join('\n'),
  );
}
