// The page of the site: built, and told what a server would tell it with its headers.
import { existsSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nativeDir } from '#bridge/programs';
import { ENGINE_MODULE, OFFLINE_CODE, SITE_FILE, TRACE_MODULE } from '#protocol/static-site';
import { contentSecurityPolicy } from '#server/http/static';
import { filesBelow } from '../lib/find.mjs';
import { run } from '../lib/run.mjs';
import { siteVersion, type SiteFile, type SiteFiles } from './site-files.ts';

const path = (from: string): string => fileURLToPath(new URL(`../../${from}`, import.meta.url));
const BUILT = path('build/static-page');
/** What a server has for the files of shares. */
const OFFLINE = path('web/dist/offline');
const ICON = 'icon.svg';
const WORKER = 'service-worker.js';
const SURFACE = { light: '#ffffff', dark: '#11151a' };

/** What Vite says of the build is for servers. */
const isLeftOut = (name: string): boolean => name.startsWith('.vite/');

export const MANIFEST = {
  name: 'Paceline',
  short_name: 'Paceline',
  description: 'A laboratory for congestion control over cellular links',
  // From where this file lies.
  start_url: './',
  scope: './',
  display: 'standalone',
  background_color: SURFACE.light,
  theme_color: SURFACE.light,
  icons: ['any', 'maskable'].map((purpose) => ({ src: ICON, sizes: 'any', type: 'image/svg+xml', purpose })),
};

/** `base`: where the site lies on its host, with a slash at both ends. The page with its policy, as far as a page can say it itself (not who may frame it), and with what makes it one that can be installed. */
export function sitePage(html: string, base: string): string {
  const policy = contentSecurityPolicy(html)
    .split('; ')
    .filter((directive) => !directive.startsWith('frame-ancestors'))
    .join('; ');
  const head = [
    `<meta http-equiv="Content-Security-Policy" content="${policy}" />`,
    '<meta name="referrer" content="same-origin" />',
    `<meta name="theme-color" content="${SURFACE.light}" media="(prefers-color-scheme: light)" />`,
    `<meta name="theme-color" content="${SURFACE.dark}" media="(prefers-color-scheme: dark)" />`,
    `<link rel="manifest" href="${base}manifest.webmanifest" />`,
  ];
  const charset = '<meta charset="utf-8" />';
  if (!html.includes(charset)) throw new Error(`the built page has no ${charset}`);
  // Before every script: a policy holds for what comes after it.
  return html.replace(charset, [charset, ...head].join('\n    '));
}

/** Files of the built page but the page itself and its worker, which are written when everything else is known. */
export async function writePage(files: SiteFiles, base: string): Promise<string> {
  const vite = path('node_modules/vite/bin/vite.js');
  const config = path('web/vite.static.config.ts');
  await run(process.execPath, [vite, 'build', '--config', config, '--base', base, '--logLevel', 'warn']);
  for (const file of filesBelow(BUILT, () => true)) {
    const name = relative(BUILT, file);
    if (!isLeftOut(name) && name !== 'index.html' && name !== WORKER) files.plain(name, readFileSync(file), 'page');
  }
  files.plain(ICON, readFileSync(path('web/src/ui/mark.svg')), 'page');
  files.plain('manifest.webmanifest', Buffer.from(JSON.stringify(MANIFEST, null, 2)), 'page');
  for (const name of Object.values(OFFLINE_CODE)) {
    const built = join(OFFLINE, basename(name));
    if (!existsSync(built)) throw new Error(`${built} has not been built: node scripts/setup.mjs --only web`);
    files.bytes(name, readFileSync(built), 'page');
  }
  for (const module of [ENGINE_MODULE, TRACE_MODULE])
    files.plain(module, readFileSync(join(nativeDir(), basename(module))), 'engine');
  return sitePage(readFileSync(join(BUILT, 'index.html'), 'utf8'), base);
}

/** An answer that is larger is kept when it is first looked at. */
const MOST_KEPT_BYTES = 128 * 2 ** 10;
/** As are those of single runs: they are many, and most are never looked at. */
const isOfRun = (name: string): boolean => name.startsWith('data/runs/');
/** Few ever ask for a file of a share, and it is a page of its own. */
const isForFiles = (name: string): boolean => name.startsWith('data/offline/');
/** Without it nothing runs over a trace. */
const isContent = (name: string): boolean => name.endsWith('/content.bin.gz');

/** What a browser keeps of the site from the first visit on, from where the site lies. */
export const precached = (all: readonly SiteFile[]): { readonly page: string[]; readonly answers: string[] } => {
  const kept = all.filter(({ name }) => !/(^|\/)(index|404)\.html$/.test(name) && name !== WORKER && !isForFiles(name));
  return {
    page: ['./', ...kept.filter(({ kind }) => kind === 'page' || kind === 'engine').map(({ name }) => name)],
    answers: kept
      .filter(
        ({ name, kind, bytes }) =>
          kind === 'answers' && !isOfRun(name) && (isContent(name) || bytes <= MOST_KEPT_BYTES),
      )
      .map(({ name }) => name),
  };
};

/** Last of all: what keeps the site, by its version. */
export function writeWorker(files: SiteFiles): void {
  files.plain('data/precache.json', Buffer.from(JSON.stringify(precached(files.all))), 'page');
  const worker = readFileSync(join(BUILT, WORKER), 'utf8');
  // Browsers take it as a plain script. It has pieces of its own where the page has need of the same module.
  if (/^import\b/.test(worker)) throw new Error(`${WORKER} is not in one piece`);
  // When it was made makes it no other site.
  const version = siteVersion(files.all.filter(({ name }) => name !== SITE_FILE));
  const told = worker.replace('SITE_VERSION', version);
  if (told === worker) throw new Error(`${WORKER} has no place for the version of the site`);
  files.plain(WORKER, Buffer.from(told), 'page');
}
