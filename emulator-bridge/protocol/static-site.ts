// A site without a server: what its pages ask of the API lies in files, packed with gzip, by the path that is asked (docs/static-site.md).
import { z } from 'zod';

/** Where the site says of itself what it is; relative, as all of its files, to where the page lies. */
export const SITE_FILE = 'data/site.json';

/** Modules of WebAssembly: the engine, and the reader of traces. */
export const ENGINE_MODULE = 'engine/paceline.wasm';
export const TRACE_MODULE = 'engine/paceline-trace.wasm';

/** The page that goes into files of shares (docs/shares.md), by paths as answers have them. */
export const OFFLINE_CODE = { script: '/offline/share.js', styles: '/offline/share.css' } as const;

export const StaticSite = z.object({
  format: z.literal(1),
  version: z.string().describe('of Paceline'),
  engine_version: z.string().nullable(),
  made_at: z.string(),
});
export type StaticSite = z.infer<typeof StaticSite>;

/** Where it lists the paths of answers that others of their kind are without: samples of runs, recipes of traces. */
export const PARTLY = '/partly';

/** Of which there is one each, whatever the site shows; those of algorithms, traces and experiments are made with them. */
export const SITE_ANSWERS = [
  '/kinds',
  '/fidelity',
  '/home',
  '/settings',
  '/templates',
  '/recipes',
  '/weights',
  '/tags',
  '/ccas/about',
  '/algorithms',
  '/shares',
  '/studies',
];

/** The answer to GET `path`, without its query: what is asked for in parts lies there whole. */
export const jsonFile = (path: string): string => `data${path}.json.gz`;

/** The same where the answer is no JSON. */
export const bytesFile = (path: string): string => `data${path}.bin.gz`;
