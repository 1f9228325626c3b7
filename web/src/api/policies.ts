// The networks of agents: those that come with the engine are files of the page, others are asked for (docs/weights.md).
import { z } from 'zod';
import { policyOf, type Policy } from '#analysis/policy';
import type { PolicySource } from '../plots/data';
import { call } from './client';

const SHIPPED = import.meta.glob<string>('../../../emulator-bridge/native/weights/*.weights.json', {
  query: '?url',
  import: 'default',
  eager: true,
});

async function shipped(id: string): Promise<unknown> {
  const url = Object.entries(SHIPPED).find(([file]) => file.endsWith(`/${id}.weights.json`))?.[1];
  if (url === undefined) throw new Error(`no network of ${id} comes with this page`);
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`the network of ${id} was answered with ${answer.status}`);
  return await answer.json();
}

const known = new Map<string, Promise<Policy>>();

/** Each is fetched once. */
export function loadPolicy({ kind, id }: PolicySource): Promise<Policy> {
  const key = `${kind} ${id}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const asked = (kind === 'trained' ? shipped(id) : call(`/weights/${id}/file`, z.unknown())).then(policyOf);
  known.set(key, asked);
  asked.catch(() => known.delete(key));
  return asked;
}
