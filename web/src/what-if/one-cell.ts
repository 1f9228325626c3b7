// A spec that makes one cell in virtual time: what a what-if is of.
import { withValue } from '#analysis/sweep';
import type { EngineListing } from '#protocol/cca';
import type { ExperimentSpec } from '#protocol/spec';

const first = <T>([one]: readonly T[]): T[] => (one === undefined ? [] : [one]);

/** The first value of each axis. */
export function firstCell(asked: ExperimentSpec, listing: EngineListing): ExperimentSpec {
  const { sweep, ...plain } = asked;
  const [value] = sweep?.values ?? [];
  const spec =
    sweep === undefined || value === undefined ? plain : withValue(asked, { path: sweep.path, value }, listing);
  return {
    ...spec,
    engine: 'virtual',
    traces: first(spec.traces),
    ccas: first(spec.ccas),
    buffers: first(spec.buffers),
    queues: first(spec.queues),
    base_rtt_ms: first(spec.base_rtt_ms),
    loss: first(spec.loss),
    ...(spec.transports === undefined ? {} : { transports: first(spec.transports) }),
  };
}
