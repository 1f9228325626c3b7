// What a link must bring along, because it is in this browser alone: an experiment as its spec, own algorithms as their texts, a frozen view as
// what is said of it and the experiments that it needs.
import { sharedPage } from '#protocol/share';
import { ownCcasOf, packCarried, type Carried } from '../share/carried';
import { pathOf } from '../ui/place';
import { keptAlgorithms } from './kept/algorithms';
import type { KeptExperiment } from './kept/database';
import { desk, type Desk } from './kept/desk';
import { keptShare } from './kept/shares';

async function algorithmsOf(ids: ReadonlySet<string>): Promise<Carried['algorithms']> {
  return (await keptAlgorithms())
    .filter(({ id }) => ids.has(id))
    .map(({ declaration, text }) => ({ declaration, text }));
}

/** Null: it is on the site, or nowhere. */
function experimentOf(kind: string, id: string, known: Desk): KeptExperiment | null {
  if (kind === 'e') return known.experiments.get(id) ?? null;
  // A run of the site needs nothing.
  return kind === 'r' && known.runs.get(id)?.ofSite === false ? (known.homesOf(id)[0] ?? null) : null;
}

/** Each once. */
function experimentsOf(address: string, known: Desk): KeptExperiment[] {
  const page = sharedPage(address);
  const kind = page?.kind === 'experiment' ? 'e' : 'r';
  return [...new Set((page?.ids ?? []).flatMap((id) => experimentOf(kind, id, known) ?? []))];
}

async function shareCarried(slug: string): Promise<Carried | null> {
  const share = await keptShare(slug);
  if (share === undefined) return null;
  const { title, note, address, created_at, engine_version } = share;
  const experiments = experimentsOf(address, await desk()).map(({ spec }) => spec);
  const algorithms = await algorithmsOf(new Set(experiments.flatMap((spec) => [...ownCcasOf(spec)])));
  return {
    experiment: null,
    algorithms,
    share: { title, note, address, created_at, engine_version, experiments },
  };
}

async function carriedBy(kind: string, id: string): Promise<Carried | null> {
  if (kind === 's') return shareCarried(id);
  if (kind === 'write') {
    const algorithms = await algorithmsOf(new Set([id]));
    return algorithms.length === 0 ? null : { experiment: null, algorithms };
  }
  const found = experimentOf(kind, id, await desk());
  if (found === null) return null;
  return { experiment: found.spec, algorithms: await algorithmsOf(ownCcasOf(found.spec)) };
}

export async function withCarried(address: string): Promise<string> {
  const url = new URL(address);
  const [, kind = '', id = ''] = pathOf(url.pathname).split('/');
  const carried = await carriedBy(kind, id);
  if (carried === null) return address;
  url.hash = await packCarried(carried);
  return url.href;
}
