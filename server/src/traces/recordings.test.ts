// The recordings by others that are shipped: whose they are is said wherever they are, and their packets are those of their publishers' files.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isShippedRecording } from '#analysis/shipped-recording';
import { Problem, TraceList, type TraceRecord } from '#protocol/api';
import { Recording } from '#protocol/recording';
import { TestServer } from '../testing/server.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const FOLDER = join(ROOT, 'traces/recordings');
const RECORDINGS = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.json'))
  .map((file) => ({
    id: basename(file, '.json'),
    ...Recording.parse(JSON.parse(readFileSync(join(FOLDER, file), 'utf8'))),
  }));
/** As text of one line per millisecond: what an independent program made of the publishers' files (the tables), or those files themselves. */
const KNOWN: Readonly<Record<string, string>> = {
  '3g-hspa-citydrive': 'b643f2f34cb9a4ebe2dcc571300f69e3e514fd02b7f6de95f0b03b4d21e0e8f5',
  '5g-mmwave-drive-lumos103': 'bf623cdde2dfc014684060f8164ad8248ce2aa5b47a40f26a75a4fe1940cf250',
  '5g-mmwave-walk-lumos101': '08d8dc05d42a88f923ec1d4a60ef6ceee35d52e2a0244c2c1edf177f1fb2f8a4',
  'ns3-mmwave-uma-burst': '4025e441b17d6bc0127708e5243077a240b745b3fe691074db05c151773aaf5d',
};
let server: TestServer;
let shipped: TraceRecord[];
beforeAll(async () => {
  server = await TestServer.start();
  shipped = (await server.json('/traces', TraceList)).traces.filter(isShippedRecording);
});
afterAll(() => server.close());

const recordOf = (name: string): TraceRecord => {
  const found = shipped.find((trace) => trace.name === name);
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
};

describe('the shipped recordings', () => {
  it('are four, with the content that they are known by', () => {
    expect(Object.fromEntries(RECORDINGS.map(({ id, name }) => [id, recordOf(name).id]))).toEqual(KNOWN);
    expect(shipped).toHaveLength(RECORDINGS.length);
  });

  it.each(RECORDINGS)('$id says whose it is, in the list and in the file that is passed on', async (recording) => {
    const { name, about, licence, source } = recording;
    const record = recordOf(name);
    expect(record).toMatchObject({ origin: 'library', technology: about.technology, place: about.place });
    for (const part of [licence.name, licence.url, licence.owner]) expect(record.licence).toContain(part);
    for (const part of Object.values(source)) expect(record.source).toContain(part);
    expect(record.licence.length).toBeLessThanOrEqual(200);

    const file = await (await fetch(server.url(`/traces/${record.id}/file`))).text();
    const head = file.split('\n').filter((line) => line.startsWith('#'));
    expect(head.join('\n')).toContain(licence.owner);
    expect(head.join('\n')).toContain(source.changes);
    const text = file.split('\n').slice(head.length).join('\n');
    expect(createHash('sha256').update(text).digest('hex')).toBe(record.id);
    // It can be brought back, and is the same trace.
    const again = await fetch(server.url('/traces?name=again'), { method: 'POST', body: file });
    expect(await again.json()).toMatchObject({ id: record.id, name, licence: record.licence });
  });

  it.each(RECORDINGS)('$id has no recipe, and an edit keeps its licence', async ({ name }) => {
    const { id, licence } = recordOf(name);
    const recipe = await fetch(server.url(`/traces/${id}/recipe`));
    expect(recipe.status).toBe(404);
    expect(Problem.parse(await recipe.json()).code).toBe('TRACE_WITHOUT_RECIPE');
    const edited = await fetch(server.url(`/traces/${id}/edits`), {
      method: 'POST',
      body: JSON.stringify({ name: 'Cut', steps: [{ op: 'cut', from_ms: 0, to_ms: 5000 }] }),
      headers: { 'content-type': 'application/json' },
    });
    expect(edited.status).toBe(201);
    expect(await edited.json()).toMatchObject({ origin: 'edit', licence });
  });

  it.each(RECORDINGS)(
    '$id is named in NOTICE with its licence, its owner and what was changed',
    ({ licence, source }) => {
      const notice = readFileSync(join(ROOT, 'NOTICE'), 'utf8');
      for (const part of [licence.owner, licence.url, source.citation, source.url, source.file, source.changes])
        expect(notice).toContain(part);
      if (licence.name === 'MIT')
        expect(notice).toContain('The above copyright notice and this permission notice shall be');
    },
  );

  it.each(RECORDINGS)('$id lies in the repository as text', ({ file }) => {
    const content = readFileSync(join(FOLDER, file));
    expect(/^[\d. \t\n]*\n$/.test(content.toString('latin1'))).toBe(true);
    expect(content.length).toBeLessThan(1e6);
  });
});
