// The site's own files, by the paths of the API whose answers they are.
import { bytesFile, jsonFile } from '#protocol/static-site';
import { BASE } from '../ui/place';
import { Refused, unreachable } from './refusals';

const GZIP = [0x1f, 0x8b] as const;

/** Some hosts unpack what ends in .gz on its way, others leave it as it is. */
async function unpacked(answer: Response): Promise<Response> {
  const bytes = new Uint8Array(await answer.arrayBuffer());
  if (bytes[0] !== GZIP[0] || bytes[1] !== GZIP[1]) return new Response(bytes);
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')));
}

/** null: the site has no such file. Hosts of single pages answer with the page then. */
async function fetched(file: string, signal?: AbortSignal): Promise<Response | null> {
  let answer: Response;
  try {
    answer = await fetch(BASE + file, { ...(signal && { signal }) });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw new Refused(unreachable(file));
  }
  const isPage = answer.headers.get('content-type')?.startsWith('text/html') === true;
  return answer.ok && !isPage ? unpacked(answer) : null;
}

export async function readJson(path: string, signal?: AbortSignal): Promise<unknown> {
  const answer = await fetched(jsonFile(path), signal);
  return answer === null ? null : ((await answer.json()) as unknown);
}

export async function readBytes(path: string, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer> | null> {
  const answer = await fetched(bytesFile(path), signal);
  return answer === null ? null : new Uint8Array(await answer.arrayBuffer());
}

const kept = new Map<string, Promise<unknown>>();

/** A list of what there is: it does not change, and is asked for all the time: fetched once. */
export function siteList(path: string): Promise<unknown> {
  const known = kept.get(path);
  if (known !== undefined) return known;
  const found = readJson(path);
  kept.set(path, found);
  found.catch(() => kept.delete(path));
  return found;
}
