// What `npm start` runs as soon as its packages are there (scripts/start.mjs): the server, which says until it is built how far that is.
import { setTimeout as after } from 'node:timers/promises';
import { Progress } from '../building/progress.ts';
import { waitingRoom } from '../building/waiting-room.ts';
import { SERVE_HELP, serveConfig, type ServeConfig } from '../config.ts';
import { newServer } from '../http/door.ts';
import { Guard } from '../http/guard.ts';
import { Hosts, isLoopback } from '../http/hosts.ts';
import { closeServer, listen, urlOf } from '../http/listen.ts';
import { createLog } from '../log.ts';
import { conclude, EXIT, explain } from './exit.ts';
import { withPlugins } from './plugins.ts';

/** Pages that are between two questions have heard by then. */
const LAST_WORDS_MS = 1500;

async function start(words: readonly string[]): Promise<number> {
  const config = serveConfig(withPlugins(words, process.env), process.env);
  if (config !== null) return await serveWhenBuilt(config);
  process.stdout.write(SERVE_HELP);
  return EXIT.ok;
}

async function serveWhenBuilt(config: ServeConfig): Promise<number> {
  const log = createLog(config.logLevel);
  const server = newServer(config.tls, log);
  const progress = new Progress();
  const guard = new Guard(new Hosts(config.host, config.allowHosts, config.tls !== null), null);
  const room = waitingRoom(progress, guard, log, isLoopback(config.host));
  server.on('request', room);
  await listen(server, config, log);
  process.send?.(urlOf(server, config));
  const open = (): void => {
    server.off('request', room);
    progress.stir();
  };
  // Read meanwhile; what is wrong with it is told when it is needed.
  const rest = Promise.all([import('../server.ts'), import('./serve.ts'), import('../tracing/start.ts')]);
  rest.catch(() => undefined);
  try {
    if (!(await built(progress))) return EXIT.failed;
    const [{ startServer }, { untilToldToEnd }, { whileTraced }] = await rest;
    await whileTraced('paceline', log, async () => untilToldToEnd(await startServer(config, log, { server, open })));
    return EXIT.ok;
  } catch (error) {
    progress.fail(explain(error).text);
    throw error;
  } finally {
    if (progress.trouble !== null) await after(LAST_WORDS_MS);
    if (server.listening) await closeServer(server);
  }
}

/** Follows whoever builds, who has this process for a child, to the end. */
async function built(progress: Progress): Promise<boolean> {
  process.on('message', (message) => progress.hear(message));
  // Nothing will come any more.
  const orphaned = (): never => process.exit(EXIT.failed);
  process.on('disconnect', orphaned);
  const isBuilt = await progress.settled();
  process.off('disconnect', orphaned);
  process.disconnect();
  return isBuilt;
}

await conclude(() => start(process.argv.slice(2)));
