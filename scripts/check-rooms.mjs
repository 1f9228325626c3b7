/**
 * The engine's rooms know nothing of the operating system: the same files will run in the page as WebAssembly. So they may
 * include only themselves and the standard headers below; no clocks, threads, streams or files. And every room takes only from
 * those that the drawings of docs/architecture.md lead to. What lies in apps/ are main()s.
 */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { filesBelow } from './lib/find.mjs';
import { NATIVE_SOURCE, ROOT } from './lib/paths.mjs';
import { fileArrows, nativeArrows, rustArrows, scriptArrows } from './rooms/arrows.mjs';
import { circleIn, differences, drawingBelow } from './rooms/drawing.mjs';

const ROOMS = ['core', 'trace', 'link', 'path', 'queue', 'cca', 'transport', 'metrics', 'channel'];
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

// What is compiled to WebAssembly as well (cmake/wasm.cmake) has no exceptions, and asks no math library for a last bit.
const EVERYWHERE = ['core', 'link', 'path', 'queue', 'cca', 'transport', 'metrics'];
const OWN_WAY = ['core/fail.hh'];
const LIBRARY = /\bstd::(exp2?|expm1|log(2|1p)?|pow|cbrt|erfc?|tanh?|sinh?|cosh?|atan2?|hypot)f?\(/;
const THROWS = /\bthrow [\w:]+[({]/;

/**
 * @param {string} line
 * @returns {string | undefined} what is wrong with it
 */
function notEverywhere(line) {
  if (LIBRARY.test(line)) return 'asks the math library for bits that differ: core/math.hh has its own';
  return THROWS.test(line) ? 'throws: fail() of core/fail.hh does so where there are exceptions' : undefined;
}

let files = 0;
let problems = 0;
for (const room of ROOMS) {
  for (const path of filesBelow(`${NATIVE_SOURCE}/${room}`, (name) => /\.(cc|hh)$/.test(name))) {
    files += 1;
    readFileSync(path, 'utf8')
      .split('\n')
      .forEach((line, index) => {
        const fault = EVERYWHERE.includes(room) ? notEverywhere(line) : undefined;
        if (fault !== undefined && !OWN_WAY.includes(relative(NATIVE_SOURCE, path))) {
          problems += 1;
          console.error(`${relative(ROOT, path)}:${index + 1}: ${fault}`);
        }
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

for (const path of filesBelow(`${NATIVE_SOURCE}/apps`, () => true)) {
  if (/^int main\(/m.test(readFileSync(path, 'utf8'))) continue;
  problems += 1;
  console.error(
    `${relative(ROOT, path)}: apps/ is for the main() of each program; what they share has rooms of its own`,
  );
}

const DRAWINGS = 'docs/architecture.md';
const text = readFileSync(`${ROOT}/${DRAWINGS}`, 'utf8');
const drawn = /** @type {const} */ ([
  ['## The rooms of the TypeScript', scriptArrows()],
  ['## The rooms of the C++', nativeArrows()],
]);
for (const [heading, arrows] of drawn)
  for (const difference of differences(drawingBelow(text, heading), arrows)) {
    problems += 1;
    console.error(`${DRAWINGS}, ${heading.replace('## ', '')}: ${difference}`);
  }
const alone = /** @type {const} */ ([
  ["The QUIC helper's modules", rustArrows()],
  ['Files of TypeScript', fileArrows()],
]);
for (const [what, arrows] of alone) {
  const circle = circleIn(arrows);
  if (circle === undefined) continue;
  problems += 1;
  console.error(`${what} take from each other in a circle: ${circle.join(' → ')}`);
}
if (problems === 0) console.log(`${files} files include only their own rooms and plain standard headers.`);
else process.exitCode = 1;
