// What kinds of CCAs there are to the planner and the analysis: competitors of either stack, and references.
import type { CcaDescriptor, EngineListing } from '#protocol/cca';
import type { ExperimentSpec } from '#protocol/spec';

type Kind = Pick<CcaDescriptor, 'kind'>;

/** It is judged; the others know the link and show what could be reached. */
export const isCompetitor = ({ kind }: Kind): boolean => kind === 'sender' || kind === 'kernel';

/**
 * Where a CCA runs in an experiment of this engine; null: nowhere. References may be computed in virtual time beside a real-time
 * experiment, and the kernel's algorithms run in real time beside a virtual one; our own run where the spec says.
 */
export function engineOf(cca: CcaDescriptor, engine: ExperimentSpec['engine']): ExperimentSpec['engine'] | null {
  if (cca.engines.includes(engine)) return engine;
  if (cca.kind === 'sender') return null;
  return cca.engines[0] ?? null;
}

/** The CCA that others of its stack are paired with: packets of ours and of the kernel do not share a link. */
export const baselineOf = (listing: EngineListing, { kind }: Kind): CcaDescriptor | undefined =>
  listing.ccas.find((cca) => cca.baseline && cca.kind === kind);

/** Whether anything of it runs in real time: then each submission is a new measurement. */
export const isMeasured = (
  spec: Pick<ExperimentSpec, 'engine' | 'ccas'>,
  { ccas }: { readonly ccas: readonly CcaDescriptor[] },
): boolean =>
  spec.engine === 'realtime' || spec.ccas.some(({ id }) => ccas.find((cca) => cca.id === id)?.kind === 'kernel');
