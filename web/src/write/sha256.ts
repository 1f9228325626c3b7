// The hash by which a text is known. The browser's own is there in secure pages only, and an answer later.
const ROUND = new Uint32Array(64);
const START = new Uint32Array(8);

/** Bits of the fractions of roots of the first primes (FIPS 180-4 sections 4.2.2 and 5.3.3). */
const fraction = (root: number): number => ((root - Math.floor(root)) * 2 ** 32) >>> 0;

for (let prime = 2, found = 0; found < ROUND.length; prime++) {
  let whole = true;
  for (let divisor = 2; divisor * divisor <= prime; divisor++) whole &&= prime % divisor !== 0;
  if (!whole) continue;
  ROUND[found] = fraction(Math.cbrt(prime));
  if (found < START.length) START[found] = fraction(Math.sqrt(prime));
  found += 1;
}

const turned = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/** Closed by a one, zeros and its length in bits. */
function padded(bytes: Uint8Array): DataView {
  const view = new DataView(new ArrayBuffer(Math.ceil((bytes.length + 9) / 64) * 64));
  new Uint8Array(view.buffer).set(bytes);
  view.setUint8(bytes.length, 0x80);
  view.setUint32(view.byteLength - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(view.byteLength - 4, (bytes.length * 8) >>> 0);
  return view;
}

function mix(state: Uint32Array, words: Uint32Array): void {
  for (let i = 16; i < 64; i++) {
    const [near, far] = [words[i - 2] ?? 0, words[i - 15] ?? 0];
    const low = turned(far, 7) ^ turned(far, 18) ^ (far >>> 3);
    const high = turned(near, 17) ^ turned(near, 19) ^ (near >>> 10);
    words[i] = (words[i - 16] ?? 0) + low + (words[i - 7] ?? 0) + high;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i++) {
    const chosen = (e & f) ^ (~e & g);
    const first = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + chosen + (ROUND[i] ?? 0) + (words[i] ?? 0)) | 0;
    const second = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] = (state[i] ?? 0) + word;
}

/** In hexadecimal digits. */
export function sha256(bytes: Uint8Array): string {
  const view = padded(bytes);
  const state = START.slice();
  const words = new Uint32Array(64);
  for (let at = 0; at < view.byteLength; at += 64) {
    for (let i = 0; i < 16; i++) words[i] = view.getUint32(at + 4 * i);
    mix(state, words);
  }
  return [...state].map((word) => word.toString(16).padStart(8, '0')).join('');
}
