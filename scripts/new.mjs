/**
 * The files of something new, complete and with tests that pass: what is in them is then yours to change.
 *
 *   npm run new -- cca my-idea          an algorithm; also queue, element, format, figure
 *   npm run new -- cca my-idea --into DIR    below another folder than the project's
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from './lib/paths.mjs';
import { KINDS } from './new/kinds.mjs';
import { make } from './new/make.mjs';

const usage = () =>
  [
    'usage: npm run new -- KIND NAME [--into DIR]',
    ...Object.entries(KINDS).map(([kind, { is }]) => `  ${kind.padEnd(8)} ${is}`),
  ].join('\n');

try {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { into: { type: 'string' } } });
  const [kind, name, ...others] = positionals;
  if (kind === undefined || name === undefined || others.length > 0) throw new Error(usage());
  for (const path of make(kind, name, values.into === undefined ? ROOT : resolve(values.into))) console.log(path);
  const { next = [], guide = '' } = KINDS[kind] ?? {};
  console.log(`\nNext: ${guide}`);
  for (const command of next)
    console.log(`  ${command.replace('foo_bar', name.replaceAll('-', '_')).replace('foo-bar', name)}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
