import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { dataText, safe } from '#analysis/report-page';
import { AppError } from '../errors.ts';
import type { Shares } from './share-service.ts';

const packed = promisify(gzip);
const BUILT = fileURLToPath(new URL('../../../web/dist/offline', import.meta.url));
/** Samples in a file, packed: with more of them browsers are slow to open it, and mail does not take it. */
const MOST_SAMPLE_BYTES = 24 * 2 ** 20;

interface Code {
  readonly script: string;
  readonly styles: string;
}

function builtCode(folder: string): Code {
  try {
    return {
      script: insideScript(readFileSync(`${folder}/share.js`, 'utf8')),
      styles: readFileSync(`${folder}/share.css`, 'utf8').replaceAll('</', '<\\/'),
    };
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

/** What would end a script, or begin another one in it, stands in texts only: there it can be written otherwise. */
const insideScript = (text: string): string => text.replace(/<\/(?=script)/gi, '<\\/').replaceAll('<!--', '\\x3c!--');
const data = (id: string, text: string): string => `<script type="text/plain" id="${id}">${text}</script>\n`;

interface PackedRun {
  readonly run: string;
  readonly control: string;
  readonly samples: string;
}

/** Where the share can be seen online; null: the file is written without a server. */
export type SharePage = string | null;

/** A share as one file of HTML that asks nobody for anything, in pieces. */
export class ShareFile {
  readonly #shares: Shares;
  readonly #code: Code;
  readonly #most: number;

  constructor(shares: Shares, { folder = BUILT, mostSampleBytes = MOST_SAMPLE_BYTES } = {}) {
    this.#shares = shares;
    this.#code = builtCode(folder);
    this.#most = mostSampleBytes;
  }

  async *write(slug: string, page: SharePage): AsyncGenerator<string> {
    const { share, answers } = JSON.parse(this.#shares.answersText(slug)) as {
      readonly share: { readonly title: string; readonly note: string };
      readonly answers: Record<string, unknown>;
    };
    const runs = this.#shares.runs(slug);
    const { script, styles } = this.#code;
    const hash = createHash('sha256').update(script).digest('base64');
    // Nothing but this script runs, and it reaches nobody.
    const policy = [
      "default-src 'none'",
      `script-src 'sha256-${hash}'`,
      "style-src 'unsafe-inline'",
      'font-src data:',
      'img-src data: blob:',
      'connect-src data:',
      "base-uri 'none'",
      "form-action 'none'",
    ].join('; ');
    yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${safe(share.note)}">
<title>${safe(share.title)} · Paceline</title>
<style>${styles}</style>
</head>
<body>
<div id="root"></div>
<noscript>This file shows its figures with a script of its own, which fetches nothing.</noscript>
`;
    let left = this.#most;
    let leftOut = 0;
    for (const run of runs) {
      const frames = left > 0 && `/runs/${run}` in answers ? await this.#pack(slug, run, left) : null;
      if (frames === null) {
        leftOut++;
        continue;
      }
      left -= frames.samples.length;
      yield data(`control-${run}`, frames.control);
      yield data(`samples-${run}`, frames.samples);
    }
    yield data('share', dataText({ share, answers, page, runs_left_out: leftOut }));
    yield `<script type="module">${script}</script>\n</body>\n</html>\n`;
  }

  /** Null: it has no room. */
  async #pack(slug: string, run: string, most: number): Promise<PackedRun | null> {
    const samples = (await packed(Buffer.concat([...this.#shares.samples(slug, run)]))).toString('base64');
    if (samples.length > most) return null;
    const control = (await packed(this.#shares.control(slug, run))).toString('base64');
    return { run, control, samples };
  }
}

export const shareFileName = (slug: string): string => `paceline-${slug}.html`;
