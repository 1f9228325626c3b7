import { availableParallelism, homedir, hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { CAPABILITIES, Capability } from '#protocol/workers';
import { examine } from '#bridge/doctor';
import { listCcas } from '#bridge/ccas';
import { sweepTemporary } from '#bridge/temporary';
import { checked, LogLevel, logLevelFrom, parseWords, redisUrl, UsageError } from '../config.ts';
import { isOfKernel } from '../fleet/needs.ts';
import { FleetWorker } from '../fleet/worker.ts';
import { Size } from '../limits.ts';
import { createLog } from '../log.ts';
import { whileTraced } from '../tracing/start.ts';
import { EXIT } from './exit.ts';

const HELP = `Usage: PACELINE_REDIS_URL=redis://… paceline worker [options]

Makes runs for a server that has the same $PACELINE_REDIS_URL, on this machine, until it is told to end (docs/workers.md). Told once
(Ctrl-C, SIGTERM), it sees to the end what it has in hand and takes nothing more; told twice, it gives that back to the server and is gone.

  --cores N              that its runs may use together (default: all)
  --capabilities A,B     which runs it makes, of ${CAPABILITIES.join(', ')} (default: all that this machine can make)
  --name NAME            how the server's page calls it (default: the name of this machine)
  --cache-dir DIR        for traces, fetched once (default: $PACELINE_WORKER_CACHE, else ~/.cache/paceline/worker)
  --cache-size SIZE      how much of them is kept (default 4G)

$PACELINE_LOG sets what is logged on stderr: debug, info, warn, error or silent (default: info; warn where that is a terminal).
$OTEL_EXPORTER_OTLP_ENDPOINT is whom OpenTelemetry traces are told (docs/monitoring.md).
`;

/** By which of the doctor's checks a machine can make what. */
const WANTS: Readonly<Record<Capability, readonly string[]>> = {
  virtual: ['paceline-simulate'],
  realtime: ['paceline-emulator', 'paceline-sender', 'paceline-receiver'],
  kernel: ['kernel-tcp'],
  quic: ['kernel-tcp', 'quic'],
};

const Asked = z.object({
  cores: z.coerce.number().int().min(1).max(1024).default(availableParallelism()),
  name: z.string().min(1).max(256).default(hostname()),
  capabilities: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(Capability).min(1))
    .optional(),
  'cache-size': Size.default(4 * 2 ** 30),
});

export async function worker(words: readonly string[]): Promise<number> {
  const { values } = parseWords({
    args: [...words],
    options: {
      cores: { type: 'string' },
      capabilities: { type: 'string' },
      name: { type: 'string' },
      'cache-dir': { type: 'string' },
      'cache-size': { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) {
    process.stdout.write(HELP);
    return EXIT.ok;
  }
  const asked = checked(Asked, values, (key) => `--${key.split('.')[0] ?? key}`);
  const url = redisUrl(process.env);
  if (url === undefined)
    throw new UsageError('PACELINE_REDIS_URL: wants the Redis that the server uses, as redis://10.0.0.1:6379');
  await sweepTemporary();
  const log = createLog(checked(LogLevel, logLevelFrom(process.env), () => 'PACELINE_LOG'));
  const { engine_version, ccas } = await listCcas();
  const capabilities = await whatItCan(asked.capabilities);
  const cacheDir =
    values['cache-dir'] ?? process.env['PACELINE_WORKER_CACHE'] ?? join(homedir(), '.cache/paceline/worker');
  const options = {
    url,
    name: asked.name,
    capabilities,
    cores: asked.cores,
    cacheDir: resolve(cacheDir),
    cacheBytes: asked['cache-size'],
    engineVersion: engine_version,
    kernelCcas: ccas.map(({ id }) => id).filter(isOfKernel),
    log,
  };
  await whileTraced('paceline-worker', log, async () => {
    const running = await FleetWorker.open(options);
    process.stdout.write(`The worker is ready: ${asked.name}, ${asked.cores} cores, ${capabilities.join(', ')}\n`);
    await untilToldToEnd(running);
  });
  return EXIT.ok;
}

async function whatItCan(wanted: readonly Capability[] | undefined): Promise<Capability[]> {
  const checks = new Map((await examine('.')).map((check) => [check.id, check]));
  const wrongWith = (capability: Capability): string | null => {
    const wrong = WANTS[capability].map((id) => checks.get(id)).find((check) => check?.ok === false);
    return wrong === undefined ? null : `${wrong.label}: ${wrong.detail}`;
  };
  for (const capability of wanted ?? []) {
    const wrong = wrongWith(capability);
    if (wrong !== null) throw new UsageError(`--capabilities: this machine cannot make ${capability}: ${wrong}`);
  }
  const can = [...(wanted ?? CAPABILITIES.filter((capability) => wrongWith(capability) === null))];
  if (can.length === 0) throw new UsageError('this machine can make nothing: paceline doctor says what would mend it');
  return can;
}

async function untilToldToEnd(running: FleetWorker): Promise<void> {
  const told = (): Promise<void> =>
    new Promise((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
    });
  await told();
  process.stdout.write('It ends when what it has in hand is over.\n');
  const again = told();
  await Promise.race([running.drain(), again]);
  await running.close();
}
