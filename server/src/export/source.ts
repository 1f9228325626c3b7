import { ControlFrame } from '#protocol/control';
import { traceOwner, tracesOfManifest, tracesOfSpec, type TraceOwner } from '#analysis/trace-owners';
import type { WholeExperiment } from '../experiments/experiment-service.ts';
import type { Lab } from '../lab.ts';
import type { RunExport } from './run.ts';

/** What the traces say of their owners, as far as they are still here. */
const ownersOf = ({ traces }: Lab['store'], ids: readonly string[]): TraceOwner[] =>
  ids.flatMap((id) => {
    const trace = traces.get(id);
    return trace === null ? [] : [traceOwner(trace)];
  });

/** Of all that an experiment runs over. */
export const experimentOwners = ({ store }: Lab, { spec }: WholeExperiment): TraceOwner[] =>
  ownersOf(store, tracesOfSpec(spec));

/** A stored or running run, as the exports read it. Null when it has said nothing yet. */
export function exportSource({ reader, experiments, store }: Lab, id: string): RunExport | null {
  const { manifest, summary } = experiments.run(id);
  const frames = reader.controls(id).map(({ body }) => ControlFrame.parse(JSON.parse(body)));
  const hello = frames.find((frame) => frame.type === 'hello');
  if (hello === undefined) return null;
  return {
    run: id,
    manifest,
    owners: ownersOf(store, tracesOfManifest(manifest)),
    summary,
    events: frames.filter((frame) => frame.type === 'event'),
    measurements: store.measurements.list(id),
    streams: hello.streams,
    period_ms: hello.period_ms,
    heads: reader.heads(id),
    read: (stream, from, to) => reader.read(id, stream, from, to),
  };
}
