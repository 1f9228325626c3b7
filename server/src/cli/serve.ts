import { SERVE_HELP, serveConfig } from '../config.ts';
import { startServer, type RunningServer } from '../server.ts';
import { createLog } from '../log.ts';
import { whileTraced } from '../tracing/start.ts';
import { EXIT } from './exit.ts';

/** Runs the server until it is told to end. */
export async function serve(words: readonly string[]): Promise<number> {
  const config = serveConfig(words, process.env);
  if (config === null) {
    process.stdout.write(SERVE_HELP);
    return EXIT.ok;
  }
  const log = createLog(config.logLevel);
  await whileTraced('paceline', log, async () => untilToldToEnd(await startServer(config, log)));
  return EXIT.ok;
}

/** After the start others are served first. */
const PREPARE_AFTER_MS = 3000;

/** What takes a second to be told for the first time is made ready before somebody asks: how much the studies have to run. */
function prepare({ lab }: RunningServer): () => void {
  const over = new AbortController();
  // Whoever asks is told what is wrong.
  const begin = setTimeout(() => void lab.studies.prepare(over.signal).catch(() => undefined), PREPARE_AFTER_MS);
  return () => {
    clearTimeout(begin);
    over.abort();
  };
}

export async function untilToldToEnd(server: RunningServer): Promise<void> {
  process.stdout.write(`Paceline is ready: ${server.entry}\n`);
  const endPreparing = prepare(server);
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
  endPreparing();
  await server.close();
}
