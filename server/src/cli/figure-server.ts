// A server of a data folder for the time that a figure takes: it shows what is there, makes no runs and listens to this machine only.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp } from '../http/app.ts';
import { Guard } from '../http/guard.ts';
import { Hosts } from '../http/hosts.ts';
import { closeServer } from '../http/listen.ts';
import { Metrics } from '../http/metrics.ts';
import { openLab } from '../lab.ts';
import { Limits } from '../limits.ts';
import { LiveHub } from '../live/hub.ts';
import { createLog } from '../log.ts';

export interface FigureServer {
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** `name`: of the host at which the figures say that they are found. */
export async function figureServer(dataDir: string, name: string): Promise<FigureServer> {
  const log = createLog('warn');
  const lab = openLab({ dataDir, workers: 1, log });
  const server = createServer();
  const metrics = new Metrics(lab);
  const guard = new Guard(new Hosts('127.0.0.1', [{ scheme: 'http', name }]), null);
  const hub = new LiveHub(server, { lab, log, metrics, guard });
  server.on('request', createApp({ lab, log, metrics, guard, limits: Limits.parse({}) }));
  const close = async (): Promise<void> => {
    hub.close();
    if (server.listening) await closeServer(server);
    await lab.close();
  };
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', resolve);
    });
  } catch (error) {
    await close();
    throw error;
  }
  return { port: (server.address() as AddressInfo).port, close };
}
