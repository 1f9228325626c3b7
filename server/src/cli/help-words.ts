// What a help text says, as data: shells complete by it, and manual pages are laid out of it.

export interface HelpOption {
  /** `--out` */
  readonly name: string;
  /** `DIR`; null: it takes none. */
  readonly value: string | null;
  /** Where the text names all values: `ms-count|mahimahi`. */
  readonly choices: readonly string[];
  /** Empty where it only stands in the usage. */
  readonly text: string;
}

export interface HelpWords {
  readonly usage: readonly string[];
  readonly subcommands: readonly string[];
  readonly options: readonly HelpOption[];
}

const OPTION = /(?<![\w-])(--[a-z][a-z0-9-]*)(?:[ =]([A-Z][A-Z_=./]*[A-Za-z./]*|[a-z0-9][\w.-]*(?:\|[\w.-]+)+))?/g;
/** The line of a table: an option with its value, and what it is behind two spaces. */
const ROW = /^ {2,6}(--[a-z][a-z0-9-]*)(?:[ =]\S+)*? {2,}(\S.*)$/;
const WORD = /^[a-z][a-z-]*$/;

/** Prose stands at the margin: what it mentions may be another command's. */
const isProse = (line: string): boolean => /^\S/.test(line) && !line.startsWith('Usage:');
const isUsage = (line: string): boolean => /^(Usage:| {6,}) *paceline /.test(line);

function subcommandsIn(lines: readonly string[], usage: readonly string[]): string[] {
  const asked = usage.map((line) => /paceline \S+ (\S+)/.exec(line)?.[1] ?? '');
  const named = asked.flatMap((word) => word.split('|'));
  // `paceline trace COMMAND FILE`: a table of them follows.
  const listed = asked.includes('COMMAND') ? lines.map((line) => /^ {2}([a-z][a-z-]*) /.exec(line)?.[1] ?? '') : [];
  return [...new Set([...named, ...listed])].filter((word) => WORD.test(word));
}

function optionsIn(lines: readonly string[]): HelpOption[] {
  const options = new Map<string, HelpOption>();
  for (const [at, line] of lines.entries()) {
    if (isProse(line)) continue;
    const row = ROW.exec(line);
    for (const [, name = '', value] of line.matchAll(OPTION)) {
      const before = options.get(name);
      const isRow = row?.[1] === name && line.trimStart().startsWith(name);
      options.set(name, {
        name,
        value: before?.value ?? value ?? null,
        choices: before?.choices.length ? before.choices : choicesOf(value),
        text: before?.text || (isRow ? [row[2], ...continued(lines, at)].join(' ') : ''),
      });
    }
  }
  return [...options.values()];
}

const choicesOf = (value = ''): string[] => (value.includes('|') && /^[a-z0-9]/.test(value) ? value.split('|') : []);

/** Lines below a row that begin where its text does, or further in. */
function continued(lines: readonly string[], row: number): string[] {
  const rest = lines.slice(row + 1);
  const end = rest.findIndex((line) => !/^ {8,}\S/.test(line) || isUsage(line));
  return rest.slice(0, end < 0 ? rest.length : end).map((line) => line.trim());
}

export function wordsOf(help: string): HelpWords {
  const lines = help.split('\n');
  const usage = lines.filter(isUsage).map((line) => line.replace(/^Usage:/, '').trim());
  return { usage, subcommands: subcommandsIn(lines, usage), options: optionsIn(lines) };
}

/** What `paceline help` says in a line of each command; several may share one. */
export function summariesIn(help: string): Map<string, string> {
  const summaries = new Map<string, string>();
  for (const line of help.split('\n')) {
    const [, names = '', text = ''] = /^ {2}([a-z][a-z|-]*)\S* ?.*? {2,}(\S.*)$/.exec(line) ?? [];
    for (const name of names.split('|')) if (name !== '' && !summaries.has(name)) summaries.set(name, text);
  }
  return summaries;
}
