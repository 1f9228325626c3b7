// Which state an algorithm is in at a time of its run.
import { senderStream } from '#protocol/columns';
import type { CcaDescriptor, InternalDescriptor } from '#protocol/cca';
import { upperBound } from '../../live/replay';
import type { RunSamples } from '../../plots/data';

/** The variable that tells its phases; undefined: it has none. */
export const phaseVariable = ({ internals }: Pick<CcaDescriptor, 'internals'>): InternalDescriptor | undefined =>
  internals.find(({ states }) => states.length > 0);

/** Of the first flow; null: nothing was sampled there. A row describes the time up to its own. */
export function phaseAt(samples: RunSamples, { name, states }: InternalDescriptor, timeS: number): string | null {
  const stream = samples.streams.get(senderStream(0));
  const column = stream?.column(name);
  if (stream === undefined || column === undefined || stream.rows === 0) return null;
  // Times are kept to less than a sample's distance.
  const row = Math.min(upperBound(stream.time, timeS - 1e-9, stream.rows), stream.rows - 1);
  return states[column[row] ?? -1] ?? null;
}
