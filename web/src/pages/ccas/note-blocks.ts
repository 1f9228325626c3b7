// Markdown apart from its tables, which the renderer of notes does not know.
export interface NoteTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A cell may hold `\|`. */
const cellsOf = (line: string): string[] =>
  line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));

const RULE = /^\|?(\s*:?-+:?\s*\|)+(\s*:?-+:?\s*)?$/;

/** Text and tables in their order; what is within a fence is text. */
export function blocksOf(markdown: string): (string | NoteTable)[] {
  const blocks: (string | NoteTable)[] = [];
  let text: string[] = [];
  const flush = (): void => {
    if (text.some((line) => line.trim() !== '')) blocks.push(text.join('\n'));
    text = [];
  };
  const lines = markdown.split('\n');
  let fenced = false;
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? '';
    if (line.startsWith('```')) fenced = !fenced;
    if (fenced || !line.startsWith('|') || !RULE.test((lines[i + 1] ?? '').trim())) {
      text.push(line);
      continue;
    }
    flush();
    const head = cellsOf(line);
    const rows: string[][] = [];
    for (i += 2; (lines[i] ?? '').startsWith('|'); i++) rows.push(cellsOf(lines[i] ?? ''));
    i -= 1;
    blocks.push({ head, rows });
  }
  flush();
  return blocks;
}
