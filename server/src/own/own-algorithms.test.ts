// What a data folder keeps of own algorithms, and for how long.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { OwnDeclaration, ownCcaId } from '#protocol/own-algorithm';
import { nativeDir } from '#bridge/programs';
import { AppError } from '../errors.ts';
import { openLab, type Lab } from '../lab.ts';
import { testFolder } from '../testing/folder.ts';
import { ownText } from '../testing/own-texts.ts';

const there = existsSync(join(nativeDir(), 'paceline.wasm'));
const folder = testFolder();
const DAY_MS = 24 * 3_600_000;

let at = Date.now();
let lab: Lab | null = null;
function open(): Lab {
  lab = openLab({ dataDir: folder(), workers: 1, log: pino({ level: 'silent' }), now: () => at });
  return lab;
}
afterEach(async () => {
  await lab?.close();
  lab = null;
});
const refusal = async (work: () => unknown): Promise<string> => {
  try {
    await work();
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
  return 'none';
};

describe.skipIf(!there)('own algorithms of a data folder', () => {
  it('stay for a day after they were deleted, and take their numbers with them', async () => {
    const { ownAlgorithms, organiser, removal } = open();
    const first = (await ownAlgorithms.add(ownText('Day'), 'a')).algorithm;
    const second = (await ownAlgorithms.add(`${ownText('Day')}//`, 'a')).algorithm;
    await organiser.deleteAlgorithm(first.id);
    at += DAY_MS - 60_000;
    await removal.sweep();
    expect(await refusal(() => ownAlgorithms.get(first.id))).toBe('DELETED');
    // Its text again is its restoration.
    expect(await ownAlgorithms.add(ownText('Day'), 'a')).toEqual({ algorithm: first, added: false });
    await organiser.deleteAlgorithm(first.id);
    at += DAY_MS + 60_000;
    await removal.sweep();
    expect(await refusal(() => ownAlgorithms.get(first.id))).toBe('ALGORITHM_UNKNOWN');
    expect(ownAlgorithms.text(first.program)).toBeNull();
    expect(ownAlgorithms.list()).toEqual([second]);
    expect((await ownAlgorithms.add(ownText('Day'), 'a')).algorithm.version).toBe(3);
  });

  it('are there again when it is opened again', async () => {
    const { algorithm } = await open().ownAlgorithms.add(ownText('Stays'), 'a');
    await lab?.close();
    const { ownAlgorithms, engine } = open();
    expect(ownAlgorithms.list()).toEqual([algorithm]);
    expect((await engine.listing()).ccas.at(-1)).toMatchObject({ id: algorithm.id, label: 'Stays' });
  });

  it('are a thousand at most', async () => {
    const { store, ownAlgorithms } = open();
    const declaration = OwnDeclaration.parse({
      name: 'Many',
      summary: '',
      source: '',
      needs: {},
      params: [],
      internals: [],
    });
    for (let version = 1; version <= 1000; version++) {
      const program = version.toString(16).padStart(4, '0').repeat(16);
      const kept = { id: ownCcaId(program), program, declaration, version, created_at: '2026-01-01' };
      store.ownAlgorithms.insert(kept, 'text');
    }
    expect(await refusal(() => ownAlgorithms.add(ownText('One more'), 'a'))).toBe('QUOTA_EXCEEDED');
  });
});
