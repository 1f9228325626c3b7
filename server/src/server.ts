import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { sweepTemporary } from '#bridge/temporary';
import type { ServeConfig } from './config.ts';
import { offered } from './external-programs.ts';
import { submitHome } from './experiments/home.ts';
import { createApp } from './http/app.ts';
import { Guard } from './http/guard.ts';
import { Hosts, isLoopback } from './http/hosts.ts';
import { Keys, newToken } from './http/keys.ts';
import { Metrics } from './http/metrics.ts';
import { endSlowBodies } from './http/slow-bodies.ts';
import { checkDatabase, openLab, type Lab } from './lab.ts';
import { LiveHub } from './live/hub.ts';
import { createLog } from './log.ts';
import { troubleOf } from './store/trouble.ts';
import { importLibrary } from './traces/library.ts';
import { recoverTraces } from './traces/recover.ts';

/** How long requests that are being answered may take when the server ends. */
const CLOSE_PATIENCE_MS = 3000;
const HEADERS_TIMEOUT_MS = 30_000;

export interface RunningServer {
  readonly url: string;
  /** What to open in a browser: with the token where one was drawn. */
  readonly entry: string;
  readonly lab: Lab;
  readonly close: () => Promise<void>;
}

/** The whole server, listening. */
export async function startServer(config: ServeConfig, log = createLog(config.logLevel)): Promise<RunningServer> {
  await sweepTemporary();
  const { external, bpf } = offered(config, config.bpf);
  const lab = openLab({ ...config, log, bpf, external });
  try {
    return await serveLab(lab, config, log);
  } catch (error) {
    await lab.close();
    throw error;
  }
}

async function serveLab(lab: Lab, config: ServeConfig, log: Logger): Promise<RunningServer> {
  await checkDatabase(lab);
  const metrics = new Metrics(lab);
  const token = config.token ?? (isLoopback(config.host) ? null : newToken());
  const keys = token === null ? null : new Keys(token, config.token !== undefined, lab.store.settings);
  const guard = new Guard(new Hosts(config.host, config.allowHosts), keys);
  const server = createServer(createApp({ lab, log, metrics, guard, limits: config.limits }));
  // A gigabyte over a slow line takes longer than Node's five minutes.
  server.requestTimeout = 0;
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  endSlowBodies(server, config.limits);
  const hub = new LiveHub(server, { lab, log, metrics, guard });
  try {
    await prepare(lab, log, config.recoverTraces);
    await listen(server, config, log);
    log.info({ ...config, token: undefined, address: server.address() }, 'listening');
    lab.scheduler.start();
  } catch (error) {
    hub.close();
    // Listening, it would keep the process from ending.
    if (server.listening) await closeServer(server);
    throw error;
  }
  await submitHome(lab, log);
  let closing: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    hub.close();
    await Promise.all([closeServer(server), lab.close()]);
  };
  const url = urlOf(server, config.host);
  // The operator's own token stays the operator's: what is printed ends up in logs.
  const entry = token === null || config.token !== undefined ? url : `${url}?token=${token}`;
  return { url, entry, lab, close: () => (closing ??= close()) };
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

function listen(server: Server, { host, port }: ServeConfig, log: Logger): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      // A connection that cannot be taken (no descriptors left) is no reason to end.
      server.on('error', (error) => log.error({ err: error }, 'a connection could not be taken'));
      resolve();
    });
  });
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => {
    server.closeAllConnections();
  }, CLOSE_PATIENCE_MS);
  await closed;
  clearTimeout(timer);
}

function urlOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}/`;
}
