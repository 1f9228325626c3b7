// Completion and manual pages know every command, and a real bash completes by them.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { testFolder } from '../testing/folder.ts';
import { COMMANDS, HELP } from './commands.ts';
import { completedCommands } from './completion.ts';
import { completionFor, SHELLS, type CompletedCommand } from './completion-scripts.ts';
import { summariesIn, wordsOf } from './help-words.ts';
import { manualPages } from './man.ts';
import { manualPage } from './manual-page.ts';

const folder = testFolder();
const has = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
const all = [...COMMANDS.keys(), 'completion', 'man'];

let commands: readonly CompletedCommand[];
beforeAll(async () => {
  commands = await completedCommands();
});

describe('every command', () => {
  it('stands in paceline help, and in the completion', () => {
    expect([...summariesIn(HELP).keys()].sort()).toEqual([...all].sort());
    expect(commands.map(({ name }) => name)).toEqual(all);
    expect(commands.filter(({ summary }) => summary === '')).toEqual([]);
  });

  it('has a manual page', async () => {
    const pages = await manualPages();
    expect([...pages.keys()]).toEqual(['paceline', ...[...COMMANDS.keys()].map((name) => `paceline-${name}`)]);
    expect(pages.get('paceline-run')).toContain(String.raw`\-\-template NAME`);
  });
});

describe('a help text', () => {
  it('gives options of its tables and its usage, not those that prose mentions', () => {
    const { options, subcommands, usage } = wordsOf(
      [
        'Usage: paceline thing COMMAND FILE [--fast]',
        '       paceline thing list|drop ID',
        '',
        'Unlike run --shard it does nothing.',
        '',
        '  make FILE     makes one',
        '  --to csv|json what it writes',
        '  --out DIR     where it goes;',
        '                made if it is not there',
      ].join('\n'),
    );
    expect(usage).toHaveLength(2);
    expect(subcommands).toEqual(['list', 'drop', 'make']);
    expect(options).toEqual([
      { name: '--fast', value: null, choices: [], text: '' },
      { name: '--to', value: 'csv|json', choices: ['csv', 'json'], text: '' },
      { name: '--out', value: 'DIR', choices: [], text: 'where it goes; made if it is not there' },
    ]);
  });
});

describe('a real bash', () => {
  const complete = (...words: readonly string[]): string[] => {
    const script = join(folder(), 'paceline.bash');
    writeFileSync(script, completionFor('bash', commands));
    const ask =
      'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _paceline; printf "%s\\n" "${COMPREPLY[@]}"';
    const { stdout, stderr } = spawnSync('bash', ['-ec', `set -u; ${ask}`, 'bash', script, 'paceline', ...words], {
      encoding: 'utf8',
      cwd: folder(),
    });
    expect(stderr).toBe('');
    return stdout.split('\n').filter((word) => word !== '');
  };

  it.each([
    ['commands', ['ru'], ['run', 'runs']],
    ['options', ['run', '--se'], ['--series']],
    ['options behind others', ['packets', 'ID', '--from', '1', '--pc'], ['--pcapng']],
    ['commands of a command', ['study', 'r'], ['run', 'report']],
    ['values', ['trace', 'convert', 'x', '--to', 'm'], ['ms-count', 'mahimahi']],
    ['shells', ['completion', ''], [...SHELLS]],
    ['nothing where files are', ['run', ''], []],
    ['nothing of what is no command', ['nonsense', '--o'], []],
  ])('completes %s', (_, words, found) => {
    expect(complete(...words)).toEqual(found);
  });

  it('completes files, also with a space', () => {
    writeFileSync(join(folder(), 'my run.pcapng'), '');
    expect(complete('packets', 'ID', '--pcapng', 'my')).toEqual(['my run.pcapng']);
  });
});

describe('what a text has in it', () => {
  const odd: CompletedCommand = {
    name: 'odd',
    summary: `it's [a] "test": $(touch here) \`x\` \\`,
    subcommands: ["a'b"],
    options: [{ name: '--x', value: 'FILE', choices: [], text: `don't: $(exit 3) [y] \\` }],
  };

  it.each(SHELLS)('is text in a script for %s', (shell) => {
    // Those that are not installed are not asked.
    if (!has(shell)) return;
    for (const script of [completionFor(shell, [odd]), completionFor(shell, commands)]) {
      const file = join(folder(), `paceline.${shell}`);
      writeFileSync(file, script);
      const { status, stderr } = spawnSync(shell, ['-n', file], { encoding: 'utf8', cwd: folder() });
      expect([status, stderr]).toEqual([0, '']);
    }
  });

  it('is text in a manual page', () => {
    const page = manualPage({
      name: 'odd',
      summary: 'x',
      version: '1',
      help: "Usage: paceline odd\n\n.so /etc/passwd\n'br\nC:\\dir",
    });
    expect(page.split('\n')).toEqual(expect.arrayContaining(['\\&.so /etc/passwd', "\\&'br", 'C:\\edir']));
  });
});

describe.skipIf(!has('mandoc') && !has('man'))('manual pages (where man or mandoc is there)', () => {
  it('are without a warning', async () => {
    for (const [name, page] of await manualPages()) {
      const file = join(folder(), `${name}.1`);
      writeFileSync(file, page);
      if (has('man')) {
        const { stderr, stdout } = spawnSync('man', ['--warnings', '-l', file], {
          encoding: 'utf8',
          env: { ...process.env, MANPAGER: 'cat', LC_ALL: 'C.UTF-8', MANWIDTH: '160' },
        });
        expect([name, stderr]).toEqual([name, '']);
        expect(stdout).toContain('SYNOPSIS');
      }
      if (!has('mandoc')) continue;
      const { stdout } = spawnSync('mandoc', ['-Tlint', '-Werror', file], { encoding: 'utf8' });
      expect([name, stdout]).toEqual([name, '']);
    }
  });
});
