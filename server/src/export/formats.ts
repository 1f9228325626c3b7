// The formats in which results leave: what the API calls them, and how a browser names the file.
export const EXPORT_FORMATS = {
  csv: { contentType: 'text/csv; charset=utf-8; header=present', extension: 'csv' },
  json: { contentType: 'application/json; charset=utf-8', extension: 'json' },
  parquet: { contentType: 'application/vnd.apache.parquet', extension: 'parquet' },
} as const;

export type ExportFormat = keyof typeof EXPORT_FORMATS;

/** Results of an experiment are a table, too, that a paper takes; the samples of a run are not. */
export const RESULT_FORMATS = {
  ...EXPORT_FORMATS,
  latex: { contentType: 'application/x-latex; charset=utf-8', extension: 'tex' },
} as const;
export type ResultFormat = keyof typeof RESULT_FORMATS;

/** A run's series leave for other programs, too. */
export const RUN_FORMATS = {
  ...EXPORT_FORMATS,
  flent: { contentType: 'application/gzip', extension: 'flent.gz' },
  omnetpp: { contentType: 'text/plain; charset=utf-8', extension: 'vec' },
} as const;
export type RunFormat = keyof typeof RUN_FORMATS;

/** A file in pieces, made as they are asked for: `Readable.from(chunks)` sends or writes it without holding it whole. */
export type Chunks = Generator<Uint8Array, void, undefined>;

/** Where the page stands that shows what a file holds, `http://lab:8080`; null: there is none. */
export type Page = string | null;

/** Address of a run or an experiment there. */
export const pageOf = (page: Page, kind: 'r' | 'e', id: string): string | null =>
  page === null ? null : `${page}/${kind}/${id}`;

const CHUNK_CHARACTERS = 64 * 1024;
const utf8 = new TextEncoder();

/** Text in pieces of a useful size. An empty part is a pause: what there is goes out, and others have a turn. */
export function* encodeText(parts: Iterable<string>): Chunks {
  let held = '';
  for (const part of parts) {
    held += part;
    if (held.length < CHUNK_CHARACTERS && part !== '') continue;
    yield utf8.encode(held);
    held = '';
  }
  if (held !== '') yield utf8.encode(held);
}
