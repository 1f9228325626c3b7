import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the native programs are; the environment variable PACELINE_NATIVE_DIR names another folder. */
export function nativeDir(): string {
  return process.env['PACELINE_NATIVE_DIR'] ?? fileURLToPath(new URL('../../build/native/bin', import.meta.url));
}

/** What brings what is compiled: in a checkout it is built, a package (docs/package.md) comes with it. */
export const SETUP_COMMAND = existsSync(new URL('../../scripts/setup.mjs', import.meta.url))
  ? 'npm run setup'
  : `npm install paceline-${process.platform}-${process.arch}`;

export const PROGRAMS = [
  'paceline-simulate',
  'paceline-list',
  'paceline-trace',
  'paceline-emulator',
  'paceline-sender',
  'paceline-receiver',
  'paceline-tun',
  'paceline-shell',
  'paceline-recorder',
  'paceline-weights',
] as const;
export type Program = (typeof PROGRAMS)[number];

/** A native program that is not there or cannot be started. */
export class ProgramMissing extends Error {
  override readonly name = 'ProgramMissing';
}

export function programPath(program: Program): string {
  const path = join(nativeDir(), program);
  if (!existsSync(path)) throw new ProgramMissing(`${path} is missing; \`${SETUP_COMMAND}\` brings it`);
  return path;
}
