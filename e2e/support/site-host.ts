// Serves a folder as any host of files would.
import { readFile, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { FILE_TYPES } from './file-types.ts';

/** A folder's index.html, or 404.html with that status: what hosts of files have in common. */
async function found(folder: string, path: string): Promise<{ readonly status: number; readonly file: string }> {
  const asked = join(folder, normalize(path));
  for (const file of [asked, join(asked, 'index.html')])
    if ((await stat(file).catch(() => null))?.isFile() === true) return { status: 200, file };
  return { status: 404, file: join(folder, '404.html') };
}

export class SiteHost {
  /** Of the site, without a slash at its end. */
  readonly url: string;
  readonly #server: Server;

  private constructor(server: Server, base: string) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${base.slice(0, -1)}`;
  }

  /** `base`: where the folder lies on the host, with a slash at both ends. Outside of it there is nothing. */
  static async of(folder: string, base: string): Promise<SiteHost> {
    const server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://site');
      if (!pathname.startsWith(base)) {
        response.writeHead(404, { 'content-type': 'text/plain' }).end('Nothing is here.');
        return;
      }
      void found(folder, decodeURIComponent(pathname.slice(base.length))).then(async ({ status, file }) => {
        response.writeHead(status, { 'content-type': FILE_TYPES[extname(file)] ?? 'application/octet-stream' });
        response.end(await readFile(file));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new SiteHost(server, base);
  }

  /** Nobody answers any more. */
  async cut(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }
}
