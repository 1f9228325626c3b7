// What listens: plain, or with a certificate of the operator's, which is read again when it has been renewed.
import { readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createSecureContext } from 'node:tls';
import type { Logger } from 'pino';
import { UsageError, type TlsFiles } from '../config.ts';

/** Certificates are renewed every few weeks. */
const LOOK_MS = 60_000;
/** A handshake that takes longer holds a connection for nothing. */
const HANDSHAKE_MS = 10_000;
/** Longer than a proxy before it keeps its connections (nginx and Envoy: 60 s): who closes first never meets a request on its way. */
const KEEP_ALIVE_MS = 75_000;

interface Pair {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** What is not a certificate with its key is told with the option that names it. */
function pairOf({ cert, key }: TlsFiles): Pair {
  const read = (option: string, file: string): Buffer => {
    try {
      return readFileSync(file);
    } catch (error) {
      throw new UsageError(`${option}: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const pair = { cert: read('--tls-cert', cert), key: read('--tls-key', key) };
  try {
    createSecureContext(pair);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(`--tls-cert, --tls-key: ${cert} and ${key} are no certificate and its key: ${why}`);
  }
  return pair;
}

const changedAt = ({ cert, key }: TlsFiles): number => Math.max(...[cert, key].map((file) => statSync(file).mtimeMs));

/** @param tls null: it speaks plain HTTP */
export function newServer(tls: TlsFiles | null, log: Logger, lookMs = LOOK_MS): Server {
  const options = { keepAliveTimeout: KEEP_ALIVE_MS };
  if (tls === null) return createServer(options);
  const secure = { minVersion: 'TLSv1.2', handshakeTimeout: HANDSHAKE_MS } as const;
  const server = createTlsServer({ ...options, ...pairOf(tls), ...secure });
  let seen = changedAt(tls);
  const timer = setInterval(() => {
    try {
      const now = changedAt(tls);
      if (now === seen) return;
      server.setSecureContext({ ...pairOf(tls), minVersion: 'TLSv1.2' });
      seen = now;
      log.info({ cert: tls.cert }, 'the certificate was read again');
    } catch (error) {
      // Half a renewal, perhaps: the old one goes on, and is looked for again.
      log.warn({ err: error }, 'the certificate could not be read again');
    }
  }, lookMs).unref();
  server.on('close', () => clearInterval(timer));
  return server;
}
