// The messages of a run's flows (frames, transfers, what a replay writes) as they became whole.
import { writesMessages } from '#protocol/source';
import type { RunPlotData, RunSamples } from './data';
import type { Flow } from './flows';

export interface WholeMessage {
  readonly flow: number;
  /** When its last byte was there, on the run's clock. */
  readonly time_s: number;
  readonly bytes: number;
  /** From its birth. */
  readonly delay_ms: number;
}

export interface FlowMessages {
  readonly flow: Flow;
  readonly messages: readonly WholeMessage[];
  /** There were more than a run lists. */
  readonly more: boolean;
}

/** Of each flow whose application writes messages. */
export function messagesOf(samples: RunSamples, { manifest }: RunPlotData, flows: readonly Flow[]): FlowMessages[] {
  const writing = flows.filter(({ index }) => {
    const source = manifest.flows[index]?.source;
    return source !== undefined && writesMessages(source);
  });
  if (writing.length === 0) return [];
  const found = new Map(writing.map(({ index }) => [index, { messages: [] as WholeMessage[], more: false }]));
  for (const { event, flow, time_s, value, detail } of samples.events) {
    if (event !== 'message' || flow === null) continue;
    const of = found.get(flow);
    if (of === undefined) continue;
    if (value === undefined) of.more = true;
    else of.messages.push({ flow, time_s, bytes: Number(detail), delay_ms: value });
  }
  return writing.map((flow) => ({ flow, ...(found.get(flow.index) ?? { messages: [], more: false }) }));
}

/** Deadlines of the flows' frames, each once. */
export function deadlinesOf({ manifest }: RunPlotData): number[] {
  const all = manifest.flows.flatMap(({ source }) => (source.kind === 'frames' ? [source.deadline_ms] : []));
  return [...new Set(all)].sort((a, b) => a - b);
}
