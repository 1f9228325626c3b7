import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Problem } from '#protocol/api';
import { ImportedList, ImportedRecord } from '#protocol/imported';
import { TestServer } from '../testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.close());

const FLENT = gzipSync(JSON.stringify({ version: 4, x_values: [0, 0.2], results: { 'TCP upload': [10, 20] } }));
const send = (body: Uint8Array<ArrayBuffer> | string, name: string): Promise<Response> =>
  fetch(server.url(`/imported-series?name=${encodeURIComponent(name)}`), {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/octet-stream' },
  });

it('a file is kept once, has an address, and can be taken away', async () => {
  const response = await send(new Uint8Array(FLENT), 'walk.png');
  expect(response.status).toBe(201);
  const record = ImportedRecord.parse(await response.json());
  expect(record).toMatchObject({ name: 'walk.png', imported: { form: 'flent', duration_s: 0.2 } });
  const again = await send(new Uint8Array(FLENT), 'other.flent.gz');
  expect([again.status, ImportedRecord.parse(await again.json())]).toEqual([200, record]);
  expect(await server.json(`/imported-series/${record.id}`, ImportedRecord)).toEqual(record);
  const { files } = await server.json('/imported-series', ImportedList);
  expect(files).toEqual([{ id: record.id, name: 'walk.png', created_at: record.created_at, form: 'flent' }]);
  const gone = await fetch(server.url(`/imported-series/${record.id}`), { method: 'DELETE' });
  expect(ImportedList.parse(await gone.json())).toEqual({ files: [] });
  const unknown = await fetch(server.url(`/imported-series/${record.id}`));
  expect(Problem.parse(await unknown.json())).toMatchObject({ status: 404, code: 'MEASUREMENT_UNKNOWN' });
});

it('what is none is refused by its place, and nothing is kept', async () => {
  const response = await send('{"x_values": [1, oops]}', 'broken.flent');
  expect(Problem.parse(await response.json())).toMatchObject({
    status: 422,
    code: 'MEASUREMENT_REFUSED',
    where: 'broken.flent: line 1, column 18',
  });
  expect((await send(new Uint8Array(gzipSync(new Uint8Array(70 * 2 ** 20))), 'bomb.gz')).status).toBe(422);
  expect(await server.json('/imported-series', ImportedList)).toEqual({ files: [] });
});
