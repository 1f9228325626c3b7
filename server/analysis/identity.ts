// What makes two things the same thing: canonical JSON and the short ids made of its hash. A manifest's id is its cache
// key and its permalink. The hash comes from outside: node and the page have different ones.
import type { ExperimentSpec } from '#protocol/spec';

/** SHA-256 of the UTF-8 bytes of a text. */
export type Sha256 = (text: string) => Uint8Array;

/**
 * JSON with sorted keys and no spaces (RFC 8785 in effect): equal values give equal text. Absent and `undefined` keys are the same.
 * `written`: the text of parts that many values share.
 */
export function canonicalJson(value: unknown, written?: WeakMap<object, string>): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError(`${value} has no JSON form`);
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map((element) => canonicalJson(element, written)).join(',')}]`;
  if (typeof value === 'object') {
    const known = written?.get(value);
    if (known !== undefined) return known;
    // Plain loops: plans of thousands of runs pass here.
    let members = '';
    for (const key of Object.keys(value).sort()) {
      const member = (value as Readonly<Record<string, unknown>>)[key];
      if (member === undefined) continue;
      members += `${members === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(member, written)}`;
    }
    return `{${members}}`;
  }
  throw new TypeError(`a ${typeof value} has no JSON form`);
}

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const ID_CHARACTERS = 20; // 100 bits: no collision to fear

/** The first 20 characters of the hash in lower-case RFC 4648 base32. */
export function shortId(hash: Uint8Array): string {
  let id = '';
  let bits = 0;
  let held = 0;
  for (const byte of hash) {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      id += ALPHABET.charAt((held >> bits) & 31);
      if (id.length === ID_CHARACTERS) return id;
    }
    held &= (1 << bits) - 1;
  }
  throw new RangeError(`a hash of ${hash.length} bytes is too short for an id`);
}

/** Of a manifest as canonical JSON. */
export const runIdOf = (canonical: string, sha256: Sha256): string => shortId(sha256(canonical));

/** What sets an experiment apart from others of the same spec. */
export interface ExperimentTraits {
  /** Of real-time experiments. */
  readonly measurement?: string | undefined;
  /** Of private ones: who knows the spec cannot tell the id. */
  readonly secret?: string | undefined;
}

/** `spec` as `resolveSpec` returns it: defaults filled, traces by content. */
export const experimentId = (
  spec: ExperimentSpec,
  engineVersion: string,
  sha256: Sha256,
  { measurement, secret }: ExperimentTraits = {},
): string => shortId(sha256(canonicalJson({ spec, engine_version: engineVersion, measurement, secret })));
