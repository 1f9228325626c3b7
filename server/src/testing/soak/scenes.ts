// What goes on when something is killed: a server with a run, the command line with one, and a shell.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ExperimentRecord, RunRecord } from '#protocol/api';
import type { ExperimentSpecInput } from '#protocol/spec';
import { TestProcess } from '../process.ts';
import { MARK } from './traces-of.ts';

/** What the packets of a run are: by the CCA that makes it so. */
const CCAS = {
  'kernel TCP': 'kernel-cubic',
  UDP: 'cubic',
  QUIC: 'quic-cubic',
  'external programs': 'external-flood',
} as const;
export type Path = keyof typeof CCAS;

/** Longer than any repetition looks at it. */
const RUN_S = 60;

/** Its death is nothing to anybody: what a program has started and does not wait for. */
export const BYSTANDER = 'sleep';

/** Node writes as fast as TCP takes it, so that sockets are full whenever they are killed; each end has a child of its own. */
const FLOOD = {
  name: 'flood',
  label: 'Flood',
  summary: 'One connection of TCP, as fast as it goes.',
  sender: inShell(
    `const socket = require('node:net').connect(process.env.PACELINE_PORT, process.env.PACELINE_RECEIVER);
     const write = () => { while (socket.write(Buffer.alloc(65536))); };
     socket.on('connect', write).on('drain', write);`,
  ),
  receiver: inShell(
    `require('node:net').createServer((socket) => socket.resume()).listen(process.env.PACELINE_PORT, '0.0.0.0');`,
  ),
};

function inShell(script: string): string[] {
  return ['sh', '-c', `${BYSTANDER} ${RUN_S} & exec "$0" -e "$1"`, process.execPath, script];
}

const spec = (path: Path, seed: number): ExperimentSpecInput => ({
  name: `${path} ${seed}`,
  engine: 'realtime',
  duration_s: RUN_S,
  seed,
  traces: [{ rate_mbps: 20 }],
  ccas: [{ id: CCAS[path] }],
});

/** Folders of one soak, and what its processes are known by. */
export interface Place {
  readonly folder: string;
  readonly mark: string;
  readonly tmp: string;
}

/** The operator's file, which servers and command lines are started with. */
export function configure(place: Place): void {
  writeFileSync(endpointsOf(place), JSON.stringify({ programs: [FLOOD] }));
}

const endpointsOf = ({ folder }: Place): string => join(folder, 'endpoints.json');

function start(place: Place, script: string, args: readonly string[]): TestProcess {
  const env = { ...process.env, TMPDIR: place.tmp, [MARK]: place.mark, PACELINE_LOG: 'warn' };
  return new TestProcess(script, args, place.folder, env);
}

/** A server with a data folder that outlives it. */
export class SoakServer {
  readonly process: TestProcess;
  readonly #url: string;

  private constructor(started: TestProcess, url: string) {
    this.process = started;
    this.#url = url;
  }

  static async start(place: Place): Promise<SoakServer> {
    const words = [
      '--port',
      '0',
      '--workers',
      '4',
      '--data-dir',
      join(place.folder, 'data'),
      '--endpoints',
      endpointsOf(place),
    ];
    const started = start(place, 'server/src/main.ts', words);
    const [, url = ''] = await started.says(/^Paceline is ready: (http:\S+)/m);
    return new SoakServer(started, url);
  }

  async submit(path: Path, seed: number): Promise<string> {
    const answer = await this.#post('/experiments', spec(path, seed));
    return ExperimentRecord.parse(answer).runs[0]?.id ?? '';
  }

  async run(id: string): Promise<RunRecord> {
    const response = await fetch(new URL(`/api/v1/runs/${id}`, this.#url));
    return RunRecord.parse(await response.json());
  }

  async stop(id: string): Promise<RunRecord> {
    return RunRecord.parse(await this.#post(`/runs/${id}/stop`));
  }

  async #post(path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(new URL(`/api/v1${path}`, this.#url), {
      method: 'POST',
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    return response.json();
  }
}

/** `paceline run`, of a spec of its own. */
export function commandLine(place: Place, path: Path, seed: number): TestProcess {
  mkdirSync(join(place.folder, 'specs'), { recursive: true });
  const file = join(place.folder, 'specs', `${seed}.json`);
  writeFileSync(file, JSON.stringify(spec(path, seed)));
  const words = ['run', file, '--out', join(place.folder, 'out', String(seed)), '--endpoints', endpointsOf(place)];
  return start(place, 'server/src/cli/main.ts', words);
}

/** `paceline run` of something quick: what it must do is to clear up after those before it. */
export async function nextCommand(place: Place): Promise<void> {
  const file = join(place.folder, 'quick.json');
  writeFileSync(file, JSON.stringify({ traces: [{ rate_mbps: 10 }], ccas: [{ id: 'cubic' }], duration_s: 1 }));
  const words = ['run', file, '--out', join(place.folder, 'out', 'quick'), '--series', 'none'];
  const { code, stderr } = await start(place, 'server/src/cli/main.ts', words).ended();
  if (code !== 0) throw new Error(`the next paceline run failed: ${stderr}`);
}

/** A shell whose command and server have children of their own. */
export const shell = (place: Place): TestProcess =>
  start(place, 'server/src/cli/main.ts', [
    ...['shell', '--rate-mbps', '20', '--delay-ms', '5', '--server', `sleep ${RUN_S} & sleep ${RUN_S}`],
    ...['--', 'sh', '-c', `sleep ${RUN_S} & sleep ${RUN_S}`],
  ]);
