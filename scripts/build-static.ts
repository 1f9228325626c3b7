/**
 * `npm run build:static [-- --small] [-- --out DIR] [-- --base FOLDER] [-- --data-dir DIR]`: makes a site without a server (docs/static-site.md), a folder that
 * any host of files serves. What it shows is told by scripts/static/contents.json and made first; with a data folder what is done there is
 * not done again. `--base`: it is for a folder of its host, and not for the root. `--small`: little of it, for tests.
 */
import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { sweepTemporary, temporaryFolder } from '#bridge/temporary';
import { PARTLY, SITE_FILE, type StaticSite } from '#protocol/static-site';
import { asker } from '#server/http/ask';
import { allRoutes } from '#server/http/app';
import { openLab, type Lab } from '#server/lab';
import { createLog } from '#server/log';
import { Shares } from '#server/shares/share-service';
import { VERSION } from '#server/version';
import { LESSONS } from '../web/src/learn/lessons.ts';
import { addresses, fileOf } from './static/addresses.ts';
import { AnswerWriter } from './static/answers.ts';
import { baseOf } from './static/base.ts';
import { readContents, type SiteContents } from './static/contents.ts';
import { fillLab } from './static/fill.ts';
import { machineNames } from './static/leaks.ts';
import { writePage, writeWorker } from './static/page.ts';
import { clearSite, FILE_KINDS, SiteFiles } from './static/site-files.ts';
import { MOST_BYTES } from './static/sizes.ts';

const TELL_MS = 10_000;
const DEFAULT_OUT = fileURLToPath(new URL('../build/static-site', import.meta.url));

const { values } = parseArgs({
  options: {
    small: { type: 'boolean', default: false },
    out: { type: 'string', default: DEFAULT_OUT },
    base: { type: 'string', default: '/' },
    'data-dir': { type: 'string' },
  },
});

const began = performance.now();
const seconds = (): string => `${Math.round((performance.now() - began) / 1000)} s`;

function progress(): (done: number, total: number) => void {
  let told = performance.now();
  return (done, total) => {
    if (performance.now() - told < TELL_MS && done < total) return;
    told = performance.now();
    console.log(`${done} of ${total} runs after ${seconds()}`);
  };
}

/** First of all: by it the next build knows the folder for one that it may empty. */
async function writeSite(lab: Lab, files: SiteFiles): Promise<void> {
  const { engine_version } = await lab.engine.listing();
  const site: StaticSite = { format: 1, version: VERSION, engine_version, made_at: new Date().toISOString() };
  files.plain(SITE_FILE, Buffer.from(JSON.stringify(site)), 'answers');
}

async function writeAnswers(lab: Lab, contents: SiteContents, files: SiteFiles): Promise<string[]> {
  const within = asker(allRoutes(lab), lab.store.private)('all');
  const ask = (path: string): Promise<unknown> => within(path, new AbortController().signal);
  const shares = new Shares(lab);
  const filled = await fillLab(lab, { shares, ask: within }, contents, { log: createLog('warn'), tell: progress() });
  const writer = new AnswerWriter({ lab, shares, ask, files, filled });
  await writer.write();
  files.json(PARTLY, [...writer.partly]);
  const { ccas } = await lab.engine.listing();
  return addresses({
    experiments: lab.experiments.list({ archived: true }).map(({ id }) => id),
    runs: writer.sampledRuns,
    traces: lab.store.traces.list().map(({ id }) => id),
    studies: await writer.studies(),
    ccas: ccas.map(({ id }) => id),
    shares: shares.list().map(({ slug }) => slug),
    lessons: LESSONS.map(({ id }) => id),
  });
}

function tell(files: SiteFiles, out: string): number {
  const { all } = files;
  for (const kind of FILE_KINDS) {
    const own = all.filter((file) => file.kind === kind);
    const bytes = own.reduce((sum, file) => sum + file.bytes, 0);
    console.log(`${kind.padEnd(8)} ${String(own.length).padStart(6)} files ${(bytes / 1e6).toFixed(2).padStart(8)} MB`);
  }
  const total = all.reduce((sum, file) => sum + file.bytes, 0);
  console.log(`${out}: ${all.length} files, ${(total / 1e6).toFixed(1)} MB, after ${seconds()}`);
  return total;
}

const out = resolve(values.out);
const base = baseOf(values.base);
await sweepTemporary();
const temporary = values['data-dir'] === undefined ? await temporaryFolder() : null;
const dataDir = temporary ?? resolve(values['data-dir'] ?? '');
clearSite(out);
const files = new SiteFiles(out, machineNames(dataDir));
const lab = openLab({ dataDir, workers: availableParallelism(), log: createLog('warn') });
try {
  await writeSite(lab, files);
  const contents = readContents(values.small ? 'small' : 'whole');
  const [page, known] = await Promise.all([writePage(files, base), writeAnswers(lab, contents, files)]);
  const html = Buffer.from(page);
  for (const name of ['index.html', '404.html', ...known.map(fileOf)]) files.plain(name, html, 'page');
  writeWorker(files);
} finally {
  await lab.close();
  if (temporary !== null) rmSync(temporary, { recursive: true, force: true });
}
if (tell(files, out) > MOST_BYTES) {
  console.error(`It may have ${MOST_BYTES / 1e6} MB: leave something out of scripts/static/contents.json.`);
  process.exitCode = 1;
}
