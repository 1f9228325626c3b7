// Which applications a stack can be given. What is refused is refused here, with the flow and the source, not when the run fails.
import { baselineOf } from '#analysis/kinds';
import type { CcaDescriptor, EngineListing } from '#protocol/cca';
import { writesMessages, type SourceSpec } from '#protocol/source';
import type { ExperimentSpec, FlowSpec } from '#protocol/spec';
import type { SpecProblem } from '#analysis/check-params';

const SOURCE_NAMES: Record<SourceSpec['kind'], string> = {
  bulk: 'endless data',
  rate: 'a steady rate',
  on_off: 'on–off',
  transfers: 'transfers',
  frames: 'frames',
  replay: 'a replay',
};

/** Why the application cannot have this CCA's transport; null: it can. */
export function sourceFault(source: SourceSpec, { kind }: Pick<CcaDescriptor, 'kind'>): string | null {
  if (kind === 'external' && source.kind !== 'bulk') return 'the program decides by itself when and how fast it writes';
  if (kind === 'quic' && writesMessages(source))
    return 'over real QUIC only endless data, a steady rate and on–off are possible';
  if (kind === 'quic' && source.kind === 'rate' && source.catch_up === false)
    return 'over real QUIC it catches up with what it missed: leave catch_up out';
  if (kind === 'kernel' && source.kind === 'frames' && source.least_rate_mbps !== undefined)
    return 'the kernel’s TCP tells an encoder no rate: leave least_rate_mbps out';
  return null;
}

/** All CCAs that a flow of the spec can meet. */
function ccasOf(flow: FlowSpec, spec: ExperimentSpec, listing: EngineListing): CcaDescriptor[] {
  const ids = flow.cca === '$cca' ? spec.ccas.map(({ id }) => id) : [flow.cca.id];
  const own = listing.ccas.filter(({ id }) => ids.includes(id));
  const paired = spec.full_scores && flow.cca === '$cca' ? own.map((cca) => baselineOf(listing, cca)) : [];
  return [...new Set([...own, ...paired.filter((cca) => cca !== undefined)])];
}

export const checkSources = (spec: ExperimentSpec, listing: EngineListing): SpecProblem[] =>
  spec.flows.flatMap((flow, i) =>
    ccasOf(flow, spec, listing).flatMap((cca) => {
      const fault = sourceFault(flow.source, cca);
      if (fault === null) return [];
      const message = `flow ${i + 1}: ${cca.label} cannot send ${SOURCE_NAMES[flow.source.kind]}: ${fault}`;
      return [{ path: ['flows', i, 'source'], message }];
    }),
  );
