// A site without a server for journeys: made small, and served as any host of files would.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SiteHost } from './site-host.ts';

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

  /** A host of its own, at an address that no browser has been to. */
  serve(): Promise<SiteHost> {
    return SiteHost.of(this.#path, this.#base);
  }

  remove(): Promise<void> {
    return rm(this.#home, { recursive: true, force: true });
  }
}
