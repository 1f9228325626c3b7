import { SERVE_HELP, serveConfig } from '../config.ts';
import { startServer, type RunningServer } from '../server.ts';
import { EXIT } from './exit.ts';

/** Runs the server until it is told to end. */
export async function serve(words: readonly string[]): Promise<number> {
  const config = serveConfig(words, process.env);
  if (config === null) {
    process.stdout.write(SERVE_HELP);
    return EXIT.ok;
  }
  await untilToldToEnd(await startServer(config));
  return EXIT.ok;
}

export async function untilToldToEnd(server: RunningServer): Promise<void> {
  process.stdout.write(`Paceline is ready: ${server.entry}\n`);
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
  await server.close();
}
