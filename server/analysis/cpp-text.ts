// What somebody wrote, as literals and comments of C++ that no compiler takes for anything else or warns of.

/** Trailing backslashes go on in the next line, and what changes the direction of reading is warned of. */
const safeLine = (line: string): string =>
  line
    .replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '�')
    .replaceAll(/[\p{Cc}\u2028\u2029]/gu, (letter) => (letter === '\t' ? letter : ' '))
    .replace(/\\\s*$/, (end) => `${end.trimEnd()} .`)
    .trimEnd();

/** `// …` for each line. */
export const cppComment = (text: string, indent = ''): string =>
  text
    .split(/\r\n|[\r\n]/)
    .map((line) => `${indent}//${line.trim() === '' ? '' : ` ${safeLine(line)}`}\n`)
    .join('');

/** Beyond ASCII it would be a byte that is no letter. */
const octal = (letter: string): string =>
  letter.charCodeAt(0) < 0x80 ? `\\${letter.charCodeAt(0).toString(8).padStart(3, '0')}` : ' ';

/** `"…"`; no three question marks or control characters stand in it as they are. */
export const cppString = (text: string): string =>
  `"${text
    .replaceAll(/["\\?]/g, (letter) => `\\${letter}`)
    .replaceAll(/\p{Cc}/gu, octal)
    .replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '�')}"`;

/** Every finite number has a form that both languages read. */
export const cppNumber = (value: number): string => (Object.is(value, -0) ? '-0.0' : String(value));
