import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the native programs are; the environment variable PACELINE_NATIVE_DIR names another folder. */
export function nativeDir(): string {
  return process.env['PACELINE_NATIVE_DIR'] ?? fileURLToPath(new URL('../../build/native/bin', import.meta.url));
}

/** A package (docs/package.md) has no scripts: what it lacks is not built there. */
const IN_CHECKOUT = existsSync(new URL('../../scripts/setup.mjs', import.meta.url));
const PLATFORM_PACKAGE = `paceline-${process.platform}-${process.arch}`;

/** What brings what is compiled: in a checkout it is built, a package comes with it. */
export const SETUP_COMMAND = IN_CHECKOUT ? 'npm run setup' : `npm install ${PLATFORM_PACKAGE}`;

/** What brings what is built only where its tools are. @param tools such as `Rust (https://rustup.rs)` */
export const partRemedy = (tools: string, inCheckout = IN_CHECKOUT): string =>
  inCheckout
    ? `install ${tools}, then npm run setup`
    : `the package ${PLATFORM_PACKAGE} was made without it; a checkout builds it, with ${tools}`;

/** The same for what is of another version than what asks for it. */
export const STALE_REMEDY = IN_CHECKOUT
  ? 'npm run setup builds it anew'
  : `install paceline and ${PLATFORM_PACKAGE} of one version`;

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
