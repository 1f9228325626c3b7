// A reverse proxy as one stands in front of the server: knows its visitors by a cookie, says who they are, and passes on the rest.
import { once } from 'node:events';
import { createServer, request, type IncomingHttpHeaders, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

export interface ProxyOptions {
  /** The address that it connects from. */
  readonly from: string;
  /** What it drops of what clients send: a good one all that could be taken for its own word. */
  readonly drops?: (header: string) => boolean;
  /** Its own word for a visitor; null: it knows none. */
  readonly says: (visitor: string) => Record<string, string | string[]>;
}

const isOwnWord = (header: string): boolean => header === 'x-forwarded-user';

export class TestProxy {
  readonly #server: Server;
  readonly #open = new Set<Duplex>();

  private constructor(server: Server) {
    this.#server = server;
  }

  /** @param target the address of the server behind it */
  static async start(target: string, options: ProxyOptions): Promise<TestProxy> {
    const proxy = new TestProxy(createServer());
    const { hostname, port } = new URL(target);
    const place = { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port), localAddress: options.from };
    proxy.#server.on('request', (req, res) => {
      const { method, url } = req;
      const passed = request(
        { ...place, method, path: url, headers: headersOf(req, options), agent: false },
        (answer) => {
          res.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(res);
        },
      );
      passed.on('error', () => res.destroy());
      req.pipe(passed);
    });
    proxy.#server.on('upgrade', (req, socket: Duplex, head: Buffer) => {
      const behind = connect(place);
      proxy.#open.add(socket).add(behind);
      for (const [one, other] of [
        [socket, behind],
        [behind, socket],
      ] as const)
        one.on('error', () => other.destroy()).on('close', () => other.destroy());
      behind.write(`GET ${req.url ?? '/'} HTTP/1.1\r\n${linesOf(headersOf(req, options))}\r\n`);
      behind.write(head);
      socket.pipe(behind).pipe(socket);
    });
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.#open) socket.destroy();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

function headersOf(req: IncomingMessage, { drops = isOwnWord, says }: ProxyOptions): IncomingHttpHeaders {
  const visitor = /(?:^|; )visitor=([^;]+)/.exec(req.headers.cookie ?? '')?.[1];
  const kept = Object.entries(req.headersDistinct).flatMap(([name, values]) =>
    drops(name) || values === undefined ? [] : [[name, values.length === 1 ? values[0] : values] as const],
  );
  const own = visitor === undefined ? {} : says(decodeURIComponent(visitor));
  const both = new Map<string, string | string[] | undefined>(kept);
  // One that adds where it should replace has said it twice.
  for (const [name, value] of Object.entries(own)) both.set(name, [both.get(name) ?? [], value].flat());
  return Object.fromEntries(both);
}

const linesOf = (headers: IncomingHttpHeaders): string =>
  Object.entries(headers)
    .flatMap(([name, value]) => [value ?? []].flat().map((one) => `${name}: ${one}\r\n`))
    .join('');
