// What a link must bring along, because it is in this browser alone: an experiment as its spec, and own algorithms as their texts.
import { ownCcasOf, packCarried, type Carried } from '../share/carried';
import { pathOf } from '../ui/place';
import { keptAlgorithms } from './kept/algorithms';
import type { KeptExperiment } from './kept/database';
import { desk } from './kept/desk';

async function algorithmsOf(ids: ReadonlySet<string>): Promise<Carried['algorithms']> {
  return (await keptAlgorithms())
    .filter(({ id }) => ids.has(id))
    .map(({ declaration, text }) => ({ declaration, text }));
}

async function experimentOf(kind: string, id: string): Promise<KeptExperiment | undefined> {
  const known = await desk();
  if (kind === 'e') return known.experiments.get(id);
  // A run of the site needs nothing.
  return kind === 'r' && known.runs.get(id)?.ofSite === false ? known.homesOf(id)[0] : undefined;
}

async function carriedBy(kind: string, id: string): Promise<Carried | null> {
  if (kind === 'write') {
    const algorithms = await algorithmsOf(new Set([id]));
    return algorithms.length === 0 ? null : { experiment: null, algorithms };
  }
  const found = await experimentOf(kind, id);
  if (found === undefined) return null;
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
