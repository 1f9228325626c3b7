// The texts that the editor begins with: each is read, runs, and becomes a skeleton that compiles.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ExperimentRecord } from '#protocol/api';
import { EngineListing } from '#protocol/cca';
import { skeletonId, skeletonOf } from '#analysis/own-skeleton';
import { nativeDir } from '#bridge/programs';
import { testFolder } from '../testing/folder.ts';
import { QUICK, TestServer } from '../testing/server.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const EXAMPLES = join(ROOT, 'emulator-bridge/engine/own/examples');
const examples = readdirSync(EXAMPLES).filter((name) => name.endsWith('.ts'));
const there = existsSync(join(nativeDir(), 'paceline.wasm'));
const folder = testFolder();

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.close());

describe.skipIf(!there)('the examples', () => {
  it.each(examples)('%s runs, and its skeleton compiles and is listed as it was declared', async (name) => {
    const text = readFileSync(join(EXAMPLES, name), 'utf8');
    const { algorithm } = await server.lab.ownAlgorithms.add(text, name);
    const { id, declaration } = algorithm;
    const submitted = await server.submit({ ...QUICK, name, ccas: [{ id }], buffers: [{ bdp: 4 }] });
    await server.over(submitted);
    const { runs } = await server.json(`/experiments/${submitted.id}`, ExperimentRecord);
    expect(runs.map(({ state, reason }) => [state, reason])).toEqual([['done', null]]);
    expect(runs[0]?.summary?.links[0]?.utilisation).toBeGreaterThan(0.5);

    const [source, library] = [join(folder(), 'a.cc'), join(folder(), 'a.so')];
    writeFileSync(source, skeletonOf(declaration, text));
    const words = '-std=c++20 -Wall -Wextra -Werror -fPIC -shared -fvisibility=hidden'.split(' ');
    execFileSync('c++', [...words, '-I', join(ROOT, 'emulator-bridge/native/plugin'), source, '-o', library]);
    const told = execFileSync(join(nativeDir(), 'paceline-list'), ['--cca-plugin', library], { encoding: 'utf8' });
    const { ccas } = EngineListing.parse(JSON.parse(told));
    const listed = ccas.find((cca) => cca.id === skeletonId(declaration.name));
    expect(listed).toMatchObject({ label: declaration.name, internals: declaration.internals });
    expect(listed?.params.map((param) => param.name)).toEqual(declaration.params.map((param) => param.name));
  });
});
