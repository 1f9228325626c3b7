// Scripts by which bash, zsh and fish complete.
import type { HelpOption } from './help-words.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

export interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  readonly subcommands: readonly string[];
  readonly options: readonly HelpOption[];
}

type Commands = readonly CompletedCommand[];

const isFolder = ({ value }: HelpOption): boolean => value === 'DIR';
const isFile = ({ value }: HelpOption): boolean => value?.startsWith('FILE') === true;

/** In single quotes nothing has a meaning but their end. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const listed = (words: readonly string[]): string => quoted(words.join(' '));

function bashValue(command: string, option: HelpOption): string[] {
  const { name, value, choices } = option;
  if (value === null) return [];
  const how = choices.length > 0 ? `-W ${listed(choices)}` : isFolder(option) ? '-d' : isFile(option) ? '-f' : null;
  const answer = how === null ? 'COMPREPLY=()' : `mapfile -t COMPREPLY < <(compgen ${how} -- "$word")`;
  return [`    ${command}:${name}) ${answer}; return ;;`];
}

const bash = (commands: Commands): string => `# bash completion of paceline, as \`paceline completion bash\` writes it
_paceline() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} command=\${COMP_WORDS[1]} words=
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W ${listed([...commands.map(({ name }) => name), '--help', '--version'])} -- "$word")
    return
  fi
  case $command:$before in
${commands.flatMap(({ name, options }) => options.flatMap((option) => bashValue(name, option))).join('\n')}
  esac
  case $command:$word in
${commands.map(({ name, options }) => `    ${name}:-*) words=${listed(options.map((option) => option.name))} ;;`).join('\n')}
  esac
  ((COMP_CWORD == 2)) && [[ $word != -* ]] && case $command in
${commands.flatMap(({ name, subcommands }) => (subcommands.length === 0 ? [] : [`    ${name}) words=${listed(subcommands)} ;;`])).join('\n')}
  esac
  # Nothing of this: files, as ever.
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -o bashdefault -o default -F _paceline paceline
`;

const zshText = (text: string): string => text.replaceAll(/[\\[\]:]/g, String.raw`\$&`);

function zshOption(option: HelpOption): string {
  const { name, value, choices, text } = option;
  const said = text === '' ? '' : `[${zshText(text)}]`;
  if (value === null) return quoted(`*${name}${said}`);
  const how =
    choices.length > 0 ? `(${choices.join(' ')})` : isFolder(option) ? '_files -/' : isFile(option) ? '_files' : ' ';
  return quoted(`*${name}${said}:${zshText(value)}:${how}`);
}

const zsh = (commands: Commands): string => `#compdef paceline
# zsh completion of paceline, as \`paceline completion zsh\` writes it
_paceline() {
  local -a commands
  commands=(
${commands.map(({ name, summary }) => `    ${quoted(`${name}:${zshText(summary)}`)}`).join('\n')}
  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT--))
  case $command in
${commands
  .map(
    ({ name, subcommands, options }) => `    ${name})
      _arguments ${options.map(zshOption).join(' ')} ${subcommands.length > 0 ? quoted(`1:command:(${subcommands.join(' ')})`) : ''} '*:file:_files' ;;`,
  )
  .join('\n')}
  esac
}
_paceline "$@"
`;

const fishQuoted = (text: string): string => `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;

function fishOption(command: string, option: HelpOption): string {
  const { name, value, choices, text } = option;
  const how = value === null ? '' : choices.length > 0 ? ` -x -a ${fishQuoted(choices.join(' '))}` : ' -r';
  const said = text === '' ? '' : ` -d ${fishQuoted(text)}`;
  return `complete -c paceline -n '__fish_seen_subcommand_from ${command}' -l ${name.slice(2)}${how}${said}`;
}

const fish = (commands: Commands): string =>
  [
    '# fish completion of paceline, as `paceline completion fish` writes it',
    ...commands.flatMap(({ name, summary, subcommands, options }) => [
      `complete -c paceline -n __fish_use_subcommand -f -a ${name} -d ${fishQuoted(summary)}`,
      ...(subcommands.length === 0
        ? []
        : [
            `complete -c paceline -n '__fish_seen_subcommand_from ${name}; and test (count (commandline -opc)) -eq 2' -a ${fishQuoted(subcommands.join(' '))}`,
          ]),
      ...options.map((option) => fishOption(name, option)),
    ]),
    '',
  ].join('\n');

const SCRIPTS: Readonly<Record<Shell, (commands: Commands) => string>> = { bash, zsh, fish };
export const completionFor = (shell: Shell, commands: Commands): string => SCRIPTS[shell](commands);
