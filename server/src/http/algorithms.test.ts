// Own algorithms over HTTP: taken in once, in versions, listed at once, deleted and brought back.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Problem } from '#protocol/api';
import { EngineListing } from '#protocol/cca';
import { MOST_SOURCE_BYTES, OwnAlgorithm, OwnAlgorithmList, OwnAlgorithmText } from '#protocol/own-algorithm';
import { nativeDir } from '#bridge/programs';
import { ownText } from '../testing/own-texts.ts';
import { QUICK, TestServer } from '../testing/server.ts';

const there = existsSync(join(nativeDir(), 'paceline.wasm'));

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(async () => {
  await server.close();
});

const send = (body: NonNullable<RequestInit['body']>): Promise<Response> =>
  fetch(server.url('/algorithms'), { method: 'POST', body, headers: { 'content-type': 'text/plain' } });
const kept = async (text: string): Promise<OwnAlgorithm> => OwnAlgorithm.parse(await (await send(text)).json());
const problem = async (response: Response): Promise<Problem> => Problem.parse(await response.json());
const listed = async (): Promise<OwnAlgorithm[]> => (await server.json('/algorithms', OwnAlgorithmList)).algorithms;
const inListing = async (id: string) => (await server.json('/ccas', EngineListing)).ccas.find((cca) => cca.id === id);

describe.skipIf(!there)('own algorithms', () => {
  it('are kept once, listed at once, and given back as they were sent', async () => {
    const text = `${ownText('Größer')}// ☺\n`;
    const response = await send(text);
    expect(response.status).toBe(201);
    const algorithm = OwnAlgorithm.parse(await response.json());
    expect(algorithm).toMatchObject({ version: 1, declaration: { name: 'Größer' } });
    expect(algorithm.id).toBe(`own-${algorithm.program.slice(0, 40)}`);
    expect(await inListing(algorithm.id)).toMatchObject({
      label: 'Größer',
      own: { program: algorithm.program, version: 1, newest: true },
    });
    const again = await send(text);
    expect(again.status).toBe(200);
    expect(await again.json()).toEqual(algorithm);
    expect(await listed()).toEqual([algorithm]);
    expect(await server.json(`/algorithms/${algorithm.id}`, OwnAlgorithmText)).toEqual({ ...algorithm, text });
  });

  it('of a name that is there are its next version, and the older one stays', async () => {
    const first = await kept(ownText('Two'));
    const second = await kept(`${ownText('Two')}// 2`);
    expect([first.version, second.version]).toEqual([1, 2]);
    expect(await inListing(first.id)).toMatchObject({ label: 'Two v1', own: { newest: false } });
    expect(await inListing(second.id)).toMatchObject({ label: 'Two', own: { newest: true } });
    await fetch(server.url(`/algorithms/${second.id}`), { method: 'DELETE' });
    expect(await inListing(first.id)).toMatchObject({ label: 'Two', own: { newest: true } });
    expect((await kept(`${ownText('Two')}// 3`)).version).toBe(3);
  });

  it('are refused with their place when they are none', async () => {
    const before = await listed();
    const wrong = await send('const a = 1;\nlet b = ;\n');
    expect(await problem(wrong)).toMatchObject({ status: 422, code: 'ALGORITHM_REFUSED', where: '2:9' });
    const none = await problem(await fetch(server.url('/algorithms?name=mine.ts'), { method: 'POST', body: 'let a;' }));
    expect(none).toMatchObject({ code: 'ALGORITHM_REFUSED', where: 'the text' });
    expect(await problem(await send(new Uint8Array([0x2f, 0x2f, 0xff])))).toMatchObject({ code: 'ALGORITHM_REFUSED' });
    expect(await problem(await send(' '.repeat(MOST_SOURCE_BYTES + 1)))).toMatchObject({ code: 'UPLOAD_TOO_LARGE' });
    expect(await problem(await send(''))).toMatchObject({ code: 'UPLOAD_EMPTY' });
    expect(await listed()).toEqual(before);
  });

  it('are deleted, brought back, and kept while an experiment needs them', async () => {
    const { id } = await kept(ownText('Gone'));
    expect((await fetch(server.url(`/algorithms/${id}`), { method: 'DELETE' })).status).toBe(200);
    expect(await problem(await fetch(server.url(`/algorithms/${id}`)))).toMatchObject({ status: 410, code: 'DELETED' });
    expect(await inListing(id)).toBeUndefined();
    const refused = await problem(await server.post('/plan', { ...QUICK, ccas: [{ id }] }));
    expect(refused).toMatchObject({ code: 'SPEC_INVALID', where: 'ccas.0.id' });
    expect(refused.detail).toMatch(/is not here: open its text in the editor .* or import a bundle/);
    expect((await server.post(`/algorithms/${id}/restore`)).status).toBe(200);
    await server.over(await server.submit({ ...QUICK, name: 'needs it', ccas: [{ id }] }));
    const inUse = await problem(await fetch(server.url(`/algorithms/${id}`), { method: 'DELETE' }));
    expect(inUse).toMatchObject({ status: 409, code: 'IN_USE' });
    expect(inUse.detail).toBe('“Gone”, version 1 is needed by the experiment “needs it”');
  });

  it('that were deleted come back with the experiment that needs them', async () => {
    const { id } = await kept(ownText('Back'));
    const experiment = await server.submit({ ...QUICK, name: 'goes', ccas: [{ id }] });
    await server.over(experiment);
    await fetch(server.url(`/experiments/${experiment.id}`), { method: 'DELETE' });
    expect((await fetch(server.url(`/algorithms/${id}`), { method: 'DELETE' })).status).toBe(200);
    await server.post(`/experiments/${experiment.id}/restore`);
    expect(await inListing(id)).toBeDefined();
  });

  it('that nobody knows are a 404, or null, and what is no id a 400', async () => {
    const nobody = `own-${'0'.repeat(40)}`;
    expect(await problem(await fetch(server.url(`/algorithms/${nobody}`)))).toMatchObject({
      code: 'ALGORITHM_UNKNOWN',
    });
    expect(await (await fetch(server.url(`/algorithms/${nobody}?unknown=null`))).json()).toBeNull();
    expect((await fetch(server.url('/algorithms/cubic'))).status).toBe(400);
  });
});
