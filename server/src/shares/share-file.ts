import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import {
  documentCode,
  shareDocument,
  type DocumentCode,
  type PackedRun,
  type SharePage,
} from '#analysis/share-document';
import { AppError } from '../errors.ts';
import type { Shares } from './share-service.ts';

const packed = promisify(gzip);

const BUILT = fileURLToPath(new URL('../../../web/dist/offline', import.meta.url));

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64');

function builtCode(folder: string): DocumentCode {
  try {
    const read = (name: string): string => readFileSync(`${folder}/${name}`, 'utf8');
    return documentCode({ script: read('share.js'), styles: read('share.css') }, hashOf);
  } catch (error) {
    throw new AppError(
      'BEING_BUILT',
      'the page that goes into files has not been built',
      { hint: 'npm run build' },
      {
        cause: error,
      },
    );
  }
}

/** A share as one file of HTML, in pieces. */
export class ShareFile {
  readonly #shares: Shares;
  readonly #code: DocumentCode;
  readonly #most: number | null;

  constructor(
    shares: Shares,
    { folder = BUILT, mostSampleBytes }: { readonly folder?: string; readonly mostSampleBytes?: number } = {},
  ) {
    this.#shares = shares;
    this.#code = builtCode(folder);
    this.#most = mostSampleBytes ?? null;
  }

  async *write(slug: string, page: SharePage): AsyncGenerator<string> {
    const { share, answers } = JSON.parse(this.#shares.answersText(slug)) as {
      readonly share: { readonly title: string; readonly note: string };
      readonly answers: Record<string, unknown>;
    };
    yield* shareDocument({
      code: this.#code,
      share,
      answers,
      runs: this.#shares.runs(slug),
      page,
      pack: (run, most) => this.#pack(slug, run, most),
      ...(this.#most === null ? {} : { mostSampleBytes: this.#most }),
    });
  }

  /** Null: it has no room. */
  async #pack(slug: string, run: string, most: number): Promise<PackedRun | null> {
    const samples = (await packed(Buffer.concat([...this.#shares.samples(slug, run)]))).toString('base64');
    if (samples.length > most) return null;
    const control = (await packed(this.#shares.control(slug, run))).toString('base64');
    return { control, samples };
  }
}
