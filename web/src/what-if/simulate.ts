// Any manifest's run, in an engine of this page.
import type { QueryClient } from '@tanstack/react-query';
import { tracesOfManifest } from '#analysis/trace-owners';
import type { EngineOutcome } from '#engine/engine';
import type { EngineListing } from '#protocol/cca';
import { decodeSamples } from '#protocol/frames';
import type { RunManifest } from '#protocol/manifest';
import { contentsOf } from '../api/contents';
import { engines } from '../engine/engines';
import { SampleStore } from '../live/sample-store';

/** The engine cannot be had: the server has none, or the browser cannot run it. */
export class EngineMissing extends Error {
  override readonly name = 'EngineMissing';
}

/** Nobody listens to it while it grows. */
const AT_ONCE = (flush: () => void): void => flush();

/** A manifest's run in the engine of this page, with all of its samples. Rejects where there is no engine, or not what it names. */
export async function simulate(
  queries: QueryClient,
  manifest: RunManifest,
  listing: EngineListing,
  signal: AbortSignal,
): Promise<EngineOutcome & { readonly store: SampleStore }> {
  const [traces, weights, pool] = await Promise.all([
    contentsOf(queries, 'traces', tracesOfManifest(manifest)),
    contentsOf(queries, 'weights', weightsOfManifest(manifest, listing)),
    thePool(),
  ]);
  const store = new SampleStore(AT_ONCE);
  const told = await pool.run(
    manifest,
    { traces, weights },
    {
      signal,
      onFrame: (bytes, header, control) => {
        if (control === null) store.addSamples(decodeSamples(bytes));
        else store.addControl(header.seq, control);
      },
    },
  );
  if (told.outcome === 'done') store.markComplete();
  return { ...told, store };
}

const thePool = () =>
  engines().catch((error: unknown) => {
    throw new EngineMissing(error instanceof Error ? error.message : String(error));
  });

/** Weights files that the parameters of its flows name, each once. */
const weightsOfManifest = ({ flows }: RunManifest, { ccas }: EngineListing): string[] => [
  ...new Set(
    flows.flatMap(({ cca: { id, params } }) =>
      (ccas.find((cca) => cca.id === id)?.params ?? []).flatMap(({ name, type }) => {
        const value = params[name];
        return type === 'weights' && typeof value === 'string' && value !== '' ? [value] : [];
      }),
    ),
  ),
];
