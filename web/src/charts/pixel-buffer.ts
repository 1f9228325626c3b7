// Upright bars as pixels in memory. A long series is thousands of bars a frame: writing their pixels here and handing over the finished
// picture costs a third of asking a canvas for each. Words are pixels as in ImageData, red in the lowest byte, colours not yet multiplied by alpha.

/** Device pixels: [left, right) × [top, bottom). */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A colour without its alpha: blue, green, red from the highest byte but one. */
export const rgbWord = (red: number, green: number, blue: number): number => (blue << 16) | (green << 8) | red;

/** Edges of neighbours that are the same but for rounding fall on the same pixel. */
const edge = (pixel: number): number => Math.floor(pixel + 0.5 + 1e-6);

/** `rgb` with so much alpha (0 … 255) over a pixel. */
export function over(under: number, rgb: number, alpha: number): number {
  const below = under >>> 24;
  if (alpha >= 255 || below === 0) return ((alpha << 24) | rgb) >>> 0;
  if (alpha <= 0) return under;
  // In 255ths of 255: what of the lower pixel still shows.
  const rest = below * (255 - alpha);
  const total = alpha * 255 + rest;
  const mix = (shift: number): number =>
    Math.round((((rgb >>> shift) & 255) * alpha * 255 + ((under >>> shift) & 255) * rest) / total);
  return ((Math.round(total / 255) << 24) | (mix(16) << 16) | (mix(8) << 8) | mix(0)) >>> 0;
}

export class PixelBuffer {
  readonly #words: Uint32Array;
  readonly #stride: number;
  #box: Box = { left: 0, top: 0, right: 0, bottom: 0 };

  /** `words`: rows of `stride` pixels. */
  constructor(words: Uint32Array, stride: number) {
    this.#words = words;
    this.#stride = stride;
  }

  /** Nothing is in the box, and nothing is drawn outside of it. */
  begin(box: Box): void {
    this.#box = box;
    for (let y = box.top; y < box.bottom; y++)
      this.#words.fill(0, y * this.#stride + box.left, y * this.#stride + box.right);
  }

  /** Device pixels. Columns are whole pixels, at least one; ends at fractions of a pixel are fainter. */
  bar(x: number, y: number, width: number, height: number, rgb: number, alpha: number): void {
    const { left, top, right, bottom } = this.#box;
    const from = Math.max(left, edge(x));
    const to = Math.min(right, Math.max(edge(x) + 1, edge(x + width)));
    const high = Math.max(top, y);
    const low = Math.min(bottom, y + height);
    if (from >= to || !(high < low)) return;
    const first = Math.ceil(high);
    const last = Math.floor(low);
    const words = this.#words;
    const stride = this.#stride;
    const whole = ((alpha << 24) | rgb) >>> 0;
    for (let column = from; column < to; column++) {
      if (first > last) {
        this.#part(last * stride + column, rgb, alpha * (low - high));
        continue;
      }
      if (high < first) this.#part((first - 1) * stride + column, rgb, alpha * (first - high));
      const end = last * stride + column;
      if (alpha === 255) for (let i = first * stride + column; i < end; i += stride) words[i] = whole;
      else
        for (let i = first * stride + column; i < end; i += stride) {
          const under = words[i] ?? 0;
          words[i] = under === 0 ? whole : over(under, rgb, alpha);
        }
      if (low > last) this.#part(end, rgb, alpha * (low - last));
    }
  }

  /** A pixel that is covered in part. */
  #part(i: number, rgb: number, alpha: number): void {
    const rounded = Math.round(alpha);
    if (rounded > 0) this.#words[i] = over(this.#words[i] ?? 0, rgb, rounded);
  }
}
