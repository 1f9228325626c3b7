// A help text as a page of the manual, in the macros of man(7).

export interface Manual {
  readonly name: string;
  readonly summary: string;
  readonly help: string;
  readonly version: string;
}

/** Backslashes are commands, hyphens in options must not become others, and a line may not begin with a dot or a quote. */
const escaped = (line: string): string =>
  line
    .replaceAll('\\', String.raw`\e`)
    .replaceAll('-', String.raw`\-`)
    .replace(/^[.']/, String.raw`\&$&`);

const isUsage = (line: string): boolean => /^(Usage:| {6,}) *paceline/.test(line);

/** Prose is filled; what is laid out as a table keeps its lines. */
function bodyOf(lines: readonly string[]): string[] {
  const out: string[] = [];
  let laidOut = false;
  for (const line of lines) {
    const table = line.startsWith(' ');
    if (line !== '' && table !== laidOut) {
      out.push(table ? '.nf' : '.fi');
      laidOut = table;
    }
    out.push(line === '' ? '.PP' : escaped(line));
  }
  if (laidOut) out.push('.fi');
  return out.filter((line, at) => line !== '.PP' || (at > 0 && out[at - 1] !== '.PP' && at < out.length - 1));
}

export function manualPage({ name, summary, help, version }: Manual): string {
  const lines = help.trimEnd().split('\n');
  const first = lines.findIndex((line) => !isUsage(line));
  const usage = lines.slice(0, first < 0 ? lines.length : first);
  const body = first < 0 ? [] : lines.slice(first);
  while (body[0] === '') body.shift();
  return [
    `.TH ${escaped(name.toUpperCase())} 1 "" "Paceline ${escaped(version)}" "Paceline"`,
    '.SH NAME',
    `${escaped(name)} \\- ${escaped(summary)}`,
    '.SH SYNOPSIS',
    '.nf',
    ...usage.map((line) => escaped(line.replace(/^(Usage:|\s+)\s*/, ''))),
    '.fi',
    '.SH DESCRIPTION',
    ...bodyOf(body),
    '.SH EXIT STATUS',
    '0: done. 1: failed. 2: bad input. 130: interrupted.',
    ...(name === 'paceline' ? [] : ['.SH SEE ALSO', '.BR paceline (1)']),
    '',
  ].join('\n');
}
