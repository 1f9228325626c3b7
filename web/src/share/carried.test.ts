// @vitest-environment node
// jsdom knows neither streams of blobs nor compression.
import { describe, expect, test } from 'vitest';
import { OwnDeclaration } from '#protocol/own-algorithm';
import { ExperimentSpec } from '#protocol/spec';
import { Carried, idOfText, ownCcasOf, packCarried, readCarried, readCarriedAlgorithm } from './carried';
import { CARRIES, isCarrying } from './link';

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

test('own algorithms of a spec are those of its cells and of its flows', () => {
  expect([...ownCcasOf(experiment)]).toEqual([id, 'own-0000000000000000000000000000000000000000']);
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
        'What it brings along is neither an experiment nor an algorithm.',
      );
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test('some kilobytes that would swell to a hundred megabytes', async () => {
    const bomb = await deflated(new Uint8Array(100 << 20));
    expect(bomb.length).toBeLessThan(200_000);
    expect(await refusal(readCarried(bomb))).toBe('It brings along more than 4 MiB.');
  });
});
