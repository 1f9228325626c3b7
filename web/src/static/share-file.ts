// A share as one file of HTML, written by the page: its code is a file of the site.
import { runsOfShare } from '#analysis/page-reader';
import {
  documentCode,
  shareDocument,
  shareFileName,
  type DocumentCode,
  type PackedRun,
} from '#analysis/share-document';
import type { ShareAnswers } from '#protocol/share';
import { OFFLINE_CODE } from '#protocol/static-site';
import type { RunFrames } from '../share/frozen-feeds';
import { sha256 } from '../write/sha256';
import { readBytes } from './files';
import { packed } from './kept/packing';
import { Refused, unreachable } from './refusals';

/** A call takes so many arguments at most. */
const PIECE = 0x8000;

function base64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += PIECE) binary += String.fromCharCode(...bytes.subarray(at, at + PIECE));
  return btoa(binary);
}

function hashOf(text: string): string {
  const hex = sha256(new TextEncoder().encode(text)).match(/../g) ?? [];
  return base64(Uint8Array.from(hex, (pair) => Number.parseInt(pair, 16)));
}

async function textOf(path: string): Promise<string> {
  const bytes = await readBytes(path);
  if (bytes === null) throw new Refused(unreachable(path));
  return new TextDecoder().decode(bytes);
}

async function builtCode(): Promise<DocumentCode> {
  const [script, styles] = await Promise.all([textOf(OFFLINE_CODE.script), textOf(OFFLINE_CODE.styles)]);
  return documentCode({ script, styles }, hashOf);
}

const gzipped = async (bytes: Uint8Array): Promise<string> => base64(await packed(bytes as Uint8Array<ArrayBuffer>));

/** `page`: where others see it; null: nowhere. `load`: null where the samples of a run are not here. */
export async function shareFile(
  kept: ShareAnswers,
  page: string | null,
  load: (run: string) => Promise<RunFrames | null>,
): Promise<Response> {
  const { share, answers } = kept;
  const pack = async (run: string, most: number): Promise<PackedRun | null> => {
    const frames = await load(run);
    if (frames === null) return null;
    const samples = await gzipped(frames.samples);
    if (samples.length > most) return null;
    return { samples, control: await gzipped(new TextEncoder().encode(JSON.stringify(frames.control))) };
  };
  const pieces: string[] = [];
  const parts = { code: await builtCode(), share, answers, runs: runsOfShare(kept), page, pack };
  for await (const piece of shareDocument(parts)) pieces.push(piece);
  return new Response(new Blob(pieces), {
    headers: {
      'content-type': 'text/html',
      'content-disposition': `attachment; filename="${shareFileName(share.slug)}"`,
    },
  });
}
