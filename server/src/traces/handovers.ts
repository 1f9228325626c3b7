import { NO_STORY, runStory, type RunMark, type RunStory } from '#analysis/trace-marks';
import type { RunManifest } from '#protocol/manifest';
import type { TraceService } from './trace-service.ts';

/** Of a run, as the model behind its trace tells it; nothing where it cannot be asked. */
export async function storyOf(traces: TraceService, manifest: RunManifest, gone?: AbortSignal): Promise<RunStory> {
  const { capacity } = manifest.forward;
  const trace = capacity.kind === 'trace' ? traces.find(capacity.sha256) : undefined;
  if (trace === undefined) return NO_STORY;
  const marks = await traces.marks(trace.id, gone).catch(() => null);
  return marks === null ? NO_STORY : runStory(manifest, marks, trace.period_ms);
}

export const handoversOf = async (...asked: Parameters<typeof storyOf>): Promise<readonly RunMark[]> =>
  (await storyOf(...asked)).handovers;
