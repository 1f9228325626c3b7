// What kinds of CCAs there are to the planner and the analysis: competitors of ours and of real stacks, and references.
import type { CcaDescriptor, EngineListing } from '#protocol/cca';
import type { ExperimentSpec } from '#protocol/spec';

type Kind = Pick<CcaDescriptor, 'kind'>;

/** It runs in a real stack, whose packets go over TUN: always in real time, and never on one link with packets of ours. */
export const overTun = ({ kind }: Kind): boolean => kind === 'kernel' || kind === 'quic' || kind === 'external';

/** It is judged; the others know the link and show what could be reached. */
export const isCompetitor = (cca: Kind): boolean => cca.kind === 'sender' || overTun(cca);

/** It can be chosen anew: of an own algorithm only the newest version, whatever older experiments have. */
export const isOffered = ({ own }: Pick<CcaDescriptor, 'own'>): boolean => own === undefined || own.newest;

/** A shared library that the native programs load: nobody else can run it. */
export const isPlugin = ({ kind, revision }: Pick<CcaDescriptor, 'kind' | 'revision'>): boolean =>
  kind === 'sender' && revision !== undefined;

/** Its receiver's window is ours to set: references have no receiver, and programs bring their own. */
export const hasOurWindow = (cca: Kind): boolean => isCompetitor(cca) && cca.kind !== 'external';

/**
 * Where a CCA runs in an experiment of this engine; null: nowhere. References may be computed in virtual time beside a real-time
 * experiment, and those of real stacks run in real time beside a virtual one; our own run where the spec says. What is unavailable
 * here runs nowhere.
 */
export function engineOf(cca: CcaDescriptor, engine: ExperimentSpec['engine']): ExperimentSpec['engine'] | null {
  if (cca.unavailable !== undefined) return null;
  if (cca.engines.includes(engine)) return engine;
  if (cca.kind === 'sender') return null;
  return cca.engines[0] ?? null;
}

/** The CCA that others of its stack are paired with; external programs meet the kernel's. */
export const baselineOf = (listing: Pick<EngineListing, 'ccas'>, { kind }: Kind): CcaDescriptor | undefined =>
  listing.ccas.find((cca) => cca.baseline && cca.kind === (kind === 'external' ? 'kernel' : kind));

/** Whether anything of it runs in real time: then each submission is a new measurement. */
export const isMeasured = (
  spec: Pick<ExperimentSpec, 'engine' | 'ccas'>,
  { ccas }: { readonly ccas: readonly CcaDescriptor[] },
): boolean =>
  spec.engine === 'realtime' || spec.ccas.some(({ id }) => ccas.some((cca) => cca.id === id && overTun(cca)));
