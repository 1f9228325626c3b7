// The run of the delayed-feedback oracle over the link of another run: the reference that belongs to it.
import { completeParams } from '#analysis/params';
import { passesLink } from '#analysis/own-elements';
import type { CcaDescriptor, EngineListing } from '#protocol/cca';
import type { FlowManifest, RunManifest } from '#protocol/manifest';

export const oracleIn = ({ ccas }: Pick<EngineListing, 'ccas'>): CcaDescriptor | undefined =>
  ccas.find(({ kind }) => kind === 'oracle');

/** As the planner makes a reference: alone, from the first start to the last stop, without what only competitors have. */
function oracleFlow(first: FlowManifest, flows: readonly FlowManifest[], oracle: CcaDescriptor): FlowManifest {
  const { start_s: _start, ack: _ack, handshake: _handshake, window_limit_bytes: _window, ...rest } = first;
  const stops = flows.map(({ stop_s }) => stop_s);
  return {
    ...rest,
    cca: { id: oracle.id, params: completeParams({}, oracle.params) },
    start_s: Math.min(...flows.map(({ start_s }) => start_s)),
    stop_s: stops.includes(null) ? null : Math.max(...stops.map((stop) => stop ?? 0)),
  };
}

/**
 * Trace, base RTT, limit, path and seed are the run's; of an experiment that has the oracle in the same cell it is that run's manifest.
 * Always in virtual time: the oracle is told what the link knows. null: no flow passes the link, or this engine has no oracle.
 */
export function oracleManifest(run: RunManifest, listing: Pick<EngineListing, 'ccas'>): RunManifest | null {
  const oracle = oracleIn(listing);
  const flows = run.flows.filter((_, index) => passesLink(run, index));
  const [first] = flows;
  if (oracle === undefined || first === undefined) return null;
  const { measurement: _measured, qlog: _qlog, trace_start: _start, ...rest } = run;
  return { ...rest, engine: 'virtual', path: 'memory', flows: [oracleFlow(first, flows, oracle)] };
}
