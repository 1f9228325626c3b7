// How a run is called: `5g-walk · Cubic · 5 BDP · repetition 2 of 5`.
import { bufferLabel } from '#analysis/limits';
import { starvedPrograms } from '#analysis/validity';
import type { ExperimentRecord, RunRecord, RunRole } from '#protocol/api';
import type { CcaDescriptor } from '#protocol/cca';
import type { LinkSpec, RunManifest } from '#protocol/manifest';
import type { SourceManifest } from '#protocol/source';
import type { RunSummary } from '#protocol/summary';
import { labelOfFlow } from '../../plots/flows';
import { formatBytes, formatChosen, formatDuration, formatMeasured } from '../../ui/format';

export function capacityName({ capacity }: LinkSpec): string {
  switch (capacity.kind) {
    case 'trace':
      return capacity.name;
    case 'constant':
      return `${formatChosen(capacity.rate_mbps)} Mbps`;
    case 'unlimited':
      return 'unlimited link';
  }
}

const limitName = ({ queue }: LinkSpec): string => {
  if (queue.limit_packets !== null) return `${formatChosen(queue.limit_packets)} packets`;
  return queue.limit_bytes === null ? '∞' : formatBytes(queue.limit_bytes);
};

const ROLE: Record<RunRole, string | null> = {
  solo: null,
  self_pair: 'against itself',
  baseline_pair: 'against the baseline',
};

export interface RunName {
  readonly trace: string;
  readonly ccas: readonly string[];
  readonly limit: string;
  readonly role: string | null;
  readonly repetition: string | null;
  /** All of it in one line. */
  readonly title: string;
}

/** `experiment` adds what only the matrix knows: the limit as it was asked for and the number of repetitions. */
export function nameRun(
  run: Pick<RunRecord, 'manifest' | 'experiments'>,
  ccas: ReadonlyMap<string, CcaDescriptor>,
  experiment?: ExperimentRecord,
): RunName {
  const { manifest } = run;
  const place = run.experiments.find((e) => e.id === experiment?.id);
  const cell = experiment?.cells.find((c) => c.key === place?.cell);
  const labels = manifest.flows.map(({ cca }) => labelOfFlow(cca, ccas));
  const unique = [...new Set(labels)];
  const counted = unique.map((label) => {
    const count = labels.filter((other) => other === label).length;
    return count === 1 ? label : `${count} × ${label}`;
  });
  const trace = capacityName(manifest.forward);
  const limit = cell === undefined ? limitName(manifest.forward) : bufferLabel(cell.buffer);
  const role = place === undefined ? null : ROLE[place.role];
  const repetitions = experiment?.spec.repetitions ?? 1;
  const repetition = repetitions > 1 ? `repetition ${manifest.repetition + 1} of ${repetitions}` : null;
  const title = [trace, counted.join(' + '), limit, role, repetition].filter((part) => part !== null).join(' · ');
  return { trace, ccas: counted, limit, role, repetition, title };
}

/** A flow's application in a few words. */
export function describeSource(source: SourceManifest): string {
  switch (source.kind) {
    case 'bulk':
      return 'endless data';
    case 'rate':
      return `${formatChosen(source.rate_mbps)} Mbps${source.catch_up === false ? ', drops what it misses' : ''}`;
    case 'on_off':
      return `on ${formatDuration(source.on_s)}, off ${formatDuration(source.off_s)}`;
    case 'transfers':
      return `transfers of ${formatBytes(source.bytes)}`;
    case 'frames':
      return `${formatChosen(source.fps)} frames/s, ${source.least_rate_mbps === undefined ? '' : 'up to '}${formatChosen(source.rate_mbps)} Mbps`;
    case 'replay':
      return source.name ?? 'recorded packets';
  }
}

/** Whether the emulator kept its promises, in a few words. */
export function healthOf(
  manifest: RunManifest,
  summary: RunSummary | null,
  worker?: string,
): { readonly kind: 'good' | 'bad'; readonly text: string; readonly detail: string } {
  if (manifest.engine === 'virtual')
    return {
      kind: 'good',
      text: 'virtual time',
      detail: 'A simulated clock is never late: the link did exactly what the trace says.',
    };
  const late = summary?.lateness;
  if (summary === null || late === null || late === undefined)
    return { kind: 'good', text: 'real time', detail: 'Lateness is known when the run has ended.' };
  const where = worker === undefined ? '' : `Measured on ${worker}. `;
  const p99 = `${where}99 % of wake-ups were at most ${formatMeasured(late.p99_us)} µs late, the latest ${formatMeasured(late.max_us / 1000)} ms.`;
  if (late.overrun) return { kind: 'bad', text: 'overrun', detail: `The machine could not keep up. ${p99}` };
  const [starved] = starvedPrograms(summary);
  return starved === undefined
    ? { kind: 'good', text: 'on time', detail: p99 }
    : { kind: 'bad', text: 'program starved', detail: `${starved.charAt(0).toUpperCase()}${starved.slice(1)}. ${p99}` };
}
