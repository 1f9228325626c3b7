// Any manifest's run, in an engine of this page.
import type { QueryClient } from '@tanstack/react-query';
import { tracesOfManifest } from '#analysis/trace-owners';
import type { EngineOutcome } from '#engine/engine';
import { decodeSamples } from '#protocol/frames';
import type { RunManifest } from '#protocol/manifest';
import { ownCcaId } from '#protocol/own-id';
import { contentsOf } from '../api/contents';
import { theEngines } from '../engine/engines';
import { SampleStore } from '../live/sample-store';
import { patiently } from '../ui/lazy-part';
import { programsOf } from '../write/agreed';
import type { Known } from './plan';
import { weightsOfManifest } from './weights-of';

/** Nobody listens to it while it grows. */
const AT_ONCE = (flush: () => void): void => flush();

/** A manifest's run in the engine of this page, with all of its samples. Rejects where there is no engine, or not what it names. */
export async function simulate(
  queries: QueryClient,
  manifest: RunManifest,
  known: Pick<Known, 'listing' | 'programs'>,
  signal: AbortSignal,
): Promise<EngineOutcome & { readonly store: SampleStore }> {
  const [traces, weights, programs, pool] = await Promise.all([
    contentsOf(queries, 'traces', tracesOfManifest(manifest)),
    contentsOf(queries, 'weights', weightsOfManifest(manifest, known.listing.ccas)),
    textsOf(queries, programsOf(manifest), known.programs),
    theEngines(),
  ]);
  const store = new SampleStore(AT_ONCE);
  const told = await pool.run(
    manifest,
    { traces, weights, programs },
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

/** Few runs need one: what reads it comes when one does. */
async function keptText(queries: QueryClient, program: string): Promise<string> {
  const { algorithmQuery } = await patiently(() => import('../api/algorithms'));
  return (await queries.query(algorithmQuery(ownCcaId(program)))).text;
}

/** Texts of own algorithms: what this page has itself, else what the server keeps. */
const textsOf = async (
  queries: QueryClient,
  programs: readonly string[],
  here: Known['programs'],
): Promise<ReadonlyMap<string, Uint8Array>> =>
  new Map(
    await Promise.all(
      programs.map(async (program) => {
        const text = here?.get(program) ?? (await keptText(queries, program));
        return [program, new TextEncoder().encode(text)] as const;
      }),
    ),
  );
