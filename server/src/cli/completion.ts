// `paceline completion bash|zsh|fish`: made of the help texts, so that it knows what they say.
import { parseWords, UsageError } from '../config.ts';
import { COMMANDS, HELP } from './commands.ts';
import { completionFor, SHELLS, type CompletedCommand } from './completion-scripts.ts';
import { EXIT } from './exit.ts';
import { helpTexts } from './help-texts.ts';
import { summariesIn, wordsOf } from './help-words.ts';

const COMPLETION_HELP = `Usage: paceline completion bash|zsh|fish

Prints a script by which the shell completes commands, options and their values:

  bash   paceline completion bash > ~/.local/share/bash-completion/completions/paceline
  zsh    paceline completion zsh > DIR/_paceline, with DIR one of $fpath
  fish   paceline completion fish > ~/.config/fish/completions/paceline.fish

With npx, say so once: alias paceline='npx paceline'
`;

/** With any command, and of none alone. */
const PLUGIN = { name: '--cca-plugin', value: 'FILE', choices: [], text: 'a shared library with algorithms' };
const WITH_ANY = { name: '--help', value: null, choices: [], text: 'says more' };
const OWN: readonly CompletedCommand[] = [
  { name: 'completion', summary: 'a script for the shell', subcommands: SHELLS, options: [WITH_ANY] },
  {
    name: 'man',
    summary: 'manual pages',
    subcommands: [],
    options: [{ name: '--out', value: 'DIR', choices: [], text: 'where they go' }, WITH_ANY],
  },
];

export async function completedCommands(): Promise<readonly CompletedCommand[]> {
  const summaries = summariesIn(HELP);
  const commands = [...(await helpTexts(COMMANDS))].map(([name, text]): CompletedCommand => {
    const { subcommands, options } = wordsOf(text);
    const own = options.filter((option) => ![PLUGIN.name, WITH_ANY.name].includes(option.name));
    return { name, summary: summaries.get(name) ?? '', subcommands, options: [...own, PLUGIN, WITH_ANY] };
  });
  return [...commands, ...OWN];
}

export async function completion(words: readonly string[]): Promise<number> {
  const { values, positionals } = parseWords({
    args: [...words],
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h' } },
  });
  if (values.help === true) {
    process.stdout.write(COMPLETION_HELP);
    return EXIT.ok;
  }
  const [asked, ...more] = positionals;
  const shell = SHELLS.find((name) => name === asked);
  if (shell === undefined || more.length > 0)
    throw new UsageError(`completion: for which shell: ${SHELLS.join(', ')}?`);
  process.stdout.write(completionFor(shell, await completedCommands()));
  return EXIT.ok;
}
