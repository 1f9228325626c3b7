// Where a server's runs are made, and what experiments cost: what the page says under Doctor.
import { formatDuration } from '#analysis/format';
import { WorkersRecord } from '#protocol/workers';
import { parseWords, UsageError } from '../config.ts';
import { askServer } from './desk.ts';
import { EXIT } from './exit.ts';
import { table } from './table.ts';

const HELP = `Usage: paceline workers --server URL [--json]

Where a server's runs are made, by itself and by workers on other machines (paceline worker, docs/workers.md), how much there is to make,
and what the experiments that go on, and the newest others, took of processors.

  --server URL     of the server that runs, with a token in $PACELINE_TOKEN where it asks for one
  --json           for programs
`;

export async function workers(words: readonly string[]): Promise<number> {
  const { values } = parseWords({
    args: [...words],
    options: {
      server: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) {
    process.stdout.write(HELP);
    return EXIT.ok;
  }
  const { server } = values;
  if (server === undefined) throw new UsageError('workers: --server says of which server');
  if (!URL.canParse(server)) throw new UsageError(`--server: ${server} is no address`);
  const found = await askServer(server, '/workers', WorkersRecord);
  process.stdout.write(values.json ? `${JSON.stringify(found, null, 2)}\n` : textOf(found));
  return EXIT.ok;
}

function textOf({ queue, here, redis, workers: machines, experiments }: WorkersRecord): string {
  const { waiting, going, ended_per_minute, left_s, waits_for } = queue;
  const left = left_s === null ? '' : `, about ${formatDuration(left_s)} left`;
  const lines = [`${going} runs go on, ${waiting} wait; ${ended_per_minute} ended in the last minute${left}`];
  if (waits_for !== null) lines.push(`Nothing is started: ${waits_for}`);
  if (redis !== null) lines.push(redis.trouble === null ? `Workers by ${redis.place}` : `No workers: ${redis.trouble}`);
  const own = machines.some(({ state }) => state === 'ready') ? 'what no worker can' : 'all runs';
  const rows = [
    ['', 'cores', 'busy', 'runs', 'done', 'makes', 'state'],
    ['this server', `${here.cores}`, `${here.cores_busy}`, `${here.runs}`, '', own, 'ready'],
    ...machines.map((worker) => [
      worker.name,
      `${worker.cores}`,
      `${worker.cores_busy}`,
      `${worker.runs}`,
      `${worker.done}`,
      worker.capabilities.join(', '),
      worker.reason ?? worker.state,
    ]),
  ];
  return `${lines.join('\n')}\n\n${table(rows)}${costsOf(experiments)}`;
}

function costsOf(experiments: WorkersRecord['experiments']): string {
  if (experiments.length === 0) return '';
  const rows = [
    ['experiment', 'runs', 'by workers', 'processor time', 'left'],
    ...experiments.map(({ id, name, runs_done, runs_total, by_workers, cpu_s, left_s, goes_on }) => [
      `${name} (${id})`,
      `${runs_done} of ${runs_total}`,
      `${by_workers}`,
      formatDuration(cpu_s),
      goes_on ? formatDuration(left_s) : '',
    ]),
  ];
  return `\n${table(rows)}`;
}
