import { fileURLToPath } from 'node:url';

/** The repository's root folder, without a trailing slash. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

/** The native programs and their tests are built here (Release). */
export const NATIVE_SOURCE = `${ROOT}/emulator-bridge/native`;
export const NATIVE_BUILD = `${ROOT}/build/native`;

/** The QUIC helper, and what cargo makes of it. */
export const QUIC_SOURCE = `${ROOT}/emulator-bridge/quic`;
export const QUIC_BUILD = `${ROOT}/build/quic`;
