// Reads a bundle that somebody sends: nothing of it is believed, and nothing is written under a name that it chose.
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import type { z } from 'zod';
import { BUNDLE_FILES, BundledRun, BundleHashes, BundleHead } from '#protocol/bundle';
import { faultsOf } from '#protocol/faults';
import { MOST_SOURCE_BYTES } from '#protocol/own-algorithm';
import { ExperimentSpec } from '#protocol/spec';
import { AppError } from '../errors.ts';

const MiB = 2 ** 20;
/** Packed text becomes so many times as much at most, from so many bytes on: what grows more is a bomb. */
const MOST_RATIO = 500;
const RATIO_FROM = 64 * MiB;
const MOST_UNPACKED = 8 * 2 ** 30;
const MOST_FILES = 2100;
/** Of a line of the runs, in characters. */
const MOST_LINE = 16 * MiB;

/** What a bundle may hold, each with the bytes that it may have. */
const KINDS: readonly (readonly [RegExp, number])[] = [
  [/^(paceline-bundle|spec)\.json$/, 16 * MiB],
  [/^README\.md$/, MiB],
  [/^sha256\.json$/, 16 * MiB],
  [/^traces\/[0-9a-f]{64}\.trace$/, 1024 * MiB],
  [/^weights\/[0-9a-f]{64}\.json$/, 256 * MiB],
  [/^algorithms\/[0-9a-f]{64}\.ts$/, MOST_SOURCE_BYTES],
  [/^(manifests|runs)\.ndjson$/, MOST_UNPACKED],
  [/^(summary\.csv|figures\.json|report\.html)$/, MOST_UNPACKED],
];
const NEEDED = [BUNDLE_FILES.head, BUNDLE_FILES.spec, BUNDLE_FILES.runs, BUNDLE_FILES.hashes];

const S_IFMT = 0o170000;
const S_IFREG = 0o100000;

export const refused = (detail: string, where?: string): AppError =>
  new AppError('BUNDLE_REFUSED', detail, where === undefined ? {} : { where });

/** Reads zip files in the way that this one is read, or says what it is. */
export async function isZip(path: string): Promise<boolean> {
  for await (const chunk of createReadStream(path, { start: 0, end: 3 }))
    return (chunk as Buffer).toString('latin1').startsWith('PK\u0003\u0004');
  return false;
}

function fault(entry: Entry, seen: ReadonlyMap<string, Entry>): string | null {
  const { fileName, uncompressedSize } = entry;
  const kind = KINDS.find(([name]) => name.test(fileName));
  const mode = (entry.externalFileAttributes >>> 16) & S_IFMT;
  if (kind === undefined) return 'a bundle has no such file';
  if (seen.has(fileName)) return 'it is there twice';
  if (mode !== 0 && mode !== S_IFREG) return 'it is no plain file';
  if (entry.isEncrypted()) return 'it is encrypted';
  if (!entry.canDecodeFileData()) return `it is packed in a way that is not read here (${entry.compressionMethod})`;
  if (uncompressedSize > kind[1]) return `it would have ${uncompressedSize} bytes, more than ${kind[1]}`;
  return null;
}

/** The names of a file that is not one, as text for people. */
const shown = (name: string): string => JSON.stringify(name.slice(0, 200));

async function entriesOf(zip: ZipFile, bytes: number, most: number): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  if (zip.entryCount > MOST_FILES)
    throw refused(`it says that it has ${zip.entryCount} files; a bundle has at most ${MOST_FILES}`);
  let unpacked = 0;
  for await (const entry of zip.eachEntry()) {
    const wrong = fault(entry, entries);
    if (wrong !== null) throw refused(`${shown(entry.fileName)}: ${wrong}`, entry.fileName.slice(0, 200));
    unpacked += entry.uncompressedSize;
    if (unpacked > most || unpacked > Math.max(RATIO_FROM, MOST_RATIO * bytes))
      throw refused(`it would become more than ${unpacked} bytes of ${bytes}`);
    entries.set(entry.fileName, entry);
  }
  for (const name of NEEDED) if (!entries.has(name)) throw refused(`it has no ${name}`, name);
  return entries;
}

interface OpenOptions {
  readonly most?: number;
  /** Whoever brings it has gone. */
  readonly signal?: AbortSignal;
}

