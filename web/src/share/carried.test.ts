// @vitest-environment node
// jsdom knows neither streams of blobs nor compression.
import { describe, expect, test } from 'vitest';
import { ShareSlug } from '#protocol/ids';
import { OwnDeclaration } from '#protocol/own-algorithm';
import { ExperimentSpec } from '#protocol/spec';
import {
  Carried,
  idOfText,
  ownCcasOf,
  packCarried,
  readCarried,
  readCarriedAlgorithm,
  readCarriedShare,
} from './carried';
import { CARRIES, isCarrying } from './link';
import { isSlugOf, ownSlug } from './share-slug';

const TEXT = "export default { name: 'Mine' /* ← ü */ };\n";
const declaration = OwnDeclaration.parse({
  name: 'Mine',
  summary: 'Of mine.',
  source: '',
  needs: {},
  params: [],
  internals: [],
});
const id = idOfText(TEXT);
const experiment = ExperimentSpec.parse({
  name: 'Carried',
  traces: [{ rate_mbps: 12 }],
  ccas: [{ id: 'cubic' }, { id }],
  flows: [{ cca: '$cca' }, { cca: { id: 'own-0000000000000000000000000000000000000000' } }],
});
const all = Carried.parse({ experiment, algorithms: [{ declaration, text: TEXT }] });

async function deflated(bytes: BlobPart): Promise<string> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return CARRIES + Buffer.from(await new Response(stream).arrayBuffer()).toString('base64url');
}

const refusal = async (reading: Promise<unknown>): Promise<unknown> =>
  reading.then(
    () => 'read',
    (error: unknown) => (error as { problem?: { code: string; detail: string } }).problem?.detail,
  );

test('what a link brings along comes out as it went in', async () => {
  const hash = await packCarried(all);
  expect(isCarrying(hash)).toBe(true);
  // Nothing in it is changed by programs that pass addresses on.
  expect(hash).toMatch(/^carries=[A-Za-z0-9_-]+$/);
  expect(await readCarried(hash)).toEqual(all);
  const algorithm = await readCarriedAlgorithm(id, hash);
  expect(algorithm).toMatchObject({ id, declaration, text: TEXT });
  expect(algorithm.program.startsWith(id.slice('own-'.length))).toBe(true);
});

const said = {
  title: 'First results',
  note: 'They fill the queue.\n\n<b>So</b> it seems.',
  address: '/e/aaaaaaaaaaaaaaaaaaaa?frontier.x=log',
  created_at: '2026-11-28T21:00:00.000Z',
  engine_version: 'abc',
};
const ofShare = Carried.parse({ ...all, experiment: null, share: { ...said, experiments: [experiment] } });

test('a frozen view comes out as it went in, at its address', async () => {
  const slug = ownSlug(said);
  expect(slug).toMatch(/^first-results-[0-9a-f]{10}$/);
  const { algorithms, ...share } = await readCarriedShare(slug, await packCarried(ofShare));
  expect(share).toEqual(ofShare.share);
  expect(algorithms).toEqual(all.algorithms);
});

test('own algorithms of a spec are those of its cells and of its flows', () => {
  expect([...ownCcasOf(experiment)]).toEqual([id, 'own-0000000000000000000000000000000000000000']);
});

describe('the name of a share of one browser', () => {
  test('is of what it says, whatever name it was given, and no longer than names may be', () => {
    for (const name of ['', 'x', 'first-results', 'a'.repeat(60), `${'a'.repeat(48)}-b`]) {
      const slug = ownSlug(said, name);
      expect(ShareSlug.safeParse(slug).success, slug).toBe(true);
      expect(isSlugOf(slug, said), slug).toBe(true);
      expect(isSlugOf(slug, { ...said, title: 'Other' })).toBe(false);
    }
    expect(ownSlug({ ...said, title: '日本' })).toMatch(/^view-/);
    for (const other of ['', 'first-results', '-', '0123456789']) expect(isSlugOf(other, said)).toBe(false);
  });
});

describe('a link that somebody tampered with is refused', () => {
  test('a text that is not its address’s', async () => {
    const other = { ...all, algorithms: [{ declaration, text: `${TEXT}// and more` }] };
    expect(await refusal(readCarriedAlgorithm(id, await packCarried(other)))).toBe(
      'The text that it brings along is not that of its address.',
    );
  });

  test('one that was cut off, or is none', async () => {
    const hash = await packCarried(all);
    for (const bad of [hash.slice(0, -20), CARRIES, `${CARRIES}%%%`, `${CARRIES}AAAA`, `${CARRIES}${'é'.repeat(9)}`])
      expect(await refusal(readCarried(bad))).toBe('What it brings along is not whole.');
  });

  test('a frozen view that is not its address’s, or that no page shows', async () => {
    const slug = ownSlug(said);
    for (const changed of [
      { title: 'Other' },
      { note: '' },
      { address: '/e/aaaaaaaaaaaaaaaaaaaa' },
      { engine_version: 'b' },
    ]) {
      const hash = await packCarried(Carried.parse({ ...ofShare, share: { ...ofShare.share, ...changed } }));
      expect(await refusal(readCarriedShare(slug, hash))).toBe(
        'The share that it brings along is not that of its address.',
      );
    }
    expect(await refusal(readCarriedShare(slug, await packCarried(all)))).toBe(
      'The share that it brings along is not that of its address.',
    );
    const strange = JSON.stringify({ ...ofShare, share: { ...ofShare.share, address: '/settings' } });
    expect(await refusal(readCarriedShare(slug, await deflated(strange)))).toBe(
      'What it brings along is neither an experiment nor an algorithm nor a frozen view.',
    );
  });

  test('something else than an experiment', async () => {
    const wrong = [
      'null',
      '[]',
      '{"experiment":null}',
      JSON.stringify({ ...all, more: 1 }),
      JSON.stringify({ ...all, experiment: { traces: [] } }),
      JSON.stringify({ ...all, algorithms: Array.from({ length: 17 }, () => all.algorithms[0]) }),
      '{"__proto__":{"polluted":true},"experiment":null,"algorithms":[],"x":1}',
      'no JSON',
    ];
    for (const text of wrong)
      expect(await refusal(readCarried(await deflated(text))), text.slice(0, 60)).toBe(
        'What it brings along is neither an experiment nor an algorithm nor a frozen view.',
      );
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test('some kilobytes that would swell to a hundred megabytes', async () => {
    const bomb = await deflated(new Uint8Array(100 << 20));
    expect(bomb.length).toBeLessThan(200_000);
    expect(await refusal(readCarried(bomb))).toBe('It brings along more than 4 MiB.');
  });
});
