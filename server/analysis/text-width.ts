// How wide a text is where nothing can measure it: by Helvetica's widths, which the sans-serif faces of most systems keep near to.

/** Of the printable characters of ASCII from the space on, in thousandths of the size. */
const WIDTHS =
  '278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 584 584 584 556 ' +
  '1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 ' +
  '333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584';
const ASCII = WIDTHS.split(' ').map(Number);
const OTHER = 600;
/** From here on characters are as wide as they are high (Chinese, Japanese, Korean, pictures). */
const WIDE_FROM = 0x1100;
const SPACES = 0x2000;

function widthOf(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code >= SPACES && code < SPACES + 0x100) return OTHER;
  return ASCII[code - 32] ?? (code >= WIDE_FROM ? 1000 : OTHER);
}

/** In pixels, at a font size in pixels. */
export const typicalWidth = (text: string, size: number): number =>
  (Array.from(text).reduce((total, character) => total + widthOf(character), 0) * size) / 1000;

/** As much of a text as there is room for. */
export function cutTo(text: string, room: number, size: number): string {
  if (typicalWidth(text, size) <= room) return text;
  const characters = Array.from(text);
  while (characters.length > 1 && typicalWidth(`${characters.join('')}…`, size) > room) characters.pop();
  return `${characters.join('').trimEnd()}…`;
}
