// Widths of texts, for legends, labels and wrapping.

let context: CanvasRenderingContext2D | null | undefined;

/** Width of a text in pixels for a CSS font such as `400 12px Inter`. */
export function textWidth(text: string, font: string): number {
  context ??= document.createElement('canvas').getContext('2d');
  // Without a canvas (tests outside of a browser) an average letter has to do.
  if (context === null) return text.length * 6.5;
  context.font = font;
  return context.measureText(text).width;
}

/** As much of a text as there is room for, in pixels. */
export function shortened(text: string, room: number, font: string): string {
  const fits = (part: string): boolean => textWidth(part, font) <= room;
  if (fits(text)) return text;
  let part = text.slice(0, -1).trimEnd();
  while (part.length > 1 && !fits(`${part}…`)) part = part.slice(0, -1).trimEnd();
  return `${part}…`;
}
