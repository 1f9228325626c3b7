/**
 * Writes the files that are made from emulator-bridge/protocol, NOTICE from the lock files, the tables of studies from docs/studies.json, and
 * what the page says from its sources; they are committed, and the tests check that they are current.
 *
 *   npm run generate            writes them
 *   npm run generate -- --check exits 1 and names the files that are out of date, but for what the page says: finding that takes a minute, and
 *                               scripts/texts/texts.test.ts has found it
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { columnsHeader } from './generate/columns-header.ts';
import { columnsRust } from './generate/columns-rust.ts';
import { limitsHeader } from './generate/limits-header.ts';
import { jsonSchemas } from './generate/json-schemas.ts';
import { notice } from './generate/notice.ts';
import { studiesTables } from './generate/studies-tables.ts';
import { summaryHeader } from './generate/summary-header.ts';
import { summaryRust } from './generate/summary-rust.ts';
import { trainedNetworks } from './generate/trained-networks.ts';
import { TEMPLATE, template } from './texts/catalogue.ts';
import { findTexts } from './texts/texts.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const files = new Map([
  ['emulator-bridge/native/core/limits.gen.hh', limitsHeader()],
  ['emulator-bridge/native/metrics/columns.gen.hh', columnsHeader()],
  ['emulator-bridge/native/metrics/summary.gen.hh', summaryHeader()],
  ['emulator-bridge/native/cca/trained.gen.cc', trainedNetworks(root)],
  ['emulator-bridge/quic/src/columns.gen.rs', columnsRust()],
  ['emulator-bridge/quic/src/summary.gen.rs', summaryRust()],
  ['NOTICE', notice(root)],
]);
const isCheck = process.argv.includes('--check');
if (!isCheck) files.set(TEMPLATE, template(findTexts(root.replace(/\/$/, ''))));
for (const [name, text] of studiesTables(root)) files.set(name, text);
for (const [name, text] of jsonSchemas()) files.set(`docs/schema/${name}`, text);

const stale = [...files].filter(([path, text]) => {
  const file = root + path;
  return !existsSync(file) || readFileSync(file, 'utf8') !== text;
});
if (isCheck) {
  for (const [path] of stale) console.error(`${path} is out of date; run \`npm run generate\` and commit it.`);
  const untracked = execFileSync('git', ['ls-files', '--others', '--', ...files.keys()], {
    cwd: root,
    encoding: 'utf8',
  });
  if (untracked !== '') console.error(`Generated but not committed:\n${untracked}`);
  if (stale.length > 0 || untracked !== '') process.exitCode = 1;
  else console.log(`${files.size} generated files are current.`);
} else {
  for (const [path, text] of stale) {
    mkdirSync(dirname(root + path), { recursive: true });
    writeFileSync(root + path, text);
    console.log(`wrote ${path}`);
  }
}
