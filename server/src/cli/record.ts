import { runForeground } from '#bridge/foreground';
import { UsageError } from '../config.ts';
import { EXIT } from './exit.ts';

const HELP = `Usage: paceline record server [options]
       paceline record client HOST --mbps R [options]

Overfills a real path with packets and turns their arrivals into a trace. The server runs on a machine with more bandwidth
than the path, the client behind the path. Both are one program without dependencies, build/native/bin/paceline-recorder:
copy that file to machines that have no Paceline.

paceline record client --help lists the options.
`;

/** The native program's own commands: it answers on our stdout, stderr and exit code. */
export async function record(words: readonly string[]): Promise<number> {
  const [name] = words;
  if (name === '--help' || name === '-h') {
    process.stdout.write(HELP);
    return EXIT.ok;
  }
  if (name !== 'server' && name !== 'client') throw new UsageError('record: server or client?');
  return (await runForeground('paceline-recorder', words)) ?? EXIT.failed;
}
