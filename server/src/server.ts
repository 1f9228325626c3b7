import type { Server } from 'node:http';
import type { Logger } from 'pino';
import { sweepTemporary } from '#bridge/temporary';
import type { ServeConfig } from './config.ts';
import { offered } from './external-programs.ts';
import { submitHome } from './experiments/home.ts';
import { createApp } from './http/app.ts';
import { Framing } from './http/framing.ts';
import { Guard } from './http/guard.ts';
import { Hosts, isLoopback } from './http/hosts.ts';
import { newServer } from './http/door.ts';
import { Keys, newToken } from './http/keys.ts';
import { closeServer, listen, urlOf } from './http/listen.ts';
import { Metrics } from './http/metrics.ts';
import { Persons } from './http/persons.ts';
import { Proxies } from './http/proxies.ts';
import { endSlowBodies } from './http/slow-bodies.ts';
import { checkDatabase, openLab, type Lab } from './lab.ts';
import { LiveHub } from './live/hub.ts';
import { createLog } from './log.ts';
import { troubleOf } from './store/trouble.ts';
import { importLibrary } from './traces/library.ts';
import { recoverTraces } from './traces/recover.ts';

const HEADERS_TIMEOUT_MS = 30_000;

export interface RunningServer {
  readonly url: string;
  /** What to open in a browser: with the token where one was drawn. */
  readonly entry: string;
  readonly lab: Lab;
  readonly close: () => Promise<void>;
}

/** A server that listens already, while others answer on it. */
export interface Door {
  readonly server: Server;
  /** They answer no more. */
  readonly open: () => void;
}

/** The whole server, listening. */
export async function startServer(
  config: ServeConfig,
  log = createLog(config.logLevel),
  door: Door = newDoor(config, log),
): Promise<RunningServer> {
  await sweepTemporary();
  const { external, bpf } = offered(config, config.bpf);
  const lab = openLab({ ...config, log, bpf, external });
  try {
    return await serveLab(lab, config, log, door);
  } catch (error) {
    await lab.close();
    throw error;
  }
}

const newDoor = ({ tls }: ServeConfig, log: Logger): Door => ({ server: newServer(tls, log), open: () => undefined });

async function serveLab(lab: Lab, config: ServeConfig, log: Logger, door: Door): Promise<RunningServer> {
  await checkDatabase(lab);
  const metrics = new Metrics(lab);
  // Where a proxy says who comes, nobody else is anybody.
  const isOpen = isLoopback(config.host) && config.trustedProxies.length === 0;
  const token = config.token ?? (isOpen ? null : newToken());
  const keys = token === null ? null : new Keys(token, config.token !== undefined, lab.store.settings, lab.access);
  const guard = new Guard(
    new Hosts(config.host, config.allowHosts, config.tls !== null),
    keys,
    new Framing(config.allowEmbed),
    personsOf(lab, config, log),
  );
  const { server } = door;
  // A gigabyte over a slow line takes longer than Node's five minutes.
  server.requestTimeout = 0;
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  endSlowBodies(server, config.limits);
  const app = createApp({ lab, log, metrics, guard, limits: config.limits });
  const hub = new LiveHub(server, { lab, log, metrics, guard });
  try {
    await prepare(lab, log, config.recoverTraces);
    // Between these two no request can come.
    door.open();
    server.on('request', app);
    if (!server.listening) await listen(server, config, log);
    log.info({ ...config, token: undefined, redisUrl: undefined, address: server.address() }, 'listening');
    // What waits may go to workers at once.
    await lab.fleet?.start();
    lab.scheduler.start();
  } catch (error) {
    hub.close();
    // Listening, it would keep the process from ending.
    if (server.listening) await closeServer(server);
    throw error;
  }
  await submitHome(lab, log);
  lab.removal.start((error) => log.warn({ err: error }, 'what was deleted could not be removed'));
  lab.retention.start((error) => log.warn({ err: error }, 'samples could not be let go'));
  let closing: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    hub.close();
    await Promise.all([closeServer(server), lab.scheduler.close()]);
    // Only now: what was being answered read it.
    await lab.close();
  };
  const url = urlOf(server, config);
  lab.webhooks.start(publicUrl(config, url) ?? url);
  // The operator's own token stays the operator's: what is printed ends up in logs.
  const entry = token === null || config.token !== undefined ? url : `${url}?token=${token}`;
  return { url, entry, lab, close: () => (closing ??= close()) };
}

const personsOf = (
  { access }: Lab,
  { trustedProxies, userHeader, defaultRole }: ServeConfig,
  log: Logger,
): Persons | null =>
  trustedProxies.length === 0 ? null : new Persons(new Proxies(trustedProxies, userHeader, log), access, defaultRole);

/** Where others reach its pages: by the first name that the operator has given a proxy, or that its own certificate is for. */
function publicUrl({ allowHosts, tls }: ServeConfig, url: string): string | null {
  const proxied = allowHosts.find(({ scheme }) => scheme === 'https');
  if (proxied !== undefined) return `https://${proxied.name}`;
  const [named] = allowHosts;
  return tls === null || named === undefined ? null : `https://${named.name}:${new URL(url).port}`;
}

/** What can be done without does not keep the server from starting: the doctor page tells. */
async function prepare(lab: Lab, log: Logger, recover: boolean): Promise<void> {
  try {
    await lab.engine.listing();
    await importLibrary(lab.traces, lab.store, log);
    if (recover) await recoverTraces(lab, log);
  } catch (error) {
    log.error({ err: error }, troubleOf(error)?.reason ?? 'the native programs cannot be used');
  }
}
