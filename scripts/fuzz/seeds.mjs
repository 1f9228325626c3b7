import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { capture } from '../lib/captures.mjs';
import { NATIVE_SOURCE } from '../lib/paths.mjs';

const SAMPLES = `${NATIVE_SOURCE}/fuzz/seeds`;

/** What the six bytes before a file choose is in fuzz/choices.cc: form, pieces, packing, options. */
const AS_IT_LOOKS = '000000';
const IN_PIECES = '021000';
const PACKED = ['007000', '003000', '034000', '005000', '006000'];

/** Options of the samples that are about them, in the order in which their format's `fuzz` names them. */
const WITH_OPTIONS = new Map([
  ['microseconds.txt', ['000100', '710100']],
  ['ms-count.txt', ['000200']],
  ['table-comma.txt', ['000100', '000200', '000300', '000430']],
  ['table-dates.txt', ['000300']],
  ['table-one-column.txt', ['000H00']],
  ['iperf3.txt', ['000100']],
  ['iperf3-both-ends.txt', ['000300', '000400']],
  ['ethernet.packets', ['000100', '000500', '100000']],
  ['v6.packets', ['000200', '118000']],
  ['recording.txt', ['100000', '113000']],
]);

/** @returns {[string, Buffer][]} */
function samples() {
  return readdirSync(SAMPLES).flatMap((name) => {
    const text = readFileSync(`${SAMPLES}/${name}`);
    if (!name.endsWith('.packets')) return [[name, text]];
    const forms = /** @type {const} */ (['pcap', 'pcap-ns', 'pcap-swapped', 'pcapng']);
    const links = /** @type {const} */ (['ethernet', 'cooked', 'raw']);
    return forms.flatMap((form) =>
      links.map(
        (link) => /** @type {[string, Buffer]} */ ([`${name}-${form}-${link}`, capture(text.toString(), form, link)]),
      ),
    );
  });
}

/** A zstd frame of one block that is not compressed, without a checksum.
 * @param {Buffer} content */
function zstd(content) {
  const header = ((content.length << 3) | 1) >>> 0;
  const block = Buffer.from([header & 0xff, (header >> 8) & 0xff, (header >> 16) & 0xff]);
  return Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x40]), block, content]);
}

/** Writes the corpus that fuzzing begins with: the samples in every form and packing.
 * @param {string} folder made anew */
export function writeSeeds(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  let n = 0;
  for (const [name, content] of samples()) {
    const put = (/** @type {string} */ choices, /** @type {Buffer} */ file) =>
      writeFileSync(`${folder}/${String(n++)}-${name}`, Buffer.concat([Buffer.from(choices), file]));
    const sample = name.replace(/\.packets-.*/, '.packets');
    for (const choices of [AS_IT_LOOKS, IN_PIECES, ...PACKED, ...(WITH_OPTIONS.get(sample) ?? [])])
      put(choices, content);
    put(AS_IT_LOOKS, gzipSync(content));
    put(IN_PIECES, zstd(content));
  }
  return n;
}
