// The page in the language that nobody speaks, built into a folder of its own and shown in place of a server's page.
import { execFile } from 'node:child_process';
import { createReadStream, existsSync } from 'node:fs';
import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { FILE_TYPES } from './file-types.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DIST = `${ROOT}build/texts/xx`;

async function build(): Promise<void> {
  const vite = `${ROOT}node_modules/vite/bin/vite.js`;
  const args = ['build', '--config', 'web/vite.config.ts', '--outDir', DIST, '--emptyOutDir', '--logLevel', 'error'];
  await promisify(execFile)(process.execPath, [vite, ...args], {
    cwd: ROOT,
    env: { ...process.env, PACELINE_LANGUAGE: 'xx' },
  });
}

/** What the server answers stays its own, and so does the engine, which says nothing in any language. */
const isServers = (path: string): boolean => /^\/(api|engine)\//.test(path);

function fileOf(path: string): string {
  const asked = join(DIST, normalize(new URL(path, 'http://page').pathname));
  return extname(asked) !== '' && existsSync(asked) ? asked : join(DIST, 'index.html');
}

/** Stands before a server: what is not the server's own answer is the other page. */
export class PseudoPage {
  readonly url: string;
  readonly #door: Server;
  /** All that are open: a server forgets those that became WebSockets. */
  readonly #sockets: ReadonlySet<Socket>;

  private constructor(door: Server, sockets: ReadonlySet<Socket>) {
    this.#door = door;
    this.#sockets = sockets;
    this.url = `http://127.0.0.1:${(door.address() as AddressInfo).port}`;
  }

  static async before(server: { readonly url: string }): Promise<PseudoPage> {
    await build();
    const { hostname, port, host } = new URL(server.url);
    const asked = ({ method, url: path, headers }: IncomingMessage) => {
      const origin = headers.origin === undefined ? {} : { origin: server.url };
      return { hostname, port, method, path, headers: { ...headers, ...origin, host } };
    };
    const sockets = new Set<Socket>();
    const door = createServer((from, to) => {
      if (isServers(from.url ?? '')) {
        const onward = request(asked(from), (answer) => {
          to.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(to);
        });
        onward.on('error', () => to.destroy());
        to.on('close', () => onward.destroy());
        from.pipe(onward);
        return;
      }
      const file = fileOf(from.url ?? '/');
      to.writeHead(200, {
        'content-type': FILE_TYPES[extname(file)] ?? 'application/octet-stream',
        'cache-control': file.includes('/assets/') ? 'max-age=3600' : 'no-cache',
      });
      createReadStream(file).pipe(to);
    });
    door.on('upgrade', (from, socket, head) => {
      const onward = request(asked(from));
      onward.on('upgrade', (answer, other, first) => {
        const lines = Object.entries(answer.headers).map(([name, value]) => `${name}: ${String(value)}`);
        socket.write(['HTTP/1.1 101 Switching Protocols', ...lines, '', ''].join('\r\n'));
        socket.write(first);
        other.write(head);
        for (const [one, its] of [
          [socket, other],
          [other, socket],
        ] as const) {
          one.pipe(its);
          one.on('error', () => its.destroy());
          one.on('close', () => its.destroy());
        }
      });
      onward.on('error', () => socket.destroy());
      onward.on('response', () => socket.destroy());
      onward.end();
    });
    door.on('connection', (socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    });
    await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
    return new PseudoPage(door, sockets);
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#door.close(() => resolve()));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}
