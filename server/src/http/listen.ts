import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import type { ServeConfig } from '../config.ts';

/** How long requests that are being answered may take when the server ends. */
const CLOSE_PATIENCE_MS = 3000;

export function listen(server: Server, { host, port }: Pick<ServeConfig, 'host' | 'port'>, log: Logger): Promise<void> {
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

/** Lets what is being answered be answered, for a while; whoever asks again on the same connection is answered once more. */
export async function closeServer(server: Server): Promise<void> {
  // Node 20 closes idle connections, and keeps one on which question follows question.
  server.prependListener('request', (_request, response: ServerResponse) => {
    response.shouldKeepAlive = false;
  });
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => {
    server.closeAllConnections();
  }, CLOSE_PATIENCE_MS);
  await closed;
  clearTimeout(timer);
}

/** What a browser on this machine opens. */
export function urlOf(server: Server, { host, tls }: Pick<ServeConfig, 'host' | 'tls'>): string {
  const { port } = server.address() as AddressInfo;
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host;
  return `http${tls === null ? '' : 's'}://${name}:${port}/`;
}
