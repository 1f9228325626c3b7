// Answers that the site has as files; null: it has none to such a path.
import { readBytes, readJson } from './files';
import { standingOf } from './site-paths';

export const siteJson = async (path: string, signal?: AbortSignal): Promise<unknown> =>
  (await standingOf(path)) === 'there' ? readJson(path, signal) : null;

export const siteBytes = async (path: string, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer> | null> =>
  (await standingOf(path)) === 'there' ? readBytes(path, signal) : null;
