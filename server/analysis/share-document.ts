// A share as one file of HTML that asks nobody for anything (docs/shares.md), in pieces: written by a server, and by the page of a site that has none.
import { dataText, safe } from '#analysis/report-page';

/** Samples in a file, packed: with more of them browsers are slow to open it, and mail does not take it. */
const MOST_SAMPLE_BYTES = 24 * 2 ** 20;

/** As it was built (web/vite.offline.config.ts). */
interface BuiltCode {
  readonly script: string;
  readonly styles: string;
}

export interface DocumentCode extends BuiltCode {
  /** Of `script` as it stands in the document, in base64. */
  readonly sha256: string;
}

/** What would end a script, or begin another one in it, stands in texts only: there it can be written otherwise. */
const insideScript = (text: string): string => text.replace(/<\/(?=script)/gi, '<\\/').replaceAll('<!--', '\\x3c!--');

/** `sha256`: in base64. */
export function documentCode({ script, styles }: BuiltCode, sha256: (text: string) => string): DocumentCode {
  const inside = insideScript(script);
  return { script: inside, styles: styles.replaceAll('</', '<\\/'), sha256: sha256(inside) };
}

export const shareFileName = (slug: string): string => `paceline-${slug}.html`;

/** Where the share can be seen online; null: nowhere for whoever opens the file. */
export type SharePage = string | null;

/** Both packed with gzip, in base64. */
export interface PackedRun {
  readonly control: string;
  readonly samples: string;
}

interface DocumentParts {
  readonly code: DocumentCode;
  readonly share: { readonly title: string; readonly note: string };
  readonly answers: Readonly<Record<string, unknown>>;
  /** In the order in which the share shows them. */
  readonly runs: readonly string[];
  readonly page: SharePage;
  /** Null: it has more than `most` bytes of samples, or none. */
  readonly pack: (run: string, most: number) => Promise<PackedRun | null>;
  readonly mostSampleBytes?: number;
}

const data = (id: string, text: string): string => `<script type="text/plain" id="${id}">${text}</script>\n`;

/** Nothing but this script runs, and it reaches nobody. */
const policy = (sha256: string): string =>
  [
    "default-src 'none'",
    `script-src 'sha256-${sha256}'`,
    "style-src 'unsafe-inline'",
    'font-src data:',
    'img-src data: blob:',
    'connect-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');

export async function* shareDocument(parts: DocumentParts): AsyncGenerator<string> {
  const { code, share, answers, runs, page, pack, mostSampleBytes = MOST_SAMPLE_BYTES } = parts;
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy(code.sha256)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${safe(share.note)}">
<title>${safe(share.title)} · Paceline</title>
<style>${code.styles}</style>
</head>
<body>
<div id="root"></div>
<noscript>This file shows its figures with a script of its own, which fetches nothing.</noscript>
`;
  let left = mostSampleBytes;
  let leftOut = 0;
  for (const run of runs) {
    const frames = left > 0 && `/runs/${run}` in answers ? await pack(run, left) : null;
    if (frames === null) {
      leftOut++;
      continue;
    }
    left -= frames.samples.length;
    yield data(`control-${run}`, frames.control);
    yield data(`samples-${run}`, frames.samples);
  }
  yield data('share', dataText({ share, answers, page, runs_left_out: leftOut }));
  yield `<script type="module">${code.script}</script>\n</body>\n</html>\n`;
}
