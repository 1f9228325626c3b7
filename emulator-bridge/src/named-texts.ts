// What a manifest names by hash, as bytes: from where the native programs read it, and texts of own algorithms from whoever keeps them.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Shelf } from '#engine/engine';
import type { RunManifest } from '#protocol/manifest';
import type { RunOptions } from './outcome.ts';

/** One of its flows runs an algorithm that somebody has written. */
export const hasOwnAlgorithm = ({ flows }: RunManifest): boolean => flows.some(({ cca }) => cca.program !== undefined);

export function tracesOf({ forward, reverse }: RunManifest): string[] {
  const capacities = [forward, reverse].flatMap(({ capacity, path = [] }) => [
    capacity,
    ...path.map((element) => element.capacity),
  ]);
  return capacities.flatMap((capacity) => (capacity?.kind === 'trace' ? [capacity.sha256] : []));
}

const HASH = /^[0-9a-f]{64}$/;

/** Which parameters name weights the engine knows: here those do that name a file of weights. */
export const mayBeWeights = ({ flows }: RunManifest): string[] =>
  flows.flatMap(({ cca }) =>
    Object.values(cca.params).filter((value): value is string => typeof value === 'string' && HASH.test(value)),
  );

async function readAll(folder: string, hashes: readonly string[], ending: string): Promise<Map<string, Uint8Array>> {
  const texts = new Map<string, Uint8Array>();
  for (const hash of new Set(hashes)) texts.set(hash, await readFile(join(folder, `${hash}${ending}`)));
  return texts;
}

/** Throws when a trace or a text is not there. */
export async function namedTexts(
  manifest: RunManifest,
  { tracesDir, program }: Pick<RunOptions, 'tracesDir' | 'program'>,
): Promise<Required<Shelf>> {
  const weights = mayBeWeights(manifest).filter((hash) => existsSync(join(tracesDir, `${hash}.weights.json`)));
  const programs = new Map<string, Uint8Array>();
  for (const { cca } of manifest.flows) {
    if (cca.program === undefined) continue;
    const text = program?.(cca.program) ?? null;
    if (text === null) throw new Error(`the text of ${cca.id} is not here: send it again, then repeat the run`);
    programs.set(cca.program, new TextEncoder().encode(text));
  }
  return {
    traces: await readAll(tracesDir, tracesOf(manifest), '.trace'),
    weights: await readAll(tracesDir, weights, '.weights.json'),
    programs,
  };
}
