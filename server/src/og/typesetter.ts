import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Font } from 'fontkit';
import type { Typesetter } from '#analysis/og-card';

const FONT = dirname(createRequire(import.meta.url).resolve('@fontsource-variable/inter/package.json'));
/** The page's own font, in the parts in which browsers fetch it: what the first lacks the next may have. */
const PARTS = ['latin', 'latin-ext', 'greek', 'cyrillic', 'cyrillic-ext', 'vietnamese'];
/** A title has fewer; what is longer is cut anyway. */
const MOST_CHARACTERS = 300;

interface Glyph {
  readonly path: string;
  /** In thousandths of the size. */
  readonly advance: number;
}

/** Draws texts as outlines in the page's font. Letters that it has not are left out. */
export async function typesetter(): Promise<Typesetter> {
  const { create } = await import('fontkit');
  const fonts: (Font | undefined)[] = [];
  const fontOf = (part: number): Font => {
    const known = fonts[part];
    if (known !== undefined) return known;
    const opened = create(readFileSync(join(FONT, `files/inter-${PARTS[part] ?? ''}-wght-normal.woff2`))) as Font;
    fonts[part] = opened;
    return opened;
  };
  const glyphs = new Map<string, Glyph | null>();
  const find = (character: string): Glyph | null => {
    const code = character.codePointAt(0) ?? 0;
    for (let part = 0; part < PARTS.length; part++) {
      const font = fontOf(part);
      if (!font.hasGlyphForCodePoint(code)) continue;
      const { path, advanceWidth } = font.glyphForCodePoint(code);
      return { path: path.scale(1000 / font.unitsPerEm).toSVG(), advance: (advanceWidth * 1000) / font.unitsPerEm };
    }
    return null;
  };
  const glyph = (character: string): Glyph | null => {
    const known = glyphs.get(character);
    if (known !== undefined) return known;
    const found = find(character);
    glyphs.set(character, found);
    return found;
  };
  const all = (text: string): Glyph[] =>
    Array.from(text)
      .slice(0, MOST_CHARACTERS)
      .flatMap((character) => glyph(character) ?? []);
  return {
    width: (text, size) => (all(text).reduce((sum, { advance }) => sum + advance, 0) * size) / 1000,
    draw: (text, size) => {
      let at = 0;
      const drawn = all(text).map(({ path, advance }) => {
        const placed = path === '' ? '' : `<path d="${path}" transform="translate(${Math.round(at)} 0)"/>`;
        at += advance;
        return placed;
      });
      // Fonts count upwards.
      return `<g transform="scale(${size / 1000} ${-size / 1000})">${drawn.join('')}</g>`;
    },
  };
}
