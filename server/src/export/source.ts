import { ControlFrame } from '#protocol/control';
import type { RunManifest } from '#protocol/manifest';
import type { Lab } from '../lab.ts';
import type { RunExport } from './run.ts';

/** What the trace of the bottleneck says of its owner, who may demand to be named wherever it is used. */
function ownerOf({ traces }: Lab['store'], { forward: { capacity } }: RunManifest): RunExport['owner'] {
  const trace = capacity.kind === 'trace' ? traces.get(capacity.sha256) : null;
  return trace === null ? null : { licence: trace.licence, source: trace.source };
}

/** A stored or running run, as the exports read it. Null when it has said nothing yet. */
export function exportSource({ reader, experiments, store }: Lab, id: string): RunExport | null {
  const { manifest, summary } = experiments.run(id);
  const frames = reader.controls(id).map(({ body }) => ControlFrame.parse(JSON.parse(body)));
  const hello = frames.find((frame) => frame.type === 'hello');
  if (hello === undefined) return null;
  return {
    run: id,
    manifest,
    owner: ownerOf(store, manifest),
    summary,
    events: frames.filter((frame) => frame.type === 'event'),
    measurements: store.measurements.list(id),
    streams: hello.streams,
    period_ms: hello.period_ms,
    heads: reader.heads(id),
    read: (stream, from, to) => reader.read(id, stream, from, to),
  };
}
