// What a run asks of whoever makes it.
import type { RunManifest } from '#protocol/manifest';
import type { Capability } from '#protocol/workers';
import { helperCca } from '#bridge/quic-ccas';

/** Of the kernel's own algorithms, which another kernel may not have; those that an operator loads into it are none. */
export const isOfKernel = (cca: string): boolean => cca.startsWith('kernel-') && !cca.startsWith(LOADED);
const LOADED = 'kernel-bpf-';

/** Null: what it needs is here alone, programs and algorithms that the operator has set up. */
export function capabilityOf({ path, flows }: RunManifest): Capability | null {
  if (flows.some(({ cca }) => cca.revision !== undefined || cca.id.startsWith(LOADED))) return null;
  if (path === 'memory') return 'virtual';
  if (path === 'udp') return 'realtime';
  return flows.some(({ cca }) => helperCca(cca.id) !== null) ? 'quic' : 'kernel';
}
