import { STATUS_CODES, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { WebSocketServer, type WebSocket } from 'ws';
import { LIVE_SUBPROTOCOL } from '#protocol/live';
import { ERRORS } from '../errors.ts';
import { eyesOfCaller } from '../http/eyes.ts';
import type { Guard } from '../http/guard.ts';
import type { Metrics } from '../http/metrics.ts';
import type { Lab } from '../lab.ts';
import type { Eyes } from '../store/private.ts';
import { Connection } from './connection.ts';

const PATH = '/api/v1/live';
const HEARTBEAT_MS = 15_000;
/** How long a viewer may take to say goodbye. */
const CLOSE_PATIENCE_MS = 1000;
const MAX_REQUEST_BYTES = 64 * 1024;

export interface HubOptions {
  readonly lab: Lab;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly guard: Guard;
}

/** The WebSocket side of the server: live and replayed samples, and how experiments stand. */
export class LiveHub {
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_REQUEST_BYTES,
    // Samples are dense: compressing them costs more time than it saves.
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(LIVE_SUBPROTOCOL) ? LIVE_SUBPROTOCOL : false),
  });
  readonly #alive = new WeakSet<WebSocket>();
  readonly #connections = new Set<Connection>();
  /** What each has come with: a token that is revoked, or a role that is taken, ends what it watches. */
  readonly #came = new WeakMap<WebSocket, IncomingMessage>();
  readonly #heartbeat: NodeJS.Timeout;

  readonly #options: HubOptions;

  constructor(server: Server, options: HubOptions) {
    this.#options = options;
    server.on('upgrade', (req, socket, head) => {
      const status = this.#refusal(req, options.guard);
      if (status === null)
        this.#sockets.handleUpgrade(req, socket, head, (ws) => {
          this.#came.set(ws, req);
          this.#welcome(ws, socket, req);
        });
      else turnAway(socket, status);
    });
    this.#heartbeat = setInterval(() => {
      this.#beat();
    }, HEARTBEAT_MS);
  }

  close(): void {
    clearInterval(this.#heartbeat);
    for (const connection of this.#connections) connection.close();
    // 1001: going away. Pages connect again when the server is back.
    for (const socket of this.#sockets.clients) {
      socket.close(1001, 'the server is shutting down');
      setTimeout(() => {
        socket.terminate();
      }, CLOSE_PATIENCE_MS).unref();
    }
    this.#sockets.close();
  }

  #welcome(socket: WebSocket, line: Duplex, req: IncomingMessage): void {
    const { lab, log, metrics, guard } = this.#options;
    metrics.viewers.inc();
    this.#alive.add(socket);
    socket.on('pong', () => this.#alive.add(socket));
    socket.on('error', (error) => {
      log.debug({ err: error }, 'a live connection failed');
    });
    const eyes = (): Eyes => eyesOfCaller(guard.caller(req));
    const observeLag = (seconds: number): void => metrics.observeLag(seconds);
    const connection = new Connection(socket, line, { lab, log, eyes, observeLag });
    this.#connections.add(connection);
    socket.once('close', () => {
      metrics.viewers.dec();
      connection.close();
      this.#connections.delete(connection);
    });
  }

  #refusal(req: IncomingMessage, guard: Guard): number | null {
    const refused = guard.refusal(req);
    if (refused !== null) return ERRORS[refused.code].status;
    if ((req.url ?? '').split('?')[0] !== PATH) return 404;
    const offered = (req.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
    return offered.includes(LIVE_SUBPROTOCOL) ? null : 400;
  }

  /** Who has not answered the last ping is gone; whose token holds no more has to go. */
  #beat(): void {
    for (const socket of this.#sockets.clients) {
      const came = this.#came.get(socket);
      if (came === undefined || this.#options.guard.locked(came) !== null)
        socket.close(1008, 'the token holds no more');
      else if (!this.#alive.delete(socket)) socket.terminate();
      else socket.ping();
    }
  }
}

/** From the upgrade on the socket is ours alone: nobody else hears its errors, or closes it. */
function turnAway(socket: Duplex, status: number): void {
  socket.on('error', () => undefined);
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
