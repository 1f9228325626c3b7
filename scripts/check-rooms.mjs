/**
 * The engine's rooms know nothing of the operating system: the same files will run in the page as WebAssembly. So they may
 * include only themselves and the standard headers below; no clocks, threads, streams or files.
 */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { filesBelow } from './lib/find.mjs';
import { NATIVE_SOURCE, ROOT } from './lib/paths.mjs';

const ROOMS = ['core', 'link', 'queue', 'cca', 'transport', 'metrics', 'channel'];
const STANDARD = new Set(
  `algorithm array bit bitset cassert cctype cfloat charconv cinttypes climits cmath compare concepts cstddef cstdint
   cstring deque exception functional initializer_list iterator limits list map memory new numbers numeric optional queue
   ranges ratio set span stack stdexcept string string_view system_error tuple type_traits typeinfo unordered_map
   unordered_set utility variant vector version`.split(/\s+/),
);

/**
 * @param {string} kind `<` or `"`
 * @param {string} name
 */
function allowed(kind, name) {
  return kind === '<' ? STANDARD.has(name) : ROOMS.includes(name.split('/')[0] ?? '') && !name.includes('..');
}

let files = 0;
let problems = 0;
for (const room of ROOMS) {
  for (const path of filesBelow(`${NATIVE_SOURCE}/${room}`, (name) => /\.(cc|hh)$/.test(name))) {
    files += 1;
    readFileSync(path, 'utf8')
      .split('\n')
      .forEach((line, index) => {
        const include = /^\s*#\s*include\s*([<"])([^>"]+)[>"]/.exec(line);
        if (include === null || allowed(include[1] ?? '', include[2] ?? '')) return;
        problems += 1;
        console.error(`${relative(ROOT, path)}:${index + 1}: ${room}/ may not include ${include[1]}${include[2]}`);
      });
  }
}
if (files === 0) {
  console.error('No engine sources were found.');
  problems += 1;
}
if (problems === 0) console.log(`${files} files include only their own rooms and plain standard headers.`);
else process.exitCode = 1;
