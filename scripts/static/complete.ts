// What a site that was built must have, by what it says of itself and by what was to go in.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import {
  bytesFile,
  ENGINE_MODULE,
  jsonFile,
  OFFLINE_CODE,
  PARTLY,
  SITE_ANSWERS,
  SITE_FILE,
  TRACE_MODULE,
} from '#protocol/static-site';
import { StudyRecord } from '#protocol/study';
import { fileOf, PAGES } from './addresses.ts';
import type { SiteContents } from './contents.ts';

const Precache = z.object({ page: z.array(z.string()), answers: z.array(z.string()) });
const Ids = z.record(z.string(), z.array(z.looseObject({ id: z.string().optional(), slug: z.string().optional() })));
const Experiments = z.object({
  experiments: z.array(z.object({ id: z.string(), name: z.string(), runs_total: z.number(), runs_done: z.number() })),
});
export interface Complete {
  /** Sentences; none: it has all. */
  readonly missing: readonly string[];
  /** Addresses of some of each kind, to be opened. */
  readonly addresses: readonly string[];
}

const FIXED = ['index.html', '404.html', 'service-worker.js', 'manifest.webmanifest', 'icon.svg', 'data/precache.json'];

class Site {
  readonly missing: string[] = [];
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  needs(file: string, why: string): boolean {
    const isThere = existsSync(join(this.#folder, file));
    if (!isThere) this.missing.push(`${file} is missing: ${why}`);
    return isThere;
  }

  /** Null: it is missing, or cannot be read. */
  json<S extends z.ZodType>(path: string, schema: S): z.infer<S> | null {
    const file = jsonFile(path);
    if (!this.needs(file, `the answer to ${path}`)) return null;
    try {
      return schema.parse(JSON.parse(gunzipSync(readFileSync(join(this.#folder, file))).toString()));
    } catch (error) {
      this.missing.push(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
      return null;
    }
  }

  ids(path: string): string[] {
    return Object.values(this.json(path, Ids) ?? {}).flatMap((all) => all.flatMap(({ id, slug }) => id ?? slug ?? []));
  }
}

function precached(site: Site, folder: string): void {
  if (!site.needs('data/precache.json', 'browsers keep nothing without it')) return;
  const { page, answers } = Precache.parse(JSON.parse(readFileSync(join(folder, 'data/precache.json'), 'utf8')));
  for (const file of [...page, ...answers])
    if (file !== './') site.needs(file, 'browsers keep it from the first visit on');
}

/** All of those addresses, each with its page and its answers. */
function placed(site: Site, at: string, path: string, ids: readonly string[], parts: readonly string[]): string[] {
  for (const id of ids) {
    site.needs(fileOf(`${at}/${id}`), 'the page at its address');
    for (const part of parts) site.needs(jsonFile(`${path}/${id}${part}`), `of ${path}/${id}`);
  }
  return ids.map((id) => `${at}/${id}`);
}

/** `contents`: what was to go in. */
export function complete(folder: string, contents: SiteContents): Complete {
  const site = new Site(folder);
  for (const file of [...FIXED, SITE_FILE, ENGINE_MODULE, TRACE_MODULE]) site.needs(file, 'every site has it');
  for (const path of Object.values(OFFLINE_CODE)) site.needs(bytesFile(path), 'files of shares are made of it');
  for (const path of SITE_ANSWERS) site.needs(jsonFile(path), 'every site has it');
  for (const address of PAGES) site.needs(fileOf(address), 'the page at its address');
  precached(site, folder);
  for (const path of site.json(PARTLY, z.array(z.string())) ?? [])
    site.needs(path.endsWith('/samples') ? bytesFile(path) : jsonFile(path), 'the site says that it has it');

  const { experiments = [] } = site.json('/experiments', Experiments) ?? {};
  for (const { name, runs_done, runs_total } of experiments)
    if (runs_done !== runs_total) site.missing.push(`${name} has ${runs_done} of its ${runs_total} runs`);
  const ofExperiments = placed(
    site,
    '/e',
    '/experiments',
    experiments.map(({ id }) => id),
    ['', '/answers', '/sparks'],
  );
  const ofTraces = placed(site, '/traces', '/traces', site.ids('/traces'), ['', '/dynamics', '/marks']);
  const ofShares = placed(site, '/s', '/shares', site.ids('/shares'), ['', '/answers']);
  for (const { slug } of contents.shares)
    if (!ofShares.includes(`/s/${slug}`)) site.missing.push(`the share ${slug} is missing`);
  const ofStudies = contents.studies.map(({ id }) => `/studies/${id}`);
  for (const path of ofStudies) ran(site, path, ofExperiments);
  const some = [ofExperiments.slice(0, SOME), ofTraces.slice(0, 1), ofShares, ofStudies];
  return { missing: site.missing, addresses: ['/', '/runs', '/ccas/cubic', '/learn', '/what-if', ...some.flat()] };
}

const SOME = 8;

/** What was measured in real time alone has no experiment in a site. */
function ran(site: Site, path: string, known: readonly string[]): void {
  const study = site.json(path, StudyRecord);
  if (study !== null && !study.experiments.some(({ experiment }) => known.includes(`/e/${experiment ?? ''}`)))
    site.missing.push(`${path} has no experiment on the site`);
}