/** A bundle whose files have the hashes that it says; `close` it. */
export class Bundle {
  readonly head: BundleHead;
  readonly spec: ExperimentSpec;
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>, head: BundleHead, spec: ExperimentSpec) {
    this.#zip = zip;
    this.#entries = entries;
    this.head = head;
    this.spec = spec;
  }

  /** `most`: bytes that all of it may become. */
  static async open(path: string, { most = MOST_UNPACKED, signal }: OpenOptions = {}): Promise<Bundle> {
    const { size } = await stat(path);
    const zip = await openPromise(path, { autoClose: false, lazyEntries: true, strictFileNames: true }).catch(
      asRefusal,
    );
    try {
      const entries = await entriesOf(zip, size, most).catch(asRefusal);
      const reading = (name: string): Promise<string> => readText(zip, entries, name).catch(asRefusal);
      const parse = async <T extends z.ZodType>(name: string, schema: T): Promise<z.infer<T>> =>
        parsed(name, await reading(name), schema);
      const head = await parse(BUNDLE_FILES.head, BundleHead);
      const hashes = await parse(BUNDLE_FILES.hashes, BundleHashes);
      const spec = await parse(BUNDLE_FILES.spec, ExperimentSpec);
      await checkHashes(zip, entries, hashes, signal).catch(asRefusal);
      return new Bundle(zip, entries, head, spec);
    } catch (error) {
      zip.close();
      throw error;
    }
  }

  /** What its traces, weights and own algorithms become. */
  get bytes(): number {
    let bytes = 0;
    for (const [name, { uncompressedSize }] of this.#entries)
      if (/^(traces|weights|algorithms)\//.test(name)) bytes += uncompressedSize;
    return bytes;
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** Writes one of its files where the caller says. */
  async extract(name: string, target: string): Promise<void> {
    await pipeline(await contentOf(this.#zip, this.#entries, name), createWriteStream(target, { flags: 'wx' })).catch(
      asRefusal,
    );
  }

  /** What it says came of each run. */
  async *runs(): AsyncGenerator<BundledRun, void, undefined> {
    const content = await contentOf(this.#zip, this.#entries, BUNDLE_FILES.runs);
    let at = 0;
    for await (const line of createInterface({ input: content.pipe(shortLines()), crlfDelay: Infinity })) {
      at += 1;
      if (line !== '') yield parsed(`${BUNDLE_FILES.runs}, line ${at}`, line, BundledRun);
    }
  }

  close(): void {
    this.#zip.close();
  }
}

/** What the zip library finds wrong is said of the file. */
function asRefusal(error: unknown): never {
  if (error instanceof AppError || (error instanceof Error && error.name === 'AbortError')) throw error;
  if (
    error instanceof Error &&
    'code' in error &&
    ['ENOENT', 'EACCES', 'ENOSPC', 'EISDIR'].includes(String(error.code))
  )
    throw error;
  throw refused(`it cannot be read as a zip file: ${error instanceof Error ? error.message : String(error)}`);
}

async function contentOf(zip: ZipFile, entries: ReadonlyMap<string, Entry>, name: string): Promise<Readable> {
  const entry = entries.get(name);
  if (entry === undefined) throw refused(`it has no ${name}`, name);
  return zip.openReadStreamPromise(entry);
}

async function readText(zip: ZipFile, entries: ReadonlyMap<string, Entry>, name: string): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of await contentOf(zip, entries, name)) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

function parsed<T extends z.ZodType>(name: string, text: string, schema: T): z.infer<T> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw refused(`${name} is not JSON: ${error instanceof Error ? error.message : String(error)}`, name);
  }
  const found = schema.safeParse(json);
  if (found.success) return found.data;
  const [first] = faultsOf(found.error);
  throw refused(
    `${name}: ${first === undefined ? 'not of its form' : `${first.path.join('.')}: ${first.detail}`}`,
    name,
  );
}

/** Every file has the hash that stands in the list, and every one of the list is there. */
async function checkHashes(
  zip: ZipFile,
  entries: ReadonlyMap<string, Entry>,
  hashes: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (const name of Object.keys(hashes))
    if (!entries.has(name)) throw refused(`${shown(name)} is in ${BUNDLE_FILES.hashes}, but not in the file`, name);
  for (const name of entries.keys()) {
    if (name === BUNDLE_FILES.hashes) continue;
    const said = Object.hasOwn(hashes, name) ? hashes[name] : undefined;
    if (said === undefined) throw refused(`${BUNDLE_FILES.hashes} does not name ${name}`, name);
    const sum = createHash('sha256');
    await pipeline(await contentOf(zip, entries, name), sum, signal === undefined ? {} : { signal });
    if (sum.digest('hex') !== said)
      throw refused(`${name} was changed: it has not the SHA-256 that ${BUNDLE_FILES.hashes} says`, name);
  }
}

/** A line without end would be held whole. */
function shortLines(): Transform {
  let length = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const last = chunk.lastIndexOf(10);
      const longest = length + (last < 0 ? chunk.length : chunk.indexOf(10));
      length = last < 0 ? longest : chunk.length - last - 1;
      if (longest > MOST_LINE) done(refused(`${BUNDLE_FILES.runs} has a line of more than ${MOST_LINE} bytes`));
      else done(null, chunk);
    },
  });
}
