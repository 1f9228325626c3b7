// A site without a server for journeys: made small, and served as any host of files would.
import { spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FILE_TYPES } from './file-types.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

async function built(folder: string, dataDir: string, base: string): Promise<void> {
  const options = ['--small', '--out', folder, '--data-dir', dataDir, '--base', base];
  const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/build-static.ts', ...options], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stdout.on('data', (text: Buffer) => (said += text.toString()));
  child.stderr.on('data', (text: Buffer) => (said += text.toString()));
  const code = await new Promise((resolve) => child.on('close', resolve));
  if (code !== 0) throw new Error(`the site was not built:\n${said}`);
}

/** A folder's index.html, or 404.html with that status: what hosts of files have in common. */
async function found(folder: string, path: string): Promise<{ readonly status: number; readonly file: string }> {
  const asked = join(folder, normalize(path));
  for (const file of [asked, join(asked, 'index.html')])
    if ((await stat(file).catch(() => null))?.isFile() === true) return { status: 200, file };
  return { status: 404, file: join(folder, '404.html') };
}

/** One that was built; it goes when the journeys are over. */
export class SiteFolder {
  readonly #home: string;
  readonly #base: string;

  private constructor(home: string, base: string) {
    this.#home = home;
    this.#base = base;
  }

  static async build(): Promise<SiteFolder> {
    const site = new SiteFolder(await mkdtemp(join(tmpdir(), 'paceline-e2e-site-')), '/');
    await site.#build();
    return site;
  }

  /** The same site for a folder of its host, called with a slash at both ends. It goes with this one. */
  async in(base: string): Promise<SiteFolder> {
    const site = new SiteFolder(this.#home, base);
    await site.#build();
    return site;
  }

  #build(): Promise<void> {
    return built(this.#path, join(this.#home, 'data'), this.#base);
  }

  get #path(): string {
    return join(this.#home, `site${this.#base.replaceAll('/', '-')}`);
  }

  /** A host of its own, at an address that no browser has been to. Outside the site's folder it has nothing. */
  async serve(): Promise<SiteHost> {
    const server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://site');
      if (!pathname.startsWith(this.#base)) {
        response.writeHead(404, { 'content-type': 'text/plain' }).end('Nothing is here.');
        return;
      }
      void found(this.#path, decodeURIComponent(pathname.slice(this.#base.length))).then(async ({ status, file }) => {
        response.writeHead(status, { 'content-type': FILE_TYPES[extname(file)] ?? 'application/octet-stream' });
        response.end(await readFile(file));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new SiteHost(server, this.#base);
  }

  remove(): Promise<void> {
    return rm(this.#home, { recursive: true, force: true });
  }
}

export class SiteHost {
  /** Of the site, without a slash at its end. */
  readonly url: string;
  readonly #server: Server;

  constructor(server: Server, base: string) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${base.slice(0, -1)}`;
  }

  /** Nobody answers any more. */
  async cut(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }
}
