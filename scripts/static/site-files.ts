// The files of the site, as they are written: what each is for, how large they are, and that they tell nothing of this machine.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { constants, gzipSync } from 'node:zlib';
import { bytesFile, jsonFile, SITE_FILE } from '#protocol/static-site';
import { leakIn } from './leaks.ts';

export const FILE_KINDS = ['page', 'engine', 'answers', 'samples'] as const;
export type FileKind = (typeof FILE_KINDS)[number];

export interface SiteFile {
  /** From the site's folder. */
  readonly name: string;
  readonly kind: FileKind;
  readonly bytes: number;
  readonly sha256: string;
}

/** As small as it gets; without a date, so that the same answer is the same file. */
const packed = (bytes: Buffer): Buffer => gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION });

export class SiteFiles {
  readonly #out: string;
  readonly #names: readonly string[];
  readonly #files = new Map<string, SiteFile>();

  /** `names`: what may stand in none of them. */
  constructor(out: string, names: readonly string[]) {
    this.#out = out;
    this.#names = names;
  }

  /** In the order of their names. */
  get all(): SiteFile[] {
    return [...this.#files.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  has(name: string): boolean {
    return this.#files.has(name);
  }

  /** The answer to GET `path`. */
  json(path: string, answer: unknown, kind: FileKind = 'answers'): void {
    this.#pack(jsonFile(path), Buffer.from(typeof answer === 'string' ? answer : JSON.stringify(answer)), kind);
  }

  bytes(path: string, bytes: Buffer, kind: FileKind): void {
    this.#pack(bytesFile(path), bytes, kind);
  }

  plain(name: string, bytes: Buffer, kind: FileKind): void {
    this.#check(name, bytes);
    this.#write(name, bytes, kind);
  }

  #pack(name: string, bytes: Buffer, kind: FileKind): void {
    this.#check(name, bytes);
    this.#write(name, packed(bytes), kind);
  }

  #check(name: string, bytes: Buffer): void {
    const leak = leakIn(bytes, this.#names);
    if (leak !== null) throw new Error(`${name} tells of the machine that makes the site: ${leak}`);
  }

  #write(name: string, bytes: Buffer, kind: FileKind): void {
    const file = join(this.#out, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    this.#files.set(name, { name, kind, bytes: bytes.byteLength, sha256 });
  }
}

/** Makes room for a site. A folder in which something else lies is left alone. */
export function clearSite(out: string): void {
  if (existsSync(out) && readdirSync(out).length > 0 && !existsSync(join(out, SITE_FILE)))
    throw new Error(`${out} has files in it and is no site that was built before: choose another folder, or empty it`);
  rmSync(out, { recursive: true, force: true });
}

/** Tells one site from another: the same when nothing in it is another. */
export function siteVersion(files: readonly SiteFile[]): string {
  const hash = createHash('sha256');
  for (const { name, sha256 } of files) hash.update(`${name}\0${sha256}\n`);
  return hash.digest('hex').slice(0, 16);
}
