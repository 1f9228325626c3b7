// Everything that a site shows is made first, in a laboratory of its own.
import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';
import { engineOf, isMeasured } from '#analysis/kinds';
import type { Ask } from '#analysis/page-reader';
import type { ExperimentListItem } from '#protocol/api';
import { NewShare } from '#protocol/share';
import type { AskedSpec } from '#protocol/spec';
import { startSample } from '#server/ccas/sample';
import { submitHome } from '#server/experiments/home';
import { homeExperiment } from '#server/experiments/home-experiment';
import type { Lab } from '#server/lab';
import type { Shares } from '#server/shares/share-service';
import { importLibrary } from '#server/traces/library';
import { addressOf, specOf, type SiteContents } from './contents.ts';

const LOOK_MS = 500;
const isOver = ({ state }: ExperimentListItem): boolean => state !== 'queued' && state !== 'running';

/** Algorithms whose page has a short run, and the answer of who asks for it. */
export type SampleAnswers = ReadonlyMap<string, { readonly experiment: string; readonly run: string }>;

export interface Filled {
  /** Experiments of which the samples are kept. */
  readonly sampled: ReadonlySet<string>;
  readonly ofStudies: ReadonlySet<string>;
  /** Those of them whose runs have no pages. */
  readonly withoutRuns: ReadonlySet<string>;
  readonly samples: SampleAnswers;
}

type OfStudies = Pick<Filled, 'ofStudies' | 'withoutRuns'>;

async function submitStudies(lab: Lab, { studies }: SiteContents): Promise<OfStudies> {
  const listing = await lab.engine.listing();
  const ofStudies = new Set<string>();
  const withoutRuns = new Set<string>();
  for (const { id, runs } of studies)
    for (const { spec } of Object.values((await lab.studies.study(id)).experiments)) {
      // What is measured would be of the machine that makes the site.
      if (isMeasured(spec, listing)) continue;
      const experiment = await lab.studies.submit(spec);
      ofStudies.add(experiment);
      if (!runs) withoutRuns.add(experiment);
    }
  return { ofStudies, withoutRuns };
}

async function submitSamples(lab: Lab, wanted: SiteContents['samples_of_algorithms']): Promise<SampleAnswers> {
  const { ccas } = await lab.engine.listing();
  const samples = new Map<string, { experiment: string; run: string }>();
  for (const cca of ccas)
    if (engineOf(cca, 'virtual') === 'virtual' && (wanted === 'all' || wanted.includes(cca.id)))
      samples.set(cca.id, await startSample(lab, cca.id, { params: {} }));
  return samples;
}

async function submitExperiments(lab: Lab, { experiments }: SiteContents, log: Logger): Promise<Map<string, string>> {
  const templates = new Map<string, AskedSpec>(lab.templates.list().map(({ id, spec }) => [id, spec]));
  const ids = new Map<string, string>();
  await submitHome(lab, log);
  const home = homeExperiment(lab.store);
  if (home === null) throw new Error('the experiment of the home page could not be started');
  ids.set('home', home);
  for (const [key, experiment] of Object.entries(experiments))
    if (key !== 'home') ids.set(key, (await lab.experiments.submit(specOf(key, experiment, templates))).id);
  return ids;
}

/** Resolves when nothing goes on any more; rejects with the names of what failed. */
async function allOver(lab: Lab, tell: (done: number, total: number) => void): Promise<void> {
  for (;;) {
    const all = lab.experiments.list({ archived: true });
    const sum = (of: (item: ExperimentListItem) => number): number => all.reduce((n, item) => n + of(item), 0);
    tell(
      sum((item) => item.runs_done + item.runs_failed),
      sum((item) => item.runs_total),
    );
    const hold = lab.scheduler.hold.current;
    if (hold !== null) throw new Error(`${hold.reason}. ${hold.hint}`);
    if (all.every(isOver)) break;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  const failed: string[] = [];
  for (const { id, name, state, runs_failed } of lab.experiments.list({ archived: true })) {
    if (state === 'done' && runs_failed === 0) continue;
    const { runs } = await lab.experiments.runs(id, { state: 'failed', after: 0, limit: 5 });
    failed.push(`${name} (${state}): ${runs_failed} runs failed: ${runs.map((run) => run.id).join(', ')}`);
  }
  if (failed.length > 0) throw new Error(failed.join('\n'));
}

interface Freezer {
  readonly shares: Shares;
  readonly ask: Ask;
}

async function freezeShares(
  lab: Lab,
  { shares, ask }: Freezer,
  contents: SiteContents,
  ids: ReadonlyMap<string, string>,
): Promise<void> {
  const runs = (id: string): string[] =>
    [...lab.store.experiments.refs(id, { from: 0, to: 1000 })].map(({ ref }) => ref.id);
  const { signal } = new AbortController();
  // All that the pages of the shares ask heeds it.
  setMaxListeners(0, signal);
  const known = new Set(shares.list().map(({ slug }) => slug));
  for (const { address, ...share } of contents.shares) {
    if (known.has(share.slug)) shares.remove(share.slug);
    const asked = NewShare.parse({ ...share, address: addressOf(address, ids, runs) });
    await shares.freeze(asked, { ask, signal });
  }
}

export async function fillLab(
  lab: Lab,
  freezer: Freezer,
  contents: SiteContents,
  { log, tell }: { readonly log: Logger; readonly tell: (done: number, total: number) => void },
): Promise<Filled> {
  await importLibrary(lab.traces, lab.store, log);
  const ids = await submitExperiments(lab, contents, log);
  const samples = await submitSamples(lab, contents.samples_of_algorithms);
  const studies = await submitStudies(lab, contents);
  lab.scheduler.start();
  await allOver(lab, tell);
  await freezeShares(lab, freezer, contents, ids);
  const kept = Object.entries(contents.experiments).flatMap(([key, { samples: own }]) => {
    const id = ids.get(key);
    return own && id !== undefined ? [id] : [];
  });
  const sampled = new Set([...kept, ...[...samples.values()].map(({ experiment }) => experiment)]);
  return { ...studies, sampled, samples };
}
