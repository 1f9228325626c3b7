// From what a person means to what would be run here: the server's own planner over what the site and this browser have.
import { expandAsked, type Planned } from '#analysis/expand-asked';
import { runIdOf, type Sha256 } from '#analysis/identity';
import { sha256 } from '../../write/sha256';
import { invalid, needsServer, Refused } from '../refusals';
import { listing, traceCounts, traces, weights } from './library';

export type { Planned };

const hashOf: Sha256 = (text) =>
  Uint8Array.from(sha256(new TextEncoder().encode(text)).match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

export const runId = (canonical: string): string => runIdOf(canonical, hashOf);
export { hashOf };

/** Rejects with what is wrong with it, and where. */
export async function expanded(asked: unknown): Promise<Planned> {
  const [engine, all, files] = await Promise.all([listing(), traces(), weights()]);
  const plan = await expandAsked(asked, { engine, traces: all, weights: files, counts: traceCounts });
  if (plan.ok) return plan;
  const { needs, faults } = plan;
  const detail = faults[0]?.detail ?? 'the spec is not valid';
  throw new Refused(needs === null ? invalid(detail, [...faults]) : needsServer(needs));
}
