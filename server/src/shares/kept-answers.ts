import { gunzipSync } from 'node:zlib';
import type { ShareStore } from '../store/shares.ts';

/** As JSON, the same bytes for ever; empty: there is no such share. */
export function keptText(shares: ShareStore, slug: string): string {
  const packed = shares.answers(slug);
  return packed === null ? '{}' : gunzipSync(packed).toString();
}

export const keptAnswers = (shares: ShareStore, slug: string): Record<string, unknown> =>
  JSON.parse(keptText(shares, slug)) as Record<string, unknown>;
