// The specs in examples/ are what an editor that goes by the schema takes, and what we take.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { ExperimentRecord } from '#protocol/api';
import { AskedSpec, type AskedSpecInput } from '#protocol/spec';
import { TestServer } from '../server/src/testing/server.ts';
import { ROOT } from './lib/paths.mjs';

const SCHEMA = `${ROOT}/docs/schema/experiment-spec.schema.json`;
const FOLDER = `${ROOT}/examples`;
const files = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));
const read = (file: string): AskedSpecInput => JSON.parse(readFileSync(file, 'utf8')) as AskedSpecInput;
const validate = new Ajv2020({ strict: false, allErrors: true }).compile(
  JSON.parse(readFileSync(SCHEMA, 'utf8')) as object,
);

it('there are some', () => {
  expect(files.length).toBeGreaterThan(2);
});

it.each(files)('%s names the schema by where it is, and keeps to it', (name) => {
  const file = `${FOLDER}/${name}`;
  const spec = read(file);
  expect(resolve(dirname(file), spec.$schema ?? '')).toBe(resolve(SCHEMA));
  validate(spec);
  expect(validate.errors).toBeNull();
  expect(AskedSpec.safeParse(spec).error).toBeUndefined();
});

it.each([
  ['a word that is not known', { durations: 3 }, '/'],
  ['a value out of bounds', { duration_s: -1 }, '/duration_s'],
  ['no schema but a number', { $schema: 7 }, '/$schema'],
])('%s is refused by the schema and by us', (_, wrong, place) => {
  const spec = { ...read(`${FOLDER}/${files[0] ?? ''}`), ...wrong };
  expect(validate(spec)).toBe(false);
  expect(validate.errors?.map(({ instancePath }) => (instancePath === '' ? '/' : instancePath))).toContain(place);
  expect(AskedSpec.safeParse(spec).success).toBe(false);
});

it('an experiment is the same without it', async () => {
  const spec: AskedSpecInput = { traces: [{ rate_mbps: 12 }], ccas: [{ id: 'cubic' }], duration_s: 1 };
  const named = { $schema: 'https://example.org/any', ...spec };
  expect(AskedSpec.parse(named)).toStrictEqual(AskedSpec.parse(spec));
  const server = await TestServer.start();
  try {
    const [plain, other] = [await server.submit(spec), await server.submit(named)];
    expect(other.id).toBe(plain.id);
    await server.over(plain);
    const kept = await server.json(`/experiments/${plain.id}`, ExperimentRecord);
    expect(Object.keys(kept.spec)).not.toContain('$schema');
  } finally {
    await server.close();
  }
});
