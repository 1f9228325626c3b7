// A site without a server for journeys: made small, and served as any host of files would.
import { spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
};

async function built(folder: string): Promise<void> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/build-static.ts', '--small', '--out', folder], {
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
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  static async build(): Promise<SiteFolder> {
    const path = join(await mkdtemp(join(tmpdir(), 'paceline-e2e-site-')), 'site');
    await built(path);
    return new SiteFolder(path);
  }

  /** A host of its own, at an address that no browser has been to. */
  async serve(): Promise<SiteHost> {
    const server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://site');
      void found(this.path, decodeURIComponent(pathname)).then(async ({ status, file }) => {
        response.writeHead(status, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
        response.end(await readFile(file));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new SiteHost(server);
  }

  remove(): Promise<void> {
    return rm(join(this.path, '..'), { recursive: true, force: true });
  }
}

export class SiteHost {
  readonly url: string;
  readonly #server: Server;

  constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** Nobody answers any more. */
  async cut(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }
}
