import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { TestServer } from '../testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.close());

const Operation = z.object({ requestBody: z.object({}).optional(), responses: z.record(z.string(), z.unknown()) });
const Document = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), Operation)) });

/** Every schema object of a document, with its place. */
function* objectsIn(value: unknown, place = ''): Generator<[string, Record<string, unknown>]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [place, value as Record<string, unknown>];
  for (const [key, inner] of Object.entries(value)) yield* objectsIn(inner, `${place}/${key}`);
}

it('the document keeps to the JSON Schema of OpenAPI 3.1: a tuple has prefixItems, and a length', async () => {
  const document = await server.json('/openapi.json', Document);
  const objects = [...objectsIn(document)];
  expect(objects.filter(([, { items }]) => Array.isArray(items)).map(([place]) => place)).toEqual([]);
  const tuples = objects.filter(([, { prefixItems }]) => Array.isArray(prefixItems));
  expect(tuples.length).toBeGreaterThan(0);
  for (const [place, { prefixItems, minItems, maxItems }] of tuples)
    expect([minItems, maxItems], place).toEqual(Array(2).fill((prefixItems as unknown[]).length));
  const known = new Set(objects.map(([place]) => `#${place}`));
  for (const [place, { $ref }] of objects) if (typeof $ref === 'string') expect(known.has($ref), place).toBe(true);
});

it('every address says how it refuses', async () => {
  const { paths } = await server.json('/openapi.json', Document);
  for (const [path, operations] of Object.entries(paths))
    for (const [method, { requestBody, responses }] of Object.entries(operations)) {
      const reads = requestBody === undefined ? [] : ['400', '408', '415'];
      expect(Object.keys(responses), `${method} ${path}`).toEqual(
        expect.arrayContaining(['401', '403', '429', '500', ...reads]),
      );
    }
});

it('a file that is JSON is told as such, not as bytes', async () => {
  const document = await server.json('/openapi.json', Document);
  const answers = [...objectsIn(document)].filter(([place]) =>
    /\/responses\/.*\/content\/application\/json\/schema$/.test(place),
  );
  expect(answers.length).toBeGreaterThan(20);
  expect(answers.filter(([, { format }]) => format === 'binary').map(([place]) => place)).toEqual([]);
});
