// The shipped recordings beside the files that their publishers have, where these are at hand.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { Recording } from '#protocol/recording';
import { ROOT } from './lib/paths.mjs';
import { MORE_RECORDINGS, recording } from './lib/recordings.mjs';

const FOLDER = join(ROOT, 'traces/recordings');
const RECORDINGS = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.json'))
  .map((file) => ({
    id: basename(file, '.json'),
    ...Recording.parse(JSON.parse(readFileSync(join(FOLDER, file), 'utf8'))),
  }));
const originals = existsSync(MORE_RECORDINGS) ? readdirSync(MORE_RECORDINGS) : [];

/** git's name of a file's content: what the publisher's repository calls it. */
const gitBlob = (content: Buffer): string =>
  createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');

describe.each(RECORDINGS)('$id', ({ id, file, source }) => {
  it('is found by the name that its recording has elsewhere', () => {
    expect(recording(`${id}.down.gz`)).toBe(`${ROOT}/traces/made/${id}.trace.gz`);
    expect(recording('nobody-has-this.down.gz')).toBeUndefined();
  });

  it('has the packets of its publisher’s file', ({ skip }) => {
    const original = originals.find((name) => name.startsWith(`${id}.`) && /\.(txt|down\.gz)$/.test(name));
    if (original === undefined) return skip('only here as it is shipped');
    const packed = readFileSync(join(MORE_RECORDINGS, original));
    const content = original.endsWith('.gz') ? gunzipSync(packed) : packed;
    expect(source.file).toContain(gitBlob(content));
    const ours = readFileSync(join(FOLDER, file), 'utf8');
    if (file.endsWith('.txt')) expect(content.toString().startsWith(ours)).toBe(true);
    else expect(packetsOf(ours)).toEqual(content.toString().trimEnd().split('\n'));
    return undefined;
  });
});

/** The millisecond of each packet. */
const packetsOf = (text: string): string[] =>
  text
    .trimEnd()
    .split('\n')
    .flatMap((line) => {
      const [ms = '', count = ''] = line.split(' ');
      return Array<string>(Number(count)).fill(ms);
    });
