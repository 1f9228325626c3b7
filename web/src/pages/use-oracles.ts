// The oracles over the links of the runs on a page, once a figure is asked to draw them; runs with the same link share one.
import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { canonicalJson } from '#analysis/identity';
import { oracleManifest } from '#analysis/oracle';
import type { RunManifest } from '#protocol/manifest';
import { asApiError } from '../api/client';
import { oracleQuery } from '../api/oracle';
import { CutSamples } from '../live/replay';
import type { SampleStore } from '../live/sample-store';
import type { CcaListing, OracleCourse, OracleState, RunSamples } from '../plots/data';
import { useFrozen } from '../share/frozen';
import type { RawSearch } from '../ui/search';

export interface RunWithLink {
  readonly id: string;
  readonly label: string;
  /** null: it was not run here. */
  readonly manifest: RunManifest | null;
}

interface Group {
  readonly run: string;
  readonly of: string;
  readonly runs: readonly number[];
}

/** Runs whose oracles are the same run; such without one are left out. */
function groupsOf(runs: readonly RunWithLink[], ccas: CcaListing): Group[] {
  const listing = { ccas: [...ccas.values()] };
  const groups = new Map<string, Group>();
  for (const [place, { id, label, manifest }] of runs.entries()) {
    const own = manifest === null ? null : oracleManifest(manifest, listing);
    if (own === null) continue;
    const key = canonicalJson({ ...own, engine_version: '' });
    const known = groups.get(key) ?? { run: id, of: label, runs: [] };
    groups.set(key, { ...known, runs: [...known.runs, place] });
  }
  return [...groups.values()];
}

/** Some figure is asked to draw it. */
export const isOracleWanted = (raw: RawSearch): boolean =>
  Object.entries(raw).some(([key, value]) => key.endsWith('.oracle') && value === 'true');

type Loaded =
  | { readonly state: 'asked' }
  | { readonly state: 'refused'; readonly reason: string }
  | { readonly state: 'known'; readonly stores: readonly SampleStore[] };

/** All of them, or why there are none: one that is missing would be taken for another. */
function together(results: readonly UseQueryResult<SampleStore>[]): Loaded {
  const failed = results.find(({ error }) => error !== null);
  if (failed !== undefined) return { state: 'refused', reason: asApiError(failed.error).problem.detail };
  const stores = results.flatMap(({ data }) => (data === undefined ? [] : [data]));
  return stores.length === results.length ? { state: 'known', stores } : { state: 'asked' };
}

/** `samples`: as far as these have come, the oracles are shown. */
export function useOracles(
  runs: readonly RunWithLink[],
  samples: RunSamples,
  ccas: CcaListing,
  raw: RawSearch,
): OracleState | undefined {
  const frozen = useFrozen();
  const wanted = isOracleWanted(raw);
  const groups = useMemo(() => (wanted ? groupsOf(runs, ccas) : []), [wanted, runs, ccas]);
  const loaded = useQueries({
    queries: frozen === null ? groups.map(({ run }) => oracleQuery(run)) : [],
    combine: together,
  });
  const courses = useMemo(
    () => (loaded.state === 'known' ? cutCourses(groups, loaded.stores, samples) : []),
    [groups, loaded, samples],
  );
  useEffect(
    () =>
      samples.subscribe(() => {
        for (const { cut } of courses) cut.advance(reached(samples));
      }),
    [samples, courses],
  );
  return useMemo(() => {
    if (!wanted) return undefined;
    if (frozen !== null) return { state: 'refused', reason: 'this view has not kept it' };
    if (groups.length === 0) return { state: 'refused', reason: 'none of these was run over a link here' };
    return loaded.state === 'known' ? { state: 'known', courses: courses.map(({ course }) => course) } : loaded;
  }, [wanted, frozen, groups, loaded, courses]);
}

/** When a run is over its last row may end before the oracle's. */
const reached = ({ complete, timeS }: RunSamples): number => (complete ? Infinity : timeS);

interface CutCourse {
  readonly course: OracleCourse;
  readonly cut: CutSamples;
}

const cutCourses = (groups: readonly Group[], stores: readonly SampleStore[], samples: RunSamples): CutCourse[] =>
  groups.flatMap(({ of, runs }, i) => {
    const store = stores[i];
    if (store === undefined) return [];
    const cut = new CutSamples(store);
    cut.advance(reached(samples));
    return [{ course: { of, runs, samples: cut }, cut }];
  });

/** Those of one of the runs, for figures of it alone. */
export function oracleOfRun(oracle: OracleState | undefined, place: number): OracleState | undefined {
  if (oracle?.state !== 'known') return oracle;
  return { state: 'known', courses: oracle.courses.filter(({ runs }) => runs.includes(place)) };
}
