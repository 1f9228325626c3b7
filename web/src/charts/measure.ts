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
