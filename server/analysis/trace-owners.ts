// Whose the traces of an experiment or a run are: whoever passes its results on may have to name them.
import { DIRECTIONS } from '#analysis/own-elements';
import { isShippedRecording } from '#analysis/shipped-recording';
import type { TraceRecord } from '#protocol/api';
import type { RunManifest } from '#protocol/manifest';
import type { ExperimentSpec } from '#protocol/spec';

/** `licence` and `source` as their owner says them. */
export type TraceOwner = Pick<TraceRecord, 'id' | 'name' | 'licence' | 'source'>;

export const traceOwner = ({ id, name, licence, source }: TraceRecord): TraceOwner => ({ id, name, licence, source });

/** What recipes make is the house's own; of all others what is known is said. */
export const isToBeNamed = (trace: Pick<TraceRecord, 'origin' | 'licence' | 'source'>): boolean =>
  trace.licence !== '' && (trace.origin !== 'library' || isShippedRecording(trace));

type Direction = RunManifest['forward'];
const ofDirection = ({ capacity, path = [] }: Direction) => [capacity, ...path.map((element) => element.capacity)];

/** Content hashes, each once: the bottleneck's first. */
export const tracesOfManifest = ({ forward, reverse }: Pick<RunManifest, 'forward' | 'reverse'>): string[] => [
  ...new Set(
    [...ofDirection(forward), ...ofDirection(reverse)].flatMap((capacity) =>
      capacity?.kind === 'trace' ? [capacity.sha256] : [],
    ),
  ),
];

/** The same of a spec whose traces are named by content. */
export const tracesOfSpec = ({ traces, reverse, elements }: ExperimentSpec): string[] => [
  ...new Set(
    [
      ...traces,
      reverse,
      ...DIRECTIONS.flatMap((direction) => (elements?.[direction] ?? []).map(({ capacity }) => capacity)),
    ].flatMap((ref) => (ref !== undefined && 'trace' in ref ? [ref.trace] : [])),
  ),
];
