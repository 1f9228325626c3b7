// The `paceline` command.
import { UsageError } from '../config.ts';
import { VERSION } from '../version.ts';
import { COMMANDS, HELP, type Commands } from './commands.ts';
import { conclude, EXIT } from './exit.ts';
import { withPlugins } from './plugins.ts';

/** With those that tell of the others. */
const ALL: Commands = new Map([
  ...COMMANDS,
  ['completion', async () => (await import('./completion.ts')).completion],
  ['man', async () => (await import('./man.ts')).man],
]);

async function main([name, ...words]: readonly string[]): Promise<number> {
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    (name === undefined ? process.stderr : process.stdout).write(HELP);
    return name === undefined ? EXIT.badInput : EXIT.ok;
  }
  if (name === '--version') {
    process.stdout.write(`${VERSION}\n`);
    return EXIT.ok;
  }
  const command = ALL.get(name);
  if (command === undefined) throw new UsageError(`there is no command ${JSON.stringify(name)}`);
  return (await command())(words);
}

await conclude(() => main(withPlugins(process.argv.slice(2), process.env)));
