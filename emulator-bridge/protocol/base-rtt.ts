// The base RTT that follows from a manifest, as the engine counts it (LinkPlan::least_delay).
import type { FlowManifest, LinkSpec, RunManifest } from '#protocol/manifest';

/** What one direction takes at the least from place `from` of its path on, ms: the link’s own delay and further ones. */
export function leastDelayMs({ delay_ms, path }: Pick<LinkSpec, 'delay_ms' | 'path'>, from = 0): number {
  if (path === undefined) return delay_ms;
  const delays = path.slice(from).filter(({ element }) => element === 'delay');
  return delays.reduce((sum, { params }) => sum + Number(params?.['delay_ms'] ?? delay_ms), 0);
}

type Ways = Pick<RunManifest, 'forward' | 'reverse'>;

/** Of the path, without what flows have of their own; of a flow with it. */
export const baseRttMs = ({ forward, reverse }: Ways, flow?: Pick<FlowManifest, 'joins' | 'extra_rtt_ms'>): number =>
  leastDelayMs(forward, flow?.joins) + leastDelayMs(reverse) + (flow?.extra_rtt_ms ?? 0);
