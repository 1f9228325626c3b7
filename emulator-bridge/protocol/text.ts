// What people and files write: names and notes. They are only ever shown, so what cannot be seen but changes how the rest is read stays
// out: control characters, marks that turn the direction of writing, characters without width, halves of characters.
import { z } from 'zod';

/** Not among them: the joiners (U+200C, U+200D), without which some scripts and emoji are written wrongly. */
const INVISIBLE =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

const visible = (text: string): string => text.replace(INVISIBLE, '').replace(/\p{Cs}/gu, '\ufffd');

/** One line. What had something in it does not become empty. */
export function plainLine(text: string): string {
  const plain = visible(text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')).trim();
  return plain === '' && text.trim() !== '' ? 'unnamed' : plain;
}

/** Several lines. */
export const plainText = (text: string): string =>
  visible(text.replace(/\r\n?|[\p{Zl}\p{Zp}]/gu, '\n').replace(/[^\P{Cc}\n\t]/gu, ' '));

/** As many characters, none of them cut in half. */
export const shortened = (text: string, characters: number): string => Array.from(text).slice(0, characters).join('');

export const Line = z.string().overwrite(plainLine);

/** So many characters at most as they are sent: what is not seen counts. */
export const line = (most: number) => z.string().max(most).overwrite(plainLine);
export const text = (most: number) => z.string().max(most).overwrite(plainText);

/** A word for a native program: a NUL would end it early. */
// eslint-disable-next-line no-control-regex -- it is what is looked for
export const Word = z.string().regex(/^[^\x00]*$/, 'may not hold a NUL character');
