import { marksInRun, type RunMark } from '#analysis/trace-marks';
import type { RunManifest } from '#protocol/manifest';
import type { TraceService } from './trace-service.ts';

/** Of a run, as the model behind its trace tells them; none where it cannot be asked. */
export async function handoversOf(traces: TraceService, manifest: RunManifest, gone?: AbortSignal): Promise<RunMark[]> {
  const { capacity } = manifest.forward;
  const trace = capacity.kind === 'trace' ? traces.find(capacity.sha256) : undefined;
  if (trace === undefined) return [];
  const marks = await traces.marks(trace.id, gone).catch(() => null);
  return marks === null ? [] : marksInRun(manifest, marks, trace.period_ms);
}
