import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { filesBelow } from '../lib/find.mjs';
import { ROOT } from '../lib/paths.mjs';
import { run } from '../lib/run.mjs';

const STAMP = `${ROOT}/web/dist/.source-hash`;

/** In which the page speaks (docs/texts.md); empty: English. */
const LANGUAGE = process.env['PACELINE_LANGUAGE'] ?? '';

/** Everything that goes into the page. */
function sourceHash() {
  const files = [
    `${ROOT}/package-lock.json`,
    `${ROOT}/web/index.html`,
    `${ROOT}/web/vite.config.ts`,
    `${ROOT}/web/vite.offline.config.ts`,
    `${ROOT}/web/grouped.ts`,
    `${ROOT}/web/groups.ts`,
    `${ROOT}/web/one-language.ts`,
    `${ROOT}/web/translated.ts`,
    `${ROOT}/web/without-descriptions.ts`,
    `${ROOT}/web/without-json-schemas.ts`,
    `${ROOT}/web/precompress.ts`,
    ...['web/src', 'web/public', 'emulator-bridge/protocol', 'emulator-bridge/engine', 'server/analysis'].flatMap(
      (folder) => filesBelow(`${ROOT}/${folder}`, (name) => !name.includes('.test.')),
    ),
    // Of the agents that were trained here, each page shows the network that its engine has.
    ...filesBelow(`${ROOT}/emulator-bridge/native/weights`, (name) => name.endsWith('.weights.json')),
  ];
  const hash = createHash('sha256').update(LANGUAGE);
  if (LANGUAGE !== '')
    files.push(...['web/texts', 'scripts/texts'].flatMap((folder) => filesBelow(`${ROOT}/${folder}`, () => true)));
  for (const file of files) hash.update(`${file.slice(ROOT.length)}\0`).update(readFileSync(file));
  return hash.digest('hex');
}

/** @returns {Promise<string>} what was done */
export async function webPage() {
  const hash = sourceHash();
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === hash) return 'up to date';
  const vite = `${ROOT}/node_modules/vite/bin/vite.js`;
  // The second goes into the folder that the first has emptied.
  for (const config of ['vite.config.ts', 'vite.offline.config.ts'])
    await run(process.execPath, [vite, 'build', '--config', `${ROOT}/web/${config}`, '--logLevel', 'warn']);
  writeFileSync(STAMP, hash);
  return 'built';
}
