// The authors' own programs, how each is run as the two ends of a flow, and which of ours is held against it. None of them is part of the project.
import { accessSync, constants, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ExternalProgram } from '#bridge/external';
import type { FlowOfRun } from '../link-run.ts';

/** The paths of its files, by their names in `files`. */
type Files = Readonly<Record<string, string>>;

export interface AuthorsProgram {
  readonly name: string;
  /** Repository, state and mode. */
  readonly what: string;
  /** Within the folder that --refs names. */
  readonly files: Files;
  readonly sender: (files: Files) => readonly string[];
  readonly receiver: (files: Files) => readonly string[];
  /** Who says hello to whom. */
  readonly calls: 'sender' | 'receiver';
  readonly ours: FlowOfRun;
}

const shell = (script: string, ...words: readonly string[]): readonly string[] => ['sh', '-c', script, 'sh', ...words];
/** Longer than any run: it is told to end. */
const WITHOUT_END_MS = 100_000_000;
/** A receiver whose port nobody can wait for is given so long. */
const SETTLE_S = 0.5;

const genericCc = { sender: 'genericCC/sender', receiver: 'genericCC/receiver' };
const pcc = { client: 'pcc/pccclient', server: 'pcc/pccserver' };
const nsdi18 = { client: 'pcc_nsdi18/gradient_descent_pcc_client', server: 'pcc_nsdi18/appserver' };

const copa = (name: string, deltaConf: string, ours: FlowOfRun): AuthorsProgram => ({
  name,
  what: `genericCC 18299d6, delta_conf=${deltaConf}`,
  files: genericCc,
  sender: ({ sender = '' }) => [
    'env',
    'MIN_RTT=1000000',
    sender,
    'serverip={receiver}',
    'serverport={port}',
    'offduration=0',
    `onduration=${WITHOUT_END_MS}`,
    'cctype=markovian',
    `delta_conf=${deltaConf}`,
    'traffic_params=deterministic,num_cycles=1',
  ],
  receiver: ({ receiver = '' }) => [receiver, '{port}'],
  calls: 'sender',
  ours,
});

const uspace = (name: string, mode: readonly string[], ours: FlowOfRun): AuthorsProgram => ({
  name,
  what: `PCC-Uspace 30c2cfe, ${mode.join(' ')}`,
  files: pcc,
  sender: ({ client = '' }) => [client, 'send', '{receiver}', '{port}', ...mode],
  receiver: ({ server = '' }) => [server, 'recv', '{port}'],
  calls: 'sender',
  ours,
});

/** Each end has its own library, of the folder beside it. */
const gradient = (name: string, what: string, utility: string, ours: FlowOfRun): AuthorsProgram => ({
  name,
  what: `PCC-Uspace, branch NSDI-2018, ${what}`,
  files: nsdi18,
  sender: ({ client = '' }) =>
    shell('LD_LIBRARY_PATH="${1%/*}/lib_s" exec "$1" "$2" "$3" "$4"', client, '{receiver}', '{port}', utility),
  receiver: ({ server = '' }) => shell('LD_LIBRARY_PATH="${1%/*}/lib_r" exec "$1" "$2"', server, '{port}'),
  calls: 'sender',
  ours,
});

export const AUTHORS_PROGRAMS: readonly AuthorsProgram[] = [
  copa('copa', 'do_ss:auto:0.5', { cca: 'copa', params: { profile: 'author' } }),
  copa('copa-constant', 'do_ss:constant_delta:0.5', {
    cca: 'copa',
    params: { profile: 'author', mode: 'default_only' },
  }),
  uspace('vivace', ['Vivace', 'Vivace'], { cca: 'vivace', params: { profile: 'uspace' } }),
  uspace('proteus-s', ['Vivace', 'Scavenger', '0.0015'], { cca: 'proteus-s' }),
  gradient('vivace-2018', 'latency', '1', { cca: 'vivace' }),
  gradient('vivace-2018-loss', 'loss', '0', { cca: 'vivace', params: { b_latency: 0 } }),
  {
    name: 'verus',
    what: 'verus 4b1bbf0',
    files: { server: 'verus/verus_server', client: 'verus/verus_client' },
    // its server is the sender and waits for the receiver's hello
    sender: ({ server = '' }) => [server, '-name', 'verus', '-p', '{port}', '-t', '{duration_s}'],
    receiver: ({ client = '' }) => [client, '{sender}', '-p', '{port}'],
    calls: 'receiver',
    ours: { cca: 'verus' },
  },
  {
    name: 'sprout',
    what: 'sprout c838669, sproutbt2',
    files: { program: 'sprout/sproutbt2', model: 'sprout/sprout.model' },
    // its port is its own choice, not ours
    sender: ({ program = '', model = '' }) =>
      shell(`sleep ${SETTLE_S}; SPROUT_MODEL_IN="$2" exec "$1" "$3" 60001`, program, model, '{receiver}'),
    receiver: ({ program = '', model = '' }) => ['env', `SPROUT_MODEL_IN=${model}`, program],
    calls: 'sender',
    ours: { cca: 'sprout', params: { pacing: 'off' } },
  },
];

export interface FoundProgram {
  readonly program: AuthorsProgram;
  readonly external: ExternalProgram;
}

const REVISION = 'as found';

const isFile = (path: string, mode: number): boolean => {
  try {
    accessSync(path, mode);
    return statSync(path).isFile();
  } catch {
    return false;
  }
};

/** Which of them stand built in the folder, and which files the others lack. Words in braces mean something in a command: no path may have them. */
export function findPrograms(
  refs: string,
  programs: readonly AuthorsProgram[] = AUTHORS_PROGRAMS,
): { readonly found: readonly FoundProgram[]; readonly missing: readonly string[] } {
  if (/[{}=]/.test(refs)) throw new Error(`--refs ${refs}: a folder without braces and = in its path is wanted`);
  const found: FoundProgram[] = [];
  const missing: string[] = [];
  for (const program of programs) {
    const files = Object.fromEntries(Object.entries(program.files).map(([name, file]) => [name, join(refs, file)]));
    const absent = Object.entries(files).filter(
      ([name, path]) => !isFile(path, name === 'model' ? constants.R_OK : constants.X_OK),
    );
    if (absent.length > 0) missing.push(`${program.name}: there is no ${absent.map(([, path]) => path).join(', no ')}`);
    else
      found.push({
        program,
        external: {
          id: `external-${program.name}`,
          sender: program.sender(files),
          receiver: program.receiver(files),
          calls: program.calls,
          revision: REVISION,
        },
      });
  }
  return { found, missing };
}
