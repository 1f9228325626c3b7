import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nativeDir, partRemedy } from './programs.ts';

export const QUIC_REMEDY = partRemedy('Rust (https://rustup.rs)');

/** The QUIC helper is built only where there is a Rust toolchain; nothing else needs it. */
export type QuicHelper =
  { readonly path: string; readonly unavailable: null } | { readonly path: null; readonly unavailable: string };

export function quicHelper(): QuicHelper {
  const path = join(nativeDir(), 'paceline-quic');
  if (existsSync(path)) return { path, unavailable: null };
  // scripts/setup/quic.mjs leaves the reason in its place.
  const reason = `${path}.unavailable`;
  const unavailable = existsSync(reason) ? readFileSync(reason, 'utf8').trim() : 'it is not built';
  return { path: null, unavailable };
}
