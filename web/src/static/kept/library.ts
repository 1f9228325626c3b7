// What a plan is made with: the algorithms, traces and weights that there are, of the site and of this browser.
import { EngineListing } from '#protocol/cca';
import { TraceList, type TraceRecord } from '#protocol/api';
import { ownDescriptor } from '#protocol/own-algorithm';
import { WeightsList, type WeightsRecord } from '#protocol/weights';
import { countsOf } from '#analysis/trace-counts';
import { isOwnCca } from '#protocol/own-id';
import { Refused, unknown } from '../refusals';
import { siteList } from '../files';
import { siteBytes } from '../site';
import { keptAlgorithms } from './algorithms';
import { unpacked } from './packing';
import { keptTrace, keptTraces } from './traces';

export async function listing(): Promise<EngineListing> {
  const site = EngineListing.parse(await siteList('/ccas'));
  const own = await keptAlgorithms();
  const known = new Set(own.map(({ id }) => id));
  const newest = new Map<string, number>();
  for (const { declaration, version } of own)
    newest.set(declaration.name, Math.max(version, newest.get(declaration.name) ?? 0));
  const described = own.map(({ program, declaration, version }) =>
    ownDescriptor(program, declaration, { number: version, newest: newest.get(declaration.name) === version }),
  );
  return { ...site, ccas: [...site.ccas.filter(({ id }) => !(isOwnCca(id) && known.has(id))), ...described] };
}

/** The reader's own first, but what the site has itself. */
export async function traces(): Promise<readonly TraceRecord[]> {
  const site = TraceList.parse(await siteList('/traces')).traces;
  const ids = new Set(site.map(({ id }) => id));
  return [...(await keptTraces()).filter(({ id }) => !ids.has(id)), ...site];
}

export const weights = async (): Promise<readonly WeightsRecord[]> =>
  WeightsList.parse(await siteList('/weights')).weights;

const texts = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

async function textOf(id: string): Promise<Uint8Array<ArrayBuffer>> {
  const own = await keptTrace(id);
  const found = own === undefined ? await siteBytes(`/traces/${id}/content`) : await unpacked(own.text);
  if (found === null) throw new Refused(unknown(`/traces/${id}`));
  return found;
}

/** The canonical text of a trace, fetched once. */
export function traceText(id: string): Promise<Uint8Array<ArrayBuffer>> {
  const known = texts.get(id);
  if (known !== undefined) return known;
  const found = textOf(id);
  texts.set(id, found);
  found.catch(() => texts.delete(id));
  return found;
}

export const traceCounts = async (id: string): Promise<Uint32Array> =>
  countsOf(new TextDecoder().decode(await traceText(id)));
